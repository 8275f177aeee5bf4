#include "models/messages/othermatches.h"

#include "models/session/whendone.h"

namespace models {

OtherMatches::OtherMatches(api::EngineClient &client, const MessagesModel &list, QObject *parent)
    : QObject(parent)
    , m_client(client)
    , m_list(list)
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
        ++m_generation;
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
    const int generation = ++m_generation;
    whenDone(this, m_client.ask(api::OtherMatchesQuery{m_list.query()}),
             [this, generation](const core::Result<api::OtherMatches> &answer) {
                 if (generation != m_generation || !answer)
                     return;
                 m_found = *answer;
                 Q_EMIT changed();
             });
}

} // namespace models
