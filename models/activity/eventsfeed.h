#pragma once

#include "models/activity/eventcsv.h"
#include "models/activity/eventsmodel.h"
#include "models/session/enginecall.h"

namespace models {

// Loads new entries of the activity log while it is active, keeps the newest 5,000 and filters the rows that are shown.
// GUI thread.
class EventsFeed final : public QObject
{
    Q_OBJECT

public:
    EventsFeed(ConsoleSession &session, const ConsoleFilter &filter, QObject *parent = nullptr);

    [[nodiscard]] EventsModel *model() { return &m_model; }
    void setActive(bool active) { m_call.setActive(active); } // a hidden page requests nothing
    void setText(const QString &text); // shows entries that contain it in any text column
    void setLeastSeverity(records::Severity severity);
    [[nodiscard]] QString error() const { return m_error; } // of the last request; empty: none
    // How many of the newest entries the shown rows were chosen from; nothing: from all there are.
    [[nodiscard]] std::optional<qint64> newestOnly() const;
    // Reads all entries that the filter accepts, also those that are too old for the list. Cancelled: the feed is gone.
    [[nodiscard]] api::Answer<CsvTable> readCsv();

Q_SIGNALS:
    void changed();

private:
    void ask();
    void take(const QList<records::Event> &fresh);
    void update();

    ConsoleSession &m_session;
    EventsModel m_model;
    QList<records::Event> m_events; // newest first
    EventFilter m_filter;
    QString m_error;
    EngineCall m_call;
};

} // namespace models
