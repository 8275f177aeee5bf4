#include "models/messages/othermatches.h"

namespace models {

OtherMatches::OtherMatches(ConsoleSession &session, const MessagesModel &list, QObject *parent)
    : QObject(parent)
    , m_list(list)
    , m_call(session)
{
    connect(&list, &MessagesModel::stateChanged, this, &OtherMatches::follow);
}

bool OtherMatches::isSearch() const
{
    return !m_filter.search.isEmpty();
}

void OtherMatches::follow()
{
    const records::MessageFilter &filter = m_list.query().filter;
    if (m_filter != filter) {
        m_call.drop();
        m_filter = filter;
        m_change.reset();
        m_found = {};
        Q_EMIT changed();
    }
    const bool due = isSearch() && filter.status && m_list.isListed();
    if (due && m_change != m_list.asOfChange())
        ask();
}

void OtherMatches::ask()
{
    m_change = m_list.asOfChange();
    m_call.ask(api::OtherMatchesQuery{m_list.query()}, [this](const core::Result<api::OtherMatches> &answer) {
        if (!answer)
            return;
        m_found = *answer;
        Q_EMIT changed();
    });
}

} // namespace models

#include "moc_othermatches.cpp"
