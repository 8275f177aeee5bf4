#include "views/common/widgets/formgrid.h"

#include "views/common/widgets/plaintext.h"

namespace views {

namespace {

constexpr int labelColumn = 0;
constexpr int fieldColumn = 1;

// A label stands beside the first line of a field that can have several lines.
Qt::Alignment labelAlignment(const QWidget *field)
{
    const QSizePolicy policy = field->sizePolicy();
    const bool tall = policy.hasHeightForWidth() || policy.verticalPolicy() == QSizePolicy::Expanding;
    return Qt::AlignLeft | (tall ? Qt::AlignTop : Qt::AlignVCenter);
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
    addWidget(words, row, labelColumn, labelAlignment(field));
    addWidget(field, row, fieldColumn);
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
