#pragma once

#include "models/common/consolefilter.h"
#include "models/history/historymodel.h"
#include "models/session/consolesession.h"

#include <QTimer>

namespace models {

// Loads the operations of the History page while it is active: page by page as the list is scrolled, and the shown rows
// again, at most once a second, when operations change. GUI thread.
class HistoryFeed final : public QObject
{
    Q_OBJECT

public:
    HistoryFeed(ConsoleSession &session, const ConsoleFilter &filter, QObject *parent = nullptr);

    [[nodiscard]] HistoryModel *model() { return &m_model; }
    [[nodiscard]] const api::OperationRow *find(core::OperationId id) const { return m_model.find(id); }
    [[nodiscard]] const api::OperationPage &sums() const
    {
        return m_sums;
    } // total, sent and cameBack of the current query; without rows
    [[nodiscard]] bool isNarrowed() const; // by text, kind, connection or time
    [[nodiscard]] bool hasAnswer() const { return m_answered; }
    [[nodiscard]] QString error() const { return m_error; }

    void setActive(bool active);
    void setText(const QString &text);
    void setWanted(api::OperationsWanted wanted);
    void reload(); // reads the shown rows again

Q_SIGNALS:
    void changed();

private:
    void startOver();
    void ask();
    void askForMore();
    [[nodiscard]] api::OperationQuery query() const;
    void take(const core::Result<api::OperationPage> &page, bool more);

    ConsoleSession &m_session;
    const ConsoleFilter &m_filter;
    HistoryModel m_model;
    QTimer m_refresh;
    QString m_text;
    api::OperationsWanted m_wanted = api::OperationsWanted::All;
    api::OperationPage m_sums;
    QString m_error;
    bool m_active = false;
    bool m_stale = true;
    bool m_asking = false;
    bool m_answered = false;
    bool m_fromTop = true; // the query changed: the first page is enough
};

} // namespace models
