#include "views/conventions/placepicker.h"

#include "views/common/lists/datatable.h"
#include "views/common/theme/theme.h"
#include "views/common/widgets/plaintext.h"
#include "views/conventions/usemenu.h"

#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>

namespace views {

PlacePicker::PlacePicker(const Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_filter(new QLineEdit(this))
    , m_table(new DataTable(theme, -1, this))
    , m_button(new QPushButton(tr("Use this field"), this))
    , m_menu(new QMenu(this))
{
    constexpr int placeWidth = 190;
    m_filter->setObjectName(QStringLiteral("placeFilter"));
    m_filter->setPlaceholderText(tr("Search fields"));
    m_filter->setAccessibleName(tr("Search the fields of the message"));
    m_filter->setClearButtonEnabled(true);
    m_table->setObjectName(QStringLiteral("placeTable"));
    m_table->setAccessibleName(tr("Fields of the message"));
    m_table->setModel(&m_places);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setWidths({placeWidth, 0}, models::MessagePlaces::Value);
    m_table->fitColumn(models::MessagePlaces::Where);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_button->setObjectName(QStringLiteral("placeUse"));
    m_button->setProperty("popup", true);
    m_button->setMenu(m_menu);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(m_filter);
    column->addWidget(m_table, 1);
    column->addWidget(m_button, 0, Qt::AlignLeft);
    connect(m_filter, &QLineEdit::textChanged, &m_places, &models::MessagePlaces::setFilter);
    connect(m_menu, &QMenu::aboutToShow, this, &PlacePicker::fillMenu);
    connect(m_table, &DataTable::rowSelectionChanged, this, &PlacePicker::update);
    connect(m_table, &DataTable::opened, this, [this](const QModelIndex &index) {
        popUp(m_table->viewport()->mapToGlobal(m_table->visualRect(index).bottomLeft()));
    });
    connect(m_table, &QWidget::customContextMenuRequested, this,
            [this](const QPoint &place) { popUp(m_table->viewport()->mapToGlobal(place)); });
    update();
}

void PlacePicker::show(const records::Envelope &envelope)
{
    m_places.show(envelope);
    update();
}

void PlacePicker::choose(const records::MessagePlace &place)
{
    if (m_places.hasFields(place))
        m_filter->setText(models::textOf(place).trimmed());
    else
        m_filter->clear();
    const int row = m_places.rowOfPlace(place);
    if (row >= 0) {
        m_table->selectRow(row);
        m_table->scrollTo(m_places.index(row, 0));
    }
    m_table->setFocus();
}

void PlacePicker::fillMenu()
{
    m_menu->clear();
    const QModelIndex chosen = m_table->chosenRow();
    if (!chosen.isValid())
        return;
    const records::MessagePlace place = m_places.rows().at(chosen.row()).place;
    addUses(*m_menu, place, [this, place](models::PlaceUse use) { Q_EMIT said(use, place); });
}

void PlacePicker::popUp(const QPoint &onScreen)
{
    if (m_button->isEnabled())
        m_menu->popup(onScreen);
}

void PlacePicker::update()
{
    const bool isChosen = m_table->selectedCount() > 0;
    m_button->setEnabled(isChosen);
    m_button->setToolTip(plainToolTip(isChosen ? QString() : tr("Select a field of the message first.")));
}

} // namespace views

#include "moc_placepicker.cpp"
