#pragma once

#include "models/messages/messagesmodel.h"
#include "models/session/enginecall.h"

namespace models {

// Counts what the search of a message list finds under the statuses that the list leaves out. It asks after the whole
// list has come, so that the list never waits for it. GUI thread.
class OtherMatches final : public QObject
{
    Q_OBJECT

public:
    OtherMatches(ConsoleSession &session, const MessagesModel &list, QObject *parent = nullptr);

    [[nodiscard]] const api::OtherMatches &found() const { return m_found; }
    [[nodiscard]] bool isSearch() const; // the list shows the result of a search

Q_SIGNALS:
    void changed();

private:
    void follow();
    void ask();

    const MessagesModel &m_list;
    api::OtherMatches m_found;
    records::MessageFilter m_filter; // of the list that m_found belongs to
    std::optional<qint64> m_change; // the change number of the last request; nothing: none yet
    EngineCall m_call;
};

} // namespace models
