#pragma once

#include "backend/api/requests/operations.h"
#include "backend/api/requests/queries.h"
#include "models/common/rowmodel.h"
#include "models/session/enginecall.h"

namespace models {

struct DoubtRow
{
    records::RetryMember member;
    QString messageType;
};

// The messages of one retry that are in doubt, in the order of its set. Loads them again when operations change. GUI
// thread.
class DoubtModel final : public RowModel<DoubtRow, qint64>
{
    Q_OBJECT

public:
    enum Column { Type, Destination, Why };
    static constexpr int columnTotal = Why + 1;
    static constexpr int mostShown = 1000; // the rest is only counted

    DoubtModel(ConsoleSession &session, core::OperationId operation, QObject *parent = nullptr);

    void load() { m_call.refresh(); }
    [[nodiscard]] bool isLoaded() const { return m_loaded; }
    [[nodiscard]] QString error() const { return m_error; }
    [[nodiscard]] const records::RetryOperation &operation() const { return m_operation; } // of the last answer
    [[nodiscard]] qint64 total() const { return m_operation.counts.inDoubt; }

Q_SIGNALS:
    void changed();

protected:
    [[nodiscard]] int columns() const override { return columnTotal; }
    [[nodiscard]] qint64 keyOf(const DoubtRow &row) const override { return row.member.ordinal; }
    [[nodiscard]] bool same(const DoubtRow &a, const DoubtRow &b) const override;
    [[nodiscard]] QVariant cell(const DoubtRow &row, int column, int role) const override;
    [[nodiscard]] QVariant headerCell(int column, int role) const override;

private:
    void ask();
    void askMembers();
    void askTypes(const QList<records::RetryMember> &members);
    void finish(const QString &error);
    [[nodiscard]] static QString text(const DoubtRow &row, int column);

    records::RetryOperation m_operation;
    QString m_error;
    bool m_loaded = false;
    EngineCall m_call;
};

} // namespace models
