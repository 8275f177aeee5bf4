#include "views/detail/factsgrid.h"

#include "views/common/theme/theme.h"

#include <QGridLayout>

namespace views {

FactLabel::FactLabel()
{
    setWordWrap(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void FactLabel::setFact(const QString &text)
{
    m_fact = text;
    fit();
}

void FactLabel::resizeEvent(QResizeEvent *event)
{
    PlainLabel::resizeEvent(event);
    fit();
}

void FactLabel::fit()
{
    QStringList words = m_fact.split(QLatin1Char(' '));
    for (QString &word : words)
        word = fontMetrics().elidedText(word, Qt::ElideMiddle, contentsRect().width());
    const QString shown = words.join(QLatin1Char(' '));
    if (shown == text())
        return;
    setText(shown);
    setToolTip(shown == m_fact ? QString() : plainToolTip(m_fact));
}

FactsGrid::FactsGrid(QWidget *parent)
    : QWidget(parent)
    , m_layout(new QGridLayout(this)) // a form layout would keep the heights of earlier texts
{
    constexpr int side = 10;
    m_layout->setContentsMargins(side, 8, side, 8);
    m_layout->setHorizontalSpacing(12);
    m_layout->setVerticalSpacing(4);
    m_layout->setColumnStretch(1, 1);
}

FactLabel *FactsGrid::add(const QString &name, bool mono)
{
    constexpr int nameWidth = 72;
    auto *label = new PlainLabel(name);
    label->setObjectName(QStringLiteral("muted"));
    label->setFixedWidth(nameWidth);
    label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    auto *value = new FactLabel;
    value->setAccessibleName(name);
    if (mono)
        value->setFont(Theme::monoFont());
    const int row = m_layout->count() == 0 ? 0 : m_layout->rowCount();
    m_layout->addWidget(label, row, 0, Qt::AlignTop);
    m_layout->addWidget(value, row, 1);
    return value;
}

} // namespace views

#include "moc_factsgrid.cpp"
