#pragma once

#include "backend/records/headers.h"
#include "models/common/rowmodel.h"

namespace models {

struct HeaderRow
{
    int number = 0; // place in the message: names may repeat
    QString name;
    QString value; // as text; structured values as CBOR diagnostic notation
    bool isProperty = false; // set by the broker, not by an application
    bool isSensitive = false; // the name says that it carries a secret
    bool isMasked = false; // a secret that nobody has asked for
};

// The name of a header says that it carries a secret.
[[nodiscard]] bool namesSecret(const QString &name);
[[nodiscard]] QString valueText(const QCborValue &value); // structured values as CBOR diagnostic notation
[[nodiscard]] QString secretMask(); // shown instead; tells not even its length

// Headers and properties of one message, as they lie on the broker.
class HeadersModel final : public RowModel<HeaderRow, int>
{
    Q_OBJECT

public:
    enum Column { Name, Value, ColumnCount };
    using RowModel::RowModel;

    void show(const records::Envelope &envelope);
    void setFilter(const QString &text); // name or value contains it
    // A value whose name says that it is a secret is masked until somebody asks for it; the mask tells not even its length.
    void reveal(int row);
    // "name: value" lines, for the clipboard: unaltered, but what is masked stays so.
    [[nodiscard]] QString asText() const;

protected:
    [[nodiscard]] int columns() const override { return ColumnCount; }
    [[nodiscard]] int keyOf(const HeaderRow &row) const override { return row.number; }
    [[nodiscard]] bool same(const HeaderRow &a, const HeaderRow &b) const override;
    [[nodiscard]] QVariant cell(const HeaderRow &row, int column, int role) const override;
    [[nodiscard]] QVariant headerCell(int column, int role) const override;

private:
    void update();

    QList<HeaderRow> m_all;
    QString m_filter;
};

} // namespace models
