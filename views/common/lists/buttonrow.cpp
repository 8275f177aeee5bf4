#include "views/common/lists/buttonrow.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>

#include <algorithm>
#include <utility>

namespace views {

ButtonRow::ButtonRow(QWidget *parent)
    : QWidget(parent)
    , m_layout(new QHBoxLayout(this))
    , m_more(new QPushButton(tr("More")))
    , m_menu(new QMenu(m_more))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(7);
    m_more->setObjectName(QStringLiteral("moreButtons"));
    m_more->setToolTip(tr("Show the buttons that have no room"));
    m_more->setProperty("popup", true);
    m_more->setMenu(m_menu);
    m_more->setVisible(false);
    m_menu->setToolTipsVisible(true);
    m_layout->addWidget(m_more);
    m_layout->addStretch(1);
    connect(m_menu, &QMenu::aboutToShow, this, &ButtonRow::fillMenu);
}

void ButtonRow::add(QPushButton *button)
{
    m_layout->insertWidget(int(m_buttons.size()), button);
    m_buttons.append(button);
}

void ButtonRow::setOffered(QPushButton *button, bool offered)
{
    if (offered == !m_withheld.contains(button))
        return;
    if (offered)
        m_withheld.remove(button);
    else
        m_withheld.insert(button);
    fold();
    updateGeometry();
}

QList<QPushButton *> ButtonRow::offered() const
{
    QList<QPushButton *> buttons = m_buttons;
    buttons.removeIf([this](QPushButton *one) { return m_withheld.contains(one); });
    return buttons;
}

int ButtonRow::widthWith(const QPushButton *button) const
{
    return m_layout->spacing() + button->sizeHint().width();
}

QSize ButtonRow::sizeHint() const
{
    int width = 0;
    for (const QPushButton *button : offered())
        width += widthWith(button);
    return {width, m_layout->sizeHint().height()};
}

QSize ButtonRow::minimumSizeHint() const
{
    const QList<QPushButton *> buttons = offered();
    const int first = buttons.isEmpty() ? 0 : widthWith(buttons.first());
    return {std::min(sizeHint().width(), first + widthWith(m_more)), m_layout->minimumSize().height()};
}

bool ButtonRow::event(QEvent *event)
{
    if (event->type() == QEvent::LayoutRequest) // a button has another text
        fold();
    return QWidget::event(event);
}

void ButtonRow::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fold();
}

void ButtonRow::fold()
{
    const bool all = sizeHint().width() <= width();
    int room = width() - (all ? 0 : widthWith(m_more));
    bool fits = true; // the order stays: after the first one without room come only entries of the menu
    for (QPushButton *button : std::as_const(m_buttons)) {
        const bool here = !m_withheld.contains(button);
        if (here)
            room -= widthWith(button);
        fits = fits && (!here || room >= 0);
        button->setVisible(here && fits);
    }
    m_more->setVisible(!all);
}

void ButtonRow::fillMenu()
{
    m_menu->clear();
    for (QPushButton *button : offered()) {
        if (!button->isHidden())
            continue;
        QAction *entry = m_menu->addAction(button->icon(), button->text());
        entry->setEnabled(button->isEnabled());
        entry->setToolTip(button->toolTip());
        connect(entry, &QAction::triggered, button, &QPushButton::click);
    }
}

} // namespace views

#include "moc_buttonrow.cpp"
