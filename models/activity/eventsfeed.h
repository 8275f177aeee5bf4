#pragma once

#include "models/activity/eventsmodel.h"
#include "models/session/consolesession.h"

namespace models {

// Brings new events while active; keeps the newest 5,000; filters what is shown.
class EventsFeed final : public QObject
{
    Q_OBJECT

public:
    EventsFeed(ConsoleSession &session, const ConsoleFilter &filter, QObject *parent = nullptr);

    [[nodiscard]] EventsModel *model() { return &m_model; }
    void setActive(bool active);
    void setText(const QString &text); // contained in any column
    void setLeastSeverity(records::Severity severity);
    [[nodiscard]] QString error() const { return m_error; }
    [[nodiscard]] QByteArray asCsv() const; // of what is shown

Q_SIGNALS:
    void changed();

private:
    void ask();
    void update();

    ConsoleSession &m_session;
    EventsModel m_model;
    QList<records::Event> m_events; // newest first
    QString m_text;
    records::Severity m_least = records::Severity::Info;
    QString m_error;
    bool m_active = false;
    bool m_asking = false;
    bool m_stale = true;
};

} // namespace models
