#pragma once

#include "models/detail/bodytext.h"
#include "models/detail/headersmodel.h"
#include "models/session/consolesession.h"

#include <optional>

namespace models {

// The one message that the detail pane shows. Asks again when messages changed; formats the body off the GUI thread.
class DetailFeed final : public QObject
{
    Q_OBJECT

public:
    explicit DetailFeed(ConsoleSession &session, QObject *parent = nullptr);

    void setActive(bool active); // a hidden pane asks nothing
    void show(core::MessageId id); // none: nothing is shown
    // The newest message of a group.
    void showNewestOf(const ActionScope &group);
    void setBodyView(BodyView view);
    void loadWholeBody();
    void reload();

    [[nodiscard]] core::MessageId id() const { return m_id; }
    [[nodiscard]] const std::optional<api::MessageDetail> &detail() const { return m_detail; }
    [[nodiscard]] QString error() const { return m_error; }
    [[nodiscard]] HeadersModel *headers() { return &m_headers; }
    [[nodiscard]] const BodyText &body() const { return m_body; }
    [[nodiscard]] BodyView bodyView() const { return m_view; }
    // This message alone; nothing while another one is wanted and has not come yet.
    [[nodiscard]] ActionScope scope() const;

Q_SIGNALS:
    void changed(); // another message, or other facts about it
    void bodyChanged();

private:
    void ask();
    void clear();
    void take(const api::MessageDetail &detail);
    void format();

    ConsoleSession &m_session;
    HeadersModel m_headers;
    core::MessageId m_id;
    std::optional<api::MessageDetail> m_detail;
    QString m_error;
    BodyText m_body;
    BodyView m_view = BodyView::Formatted;
    int m_wish = 0; // the last message asked for; earlier answers are dropped
    int m_newestWish = 0; // the same for the newest of a group: while it is looked for, the message before stays wanted
    int m_formatWish = 0;
    bool m_looking = false; // for the newest of a group
    bool m_active = false;
    bool m_stale = false;
};

} // namespace models
