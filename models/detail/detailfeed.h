#pragma once

#include "backend/api/requests/queries.h"
#include "models/detail/bodytext.h"
#include "models/detail/headersmodel.h"
#include "models/session/enginecall.h"

#include <optional>

namespace models {

// The message that the detail pane shows. Loads it again when messages change, and formats the body on a worker thread.
// GUI thread.
class DetailFeed final : public QObject
{
    Q_OBJECT

public:
    explicit DetailFeed(ConsoleSession &session, QObject *parent = nullptr);

    void setActive(bool active) { m_read.setActive(active); } // a hidden pane requests nothing
    void show(core::MessageId id); // an invalid id clears the pane
    // Shows the newest message of a group.
    void showNewestOf(const ActionScope &group);
    void setBodyView(BodyView view);
    void loadWholeBody(); // the detail holds only a preview of a long body
    void reload() { m_read.refresh(); } // reads the message again

    [[nodiscard]] core::MessageId id() const { return m_id; }
    [[nodiscard]] const std::optional<api::MessageDetail> &detail() const { return m_detail; }
    [[nodiscard]] QString error() const { return m_error; }
    [[nodiscard]] HeadersModel *headers() { return &m_headers; }
    [[nodiscard]] const BodyText &body() const { return m_body; }
    [[nodiscard]] BodyView bodyView() const { return m_view; }
    // This message as the scope of an action; empty while another one is being loaded.
    [[nodiscard]] ActionScope scope() const;

Q_SIGNALS:
    void changed(); // another message, new facts about it, or an error
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
    EngineCall m_read; // the shown message
    EngineCall m_newest; // the newest message of a group; until its answer the shown message stays
    EngineCall m_wholeBody;
    EngineCall m_format; // the text of the body
};

} // namespace models
