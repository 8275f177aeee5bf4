#include "views/common/lists/filterchips.h"

#include "models/common/visibletext.h"

#include <QHBoxLayout>
#include <QToolButton>

namespace views {

QString placeText(const Console &console)
{
    const api::ConnectionView *view = console.session.connection(console.filter.connection());
    if (view == nullptr)
        return {};
    const QString name = models::visibleLine(view->connection.name);
    const QString queue = models::visibleLine(console.filter.queue());
    return queue.isEmpty() ? FilterChips::tr("Connection: %1").arg(name)
                           : FilterChips::tr("Queue: %1 on %2").arg(queue, name);
}

FilterChips::FilterChips(const Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_layout(new QHBoxLayout(this))
{
    setObjectName(QStringLiteral("filterRow"));
    setAttribute(Qt::WA_StyledBackground);
    m_layout->setContentsMargins(8, 4, 8, 4);
    setVisible(false);
}

void FilterChips::show(const QList<Chip> &chips)
{
    constexpr int widest = 420;
    while (QLayoutItem *item = m_layout->takeAt(0)) {
        if (QWidget *widget = item->widget())
            widget->deleteLater();
        delete item;
    }
    for (const Chip &chip : chips) {
        auto *button = new QToolButton;
        button->setObjectName(QStringLiteral("toolButton"));
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setIcon(m_theme.icon(QStringLiteral("close"), Token::Muted));
        button->setText(withoutMnemonics(fontMetrics().elidedText(chip.text, Qt::ElideMiddle, widest)));
        button->setToolTip(plainToolTip(tr("Remove filter: %1").arg(chip.text)));
        button->setAccessibleName(tr("Remove filter: %1").arg(chip.text));
        connect(button, &QToolButton::clicked, this, [this, id = chip.id] { Q_EMIT removed(id); });
        m_layout->addWidget(button);
    }
    m_layout->addStretch(1);
    setVisible(!chips.isEmpty());
}

} // namespace views

#include "moc_filterchips.cpp"
