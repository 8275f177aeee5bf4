#pragma once

#include "backend/api/requests/operations.h"
#include "backend/api/requests/queries.h"
#include "models/common/rowmodel.h"
#include "models/session/enginecall.h"

namespace models {

// The current causes of the messages that came back from one retry, the most frequent first. Loads them again when
// messages change. GUI thread.
class ReturnsModel final : public RowModel<api::ReturnShare, core::GroupId>
{
    Q_OBJECT

public:
    enum Column { Cause, Messages, NewCause };
    static constexpr int columnTotal = NewCause + 1;

    ReturnsModel(ConsoleSession &session, core::OperationId operation, QObject *parent = nullptr);

    void load() { m_call.refresh(); }
    [[nodiscard]] bool isLoaded() const { return m_loaded; }
    [[nodiscard]] QString error() const { return m_error; }
    [[nodiscard]] const records::RetryOperation &operation() const { return m_operation; } // of the last answer
    // "220 came back, 30 of them with a new cause; 800 confirmed by the endpoint"
    [[nodiscard]] QString summary() const;

Q_SIGNALS:
    void changed();

protected:
    [[nodiscard]] int columns() const override { return columnTotal; }
    [[nodiscard]] core::GroupId keyOf(const api::ReturnShare &row) const override { return row.group; }
    [[nodiscard]] bool same(const api::ReturnShare &a, const api::ReturnShare &b) const override;
    [[nodiscard]] QVariant cell(const api::ReturnShare &row, int column, int role) const override;
    [[nodiscard]] QVariant headerCell(int column, int role) const override;

private:
    void ask();
    void take(const core::Result<api::OperationDetail> &detail);
    [[nodiscard]] QString cameBackText() const;
    [[nodiscard]] static QString text(const api::ReturnShare &row, int column);

    records::RetryOperation m_operation;
    qint64 m_confirmed = 0;
    QString m_error;
    bool m_loaded = false;
    EngineCall m_call;
};

// The unresolved messages that came back from this operation, as the scope of another retry.
[[nodiscard]] ActionScope retryOfReturns(const records::RetryOperation &operation);

} // namespace models
