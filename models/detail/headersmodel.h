#pragma once

#include "backend/records/messages/headers.h"
#include "models/common/rowmodel.h"

namespace models {

struct HeaderRow
{
    int number = 0; // place in the message: names may repeat
    QString name;
    QString value; // as text; structured values as CBOR diagnostic notation
    bool isProperty = false; // set by the broker, not by an application
    bool isSensitive = false; // the name suggests a secret
    bool isMasked = false; // hidden until a person reveals it
};

// True when the name of a header suggests a secret, such as a password or a token.
[[nodiscard]] bool namesSecret(const QString &name);
[[nodiscard]] QString valueText(const QCborValue &value); // structured values as CBOR diagnostic notation
[[nodiscard]] QString secretMask(); // shown instead of a secret; it hides the length, too

// The headers and broker properties of one message. GUI thread.
class HeadersModel final : public RowModel<HeaderRow, int>
{
    Q_OBJECT

public:
    enum Column { Name, Value, ColumnCount };
    using RowModel::RowModel;

    void show(const records::Envelope &envelope);
    void setFilter(const QString &text); // shows rows whose name or visible value contains it
    // Shows the value of a row. A value whose name suggests a secret is masked until then.
    void reveal(int row);
    // All rows as "name: value" lines for the clipboard, unchanged but for masked values, which stay masked.
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
