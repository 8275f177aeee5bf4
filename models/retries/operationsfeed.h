#pragma once

#include "backend/api/requests/operations.h"
#include "models/common/consolefilter.h"
#include "models/retries/operationsmodel.h"
#include "models/session/enginecall.h"

#include <QTimer>

namespace models {

// Which operations the Retries page lists.
enum class OperationsShown {
    Current, // what runs or waits, and what has ended but is not dismissed
    Running, // runs, waits or is paused
    Ended,
    CameBack,
    Trouble, // ejected or in doubt
    Cancelled,
    All,
};

// Fills OperationsModel. What runs comes from each snapshot, at once; past operations come from the store while the page
// is active: page by page as the list is scrolled, and the shown rows again, at most once a second, when operations
// change. The time range leaves out past operations only: what runs is never old. GUI thread.
class OperationsFeed final : public QObject
{
    Q_OBJECT

public:
    OperationsFeed(ConsoleSession &session, const ConsoleFilter &filter, QObject *parent = nullptr);

    [[nodiscard]] OperationsModel *model() { return &m_model; }
    [[nodiscard]] const OperationItem *find(core::OperationId id) const { return m_model.find(id); }
    // total, sent and cameBack of the current question; without rows
    [[nodiscard]] const api::OperationPage &sums() const { return m_sums; }
    [[nodiscard]] int running() const { return m_running; } // in this store, listed or not
    [[nodiscard]] int runningHidden() const { return m_runningHidden; } // those that the filters leave out
    [[nodiscard]] OperationsShown shown() const { return m_shown; }
    [[nodiscard]] QString text() const { return m_text; }
    [[nodiscard]] bool isNarrowed() const; // by text, kind, connection or time
    [[nodiscard]] bool hasAnswer() const { return m_answered; } // the store has answered at least once
    [[nodiscard]] QString error() const { return m_error; }

    void setActive(bool active) { m_call.setActive(active); }
    [[nodiscard]] bool isActive() const { return m_call.isActive(); }
    void setShown(OperationsShown shown);
    void setText(const QString &text);
    void reload(); // reads the shown rows again

Q_SIGNALS:
    void aboutToChange(); // rows come and go before changed()
    void changed();
    void replaced(); // after changed(): the rows answer another question than before

private:
    void startOver();
    void ask();
    void askForMore();
    [[nodiscard]] api::OperationQuery query() const;
    void take(const core::Result<api::OperationPage> &page, bool more);
    void update();
    [[nodiscard]] bool isListed(const records::RetryOperation &operation) const;

    ConsoleSession &m_session;
    const ConsoleFilter &m_filter;
    OperationsModel m_model;
    QTimer m_refresh;
    QString m_text;
    OperationsShown m_shown = OperationsShown::Current;
    QList<api::OperationRow> m_rows; // of the store, newest first
    api::OperationPage m_sums;
    QString m_error;
    int m_running = 0;
    int m_runningHidden = 0;
    bool m_answered = false;
    bool m_fromTop = true; // the query changed: the first page is enough
    EngineCall m_call;
};

} // namespace models
