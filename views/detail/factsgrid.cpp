#include "views/detail/factsgrid.h"

#include "views/common/theme.h"

#include <QFormLayout>

namespace views {

FactsGrid::FactsGrid(QWidget *parent)
    : QWidget(parent)
    , m_layout(new QFormLayout(this))
{
    constexpr int side = 10;
    m_layout->setContentsMargins(side, 8, side, 8);
    m_layout->setHorizontalSpacing(12);
    m_layout->setVerticalSpacing(4);
    m_layout->setLabelAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_layout->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_layout->setRowWrapPolicy(QFormLayout::DontWrapRows);
}

PlainLabel *FactsGrid::add(const QString &name, bool mono)
{
    constexpr int nameWidth = 72;
    auto *label = new PlainLabel(name);
    label->setObjectName(QStringLiteral("muted"));
    label->setFixedWidth(nameWidth);
    label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    label->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    auto *value = new PlainLabel;
    value->setAccessibleName(name);
    value->setWordWrap(true);
    value->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    value->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    if (mono)
        value->setFont(Theme::monoFont());
    m_layout->addRow(label, value);
    return value;
}

} // namespace views
