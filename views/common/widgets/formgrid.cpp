#include "views/common/widgets/formgrid.h"

#include "views/common/widgets/plaintext.h"

#include <algorithm>

namespace views {

namespace {

constexpr int labelColumn = 0;
constexpr int fieldColumn = 1;

// The middle of the first line of a field that can have several lines, from its top.
int middleOfFirstLine(const QWidget &field, int labelHeight)
{
    const auto *text = qobject_cast<const QLabel *>(&field);
    if (text != nullptr && text->wordWrap())
        return text->contentsRect().top() + text->fontMetrics().height() / 2;
    const auto *lines = qobject_cast<const QBoxLayout *>(field.layout());
    if (lines != nullptr && lines->direction() == QBoxLayout::TopToBottom) {
        for (int i = 0; i < lines->count(); ++i) {
            if (!lines->itemAt(i)->isEmpty())
                return lines->contentsMargins().top() + lines->itemAt(i)->sizeHint().height() / 2;
        }
    }
    return field.sizePolicy().verticalPolicy() == QSizePolicy::Expanding ? labelHeight / 2 : field.height() / 2;
}

} // namespace

FormGrid::FormGrid(QWidget *parent)
    : QGridLayout(parent)
{
    setHorizontalSpacing(18);
    setVerticalSpacing(9);
    setColumnStretch(fieldColumn, 1);
}

void FormGrid::addRow(const QString &label, QWidget *field)
{
    auto *words = new PlainLabel(label, parentWidget());
    words->setProperty("tone", QStringLiteral("muted"));
    words->setBuddy(field);
    const int row = count() == 0 ? 0 : rowCount();
    addWidget(words, row, labelColumn, Qt::AlignLeft | Qt::AlignTop);
    addWidget(field, row, fieldColumn);
}

void FormGrid::setGeometry(const QRect &place)
{
    QGridLayout::setGeometry(place);
    for (int row = 0; row < rowCount(); ++row) {
        const QLayoutItem *label = itemAtPosition(row, labelColumn);
        const QLayoutItem *field = itemAtPosition(row, fieldColumn);
        if (label == nullptr || field == nullptr || field->isEmpty())
            continue;
        const int height = label->widget()->height();
        const int middle = field->geometry().top() + middleOfFirstLine(*field->widget(), height);
        label->widget()->move(label->widget()->x(), std::max(0, middle - height / 2));
    }
}

void FormGrid::setRowVisible(QWidget *field, bool visible)
{
    int row = 0;
    int column = 0;
    int rows = 0;
    int columns = 0;
    getItemPosition(indexOf(field), &row, &column, &rows, &columns);
    itemAtPosition(row, labelColumn)->widget()->setVisible(visible);
    field->setVisible(visible);
}

} // namespace views

#include "moc_formgrid.cpp"
