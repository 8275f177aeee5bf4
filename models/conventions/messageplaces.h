#pragma once

#include "backend/records/conventions/convention.h"
#include "backend/records/messages/headers.h"
#include "models/common/rowmodel.h"

namespace models {

struct PlaceRow
{
    int number = 0; // in the order of the message
    records::MessagePlace place;
    QString value; // as text
    bool isSecret = false; // the name suggests one: its value is not shown
};

// "Header x-error, /type", "Body, /error/text"
[[nodiscard]] QString textOf(const records::MessagePlace &place);

// The places of one message that a convention can name: headers, properties, what is inside them, and the fields of a
// JSON body. At most 2,000, down to a depth of 8. GUI thread.
class MessagePlaces final : public RowModel<PlaceRow, int>
{
    Q_OBJECT

public:
    enum Column { Where, Value, ColumnCount };
    using RowModel::RowModel;

    void show(const records::Envelope &envelope);
    void setFilter(const QString &text); // rows whose place or value contains it
    [[nodiscard]] int rowOfPlace(const records::MessagePlace &place) const; // -1: it is not shown
    // Whether there is something inside this place.
    [[nodiscard]] bool hasFields(const records::MessagePlace &place) const;

protected:
    [[nodiscard]] int columns() const override { return ColumnCount; }
    [[nodiscard]] int keyOf(const PlaceRow &row) const override { return row.number; }
    [[nodiscard]] bool same(const PlaceRow &a, const PlaceRow &b) const override;
    [[nodiscard]] QVariant cell(const PlaceRow &row, int column, int role) const override;
    [[nodiscard]] QVariant headerCell(int column, int role) const override;

private:
    void add(const records::MessagePlace &place, const QCborValue &value, int depth);
    void addInside(const records::MessagePlace &place, const QCborValue &value, int depth);
    void update();

    QList<PlaceRow> m_all;
    QString m_filter;
};

} // namespace models
