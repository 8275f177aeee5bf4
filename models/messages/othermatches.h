#pragma once

#include "models/messages/messagesmodel.h"

#include <QObject>

namespace models {

// What the search of a list finds under the statuses that the list leaves out. Asked when the whole list has come, so that the
// list never waits for it.
class OtherMatches final : public QObject
{
    Q_OBJECT

public:
    OtherMatches(api::EngineClient &client, const MessagesModel &list, QObject *parent = nullptr);

    [[nodiscard]] const api::OtherMatches &found() const { return m_found; }
    [[nodiscard]] bool isSearch() const; // the list is one of a search

Q_SIGNALS:
    void changed();

private:
    void follow();
    void ask();

    api::EngineClient &m_client;
    const MessagesModel &m_list;
    api::OtherMatches m_found;
    records::MessageFilter m_filter; // of the list that m_found belongs to
    std::optional<qint64> m_change; // as of which it was asked; nothing: not asked yet
    int m_generation = 0; // answers about an earlier list are dropped
};

} // namespace models
