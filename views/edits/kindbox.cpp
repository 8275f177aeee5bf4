#include "views/edits/kindbox.h"

#include "models/edits/editedheaders.h"

namespace views {

KindBox::KindBox(QWidget *parent)
    : QComboBox(parent)
{
    using models::EditedHeaders;
    using Kind = EditedHeaders::ValueKind;
    for (const Kind kind : {Kind::Text, Kind::Integer, Kind::Number, Kind::Truth})
        addItem(EditedHeaders::textOf(kind), int(kind));
    connect(this, &QComboBox::currentIndexChanged, this, &KindBox::kindChanged);
}

} // namespace views

#include "moc_kindbox.cpp"
