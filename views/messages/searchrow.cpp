#include "views/messages/searchrow.h"

#include "models/common/formatters.h"
#include "models/common/text.h"
#include "views/common/widgets/elidedlabel.h"
#include "views/common/widgets/plaintext.h"

#include <QHBoxLayout>
#include <QToolButton>

namespace views {

SearchRow::SearchRow(const models::OtherMatches &other, QWidget *parent)
    : QWidget(parent)
    , m_other(other)
    , m_buttons(new QWidget)
    , m_layout(new QHBoxLayout(m_buttons))
{
    setObjectName(QStringLiteral("filterRow"));
    setAttribute(Qt::WA_StyledBackground);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 4, 8, 4);
    m_layout->setContentsMargins(0, 0, 0, 0);
    auto *rule = new ElidedLabel;
    rule->setObjectName(QStringLiteral("muted"));
    rule->setText(tr("In headers and bodies the search finds whole words, and the beginning of the last word."));
    layout->addWidget(m_buttons);
    layout->addWidget(rule, 1);
    connect(&other, &models::OtherMatches::changed, this, &SearchRow::showFound);
    showFound();
}

void SearchRow::showFound()
{
    while (QLayoutItem *item = m_layout->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
    for (const api::StatusCount &match : m_other.found().counts)
        addButton(match);
    m_buttons->setVisible(!m_other.found().counts.isEmpty());
    setVisible(m_other.isSearch());
}

void SearchRow::addButton(const api::StatusCount &match)
{
    const QString count = models::formatNumber(match.count);
    const QString status = models::textOf(match.status);
    auto *button = new QToolButton;
    button->setObjectName(QStringLiteral("toolButton"));
    button->setText(m_other.found().atLeast
                        ? tr("Show at least %1 matches: %2", nullptr, int(match.count)).arg(count, status)
                        : tr("Show %1 matches: %2", nullptr, int(match.count)).arg(count, status));
    button->setToolTip(plainToolTip(tr("Show messages with the status %1").arg(status)));
    connect(button, &QToolButton::clicked, this, [this, status = match.status] { Q_EMIT statusChosen(status); });
    m_layout->addWidget(button);
}

} // namespace views

#include "moc_searchrow.cpp"
