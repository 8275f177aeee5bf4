#pragma once

#include "backend/records/conventions/convention.h"
#include "models/common/rowmodel.h"

namespace models {

// One condition or rule of a convention.
struct ConventionLine
{
    enum class Kind { Connection, Queue, Dialect, Header, Group, Read, ReturnTo, BeforeRetry };
    Kind kind = Kind::Read;
    int index = 0; // in its list; of a Read: of the fact
    int place = 0; // of a Read: of the place
    QString what; // "Queue", "Cause (type)"
    QString text; // its value, for people
};

// A convention as a list of lines: first for which messages it is, then what it says. GUI thread.
class ConventionLines final : public RowModel<ConventionLine, QString>
{
    Q_OBJECT

public:
    enum Column { What, Text, ColumnCount };
    using RowModel::RowModel;

    void show(const records::Convention &convention);
    // Both change the convention that was shown last. The row must exist.
    [[nodiscard]] records::Convention without(int row) const;
    [[nodiscard]] records::Convention with(int row, const QString &value) const;
    // The value of this line as a person can change it; nothing: it cannot be typed.
    [[nodiscard]] std::optional<QString> editable(int row) const;
    // "connection Production, queue billing.*"; "all messages"
    [[nodiscard]] static QString forText(const records::Convention &convention);

protected:
    [[nodiscard]] int columns() const override { return ColumnCount; }
    [[nodiscard]] QString keyOf(const ConventionLine &row) const override;
    [[nodiscard]] bool same(const ConventionLine &a, const ConventionLine &b) const override;
    [[nodiscard]] QVariant cell(const ConventionLine &row, int column, int role) const override;
    [[nodiscard]] QVariant headerCell(int column, int role) const override;

private:
    records::Convention m_convention;
};

} // namespace models
