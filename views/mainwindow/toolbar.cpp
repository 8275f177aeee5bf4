#include "views/mainwindow/toolbar.h"

#include "models/common/visibletext.h"
#include "views/common/filterrow.h"

#include <QActionGroup>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>

namespace views {

namespace {

QString words(models::TimeRange range)
{
    switch (range) {
    case models::TimeRange::LastHour:
        return ToolBar::tr("Last 1 h");
    case models::TimeRange::LastDay:
        return ToolBar::tr("Last 24 h");
    case models::TimeRange::LastWeek:
        return ToolBar::tr("Last 7 d");
    case models::TimeRange::All:
        return ToolBar::tr("All times");
    }
    Q_UNREACHABLE();
}

QToolButton *popupButton(const QString &objectName)
{
    auto *button = new QToolButton;
    button->setObjectName(QStringLiteral("toolButton"));
    button->setProperty("popup", true);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    button->setMenu(new QMenu(button));
    button->menu()->setObjectName(objectName);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

} // namespace

ToolBar::ToolBar(const Console &console, Actions &actions, QWidget *parent)
    : QToolBar(tr("Tool bar"), parent)
    , m_console(console)
    , m_actions(actions)
    , m_search(new QLineEdit)
    , m_range(popupButton(QStringLiteral("rangeMenu")))
    , m_zone(popupButton(QStringLiteral("zoneMenu")))
{
    constexpr int height = 40;
    setObjectName(QStringLiteral("toolBar"));
    setMovable(false);
    setFloatable(false);
    setContextMenuPolicy(Qt::PreventContextMenu);
    setFixedHeight(height);
    makeButtons();
    auto *space = new QWidget;
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    addWidget(space);
    makeSearch();
    makeRange();
    connect(&console.selection, &models::SharedSelection::changed, this, &ToolBar::updateRetry);
    connect(m_actions.get(ActionId::RetrySelected), &QAction::changed, this, &ToolBar::updateRetry);
    updateRetry();
}

QPushButton *ToolBar::buttonFor(ActionId id, const QString &objectName)
{
    QAction *action = m_actions.get(id);
    auto *button = new QPushButton(action->icon(), action->text());
    button->setObjectName(objectName);
    connect(button, &QPushButton::clicked, action, &QAction::trigger);
    const auto mirror = [button, action] {
        button->setText(action->text());
        button->setIcon(action->icon());
        button->setEnabled(action->isEnabled());
        button->setToolTip(plainToolTip(Actions::tipOf(action)));
    };
    connect(action, &QAction::changed, button, mirror);
    mirror();
    addWidget(button);
    return button;
}

void ToolBar::makeButtons()
{
    QAction *retry = m_actions.get(ActionId::RetrySelected);
    m_retry = new QPushButton(m_console.theme.icon(QStringLiteral("retry"), Token::ButtonText), retry->text());
    m_retry->setObjectName(QStringLiteral("retrySelected"));
    m_retry->setProperty("primary", true);
    connect(m_retry, &QPushButton::clicked, retry, &QAction::trigger);
    addWidget(m_retry);
    m_archive = buttonFor(ActionId::Archive, QStringLiteral("archiveSelected"));
    m_pause = buttonFor(ActionId::PauseAll, QStringLiteral("pauseAll"));
}

void ToolBar::makeSearch()
{
    constexpr int width = 310;
    m_search->setObjectName(QStringLiteral("search"));
    m_search->setAccessibleName(tr("Search all messages"));
    m_search->setPlaceholderText(tr("Search exception, headers, body, id…"));
    const QString keys = m_actions.get(ActionId::FocusSearch)->shortcut().toString(QKeySequence::NativeText);
    m_search->setToolTip(
        plainToolTip(tr("Search all messages (%1)").arg(keys) + QLatin1Char('\n') + FilterRow::searchTip()));
    m_search->setClearButtonEnabled(true);
    m_search->addAction(m_console.theme.icon(QStringLiteral("search"), Token::Muted), QLineEdit::LeadingPosition);
    m_search->setMinimumWidth(160);
    m_search->setMaximumWidth(width);
    m_search->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    addWidget(m_search);
    connect(m_search, &QLineEdit::returnPressed, this, [this] {
        m_console.filter.setSearch(m_search->text().trimmed());
        Q_EMIT searched();
    });
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString &text) {
        if (text.isEmpty())
            m_console.filter.setSearch({});
    });
    connect(&m_console.filter, &models::ConsoleFilter::searchChanged, this, [this] {
        if (m_search->text().trimmed() != m_console.filter.search())
            m_search->setText(m_console.filter.search());
    });
}

void ToolBar::makeRange()
{
    auto *group = new QActionGroup(this);
    using models::TimeRange;
    for (const TimeRange range : {TimeRange::LastHour, TimeRange::LastDay, TimeRange::LastWeek, TimeRange::All}) {
        QAction *entry = m_range->menu()->addAction(words(range));
        entry->setCheckable(true);
        entry->setChecked(range == m_console.filter.range());
        group->addAction(entry);
        connect(entry, &QAction::triggered, this, [this, range] {
            m_console.filter.setRange(range);
            Q_EMIT rangeChosen(range);
        });
    }
    const auto showRange = [this] { m_range->setText(words(m_console.filter.range())); };
    connect(&m_console.filter, &models::ConsoleFilter::rangeChanged, m_range, showRange);
    showRange();
    m_range->setAccessibleName(tr("Time range of failures"));
    addWidget(m_range);

    m_zone->menu()->addAction(m_actions.get(ActionId::TimesUtc));
    m_zone->menu()->addAction(m_actions.get(ActionId::TimesLocal));
    const auto showZone = [this] {
        m_zone->setText(m_console.filter.zone() == models::TimeZone::Utc ? QStringLiteral("UTC") : tr("Local"));
    };
    connect(&m_console.filter, &models::ConsoleFilter::zoneChanged, m_zone, showZone);
    showZone();
    m_zone->setAccessibleName(tr("Zone of all times"));
    addWidget(m_zone);
}

void ToolBar::focusSearch()
{
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

void ToolBar::setRangeUsed(bool used)
{
    m_range->setEnabled(used);
    m_range->setToolTip(used ? tr("Only messages that failed in this time")
                             : tr("Groups count all times. The range narrows the Messages page."));
}

void ToolBar::updateRetry()
{
    const QAction *action = m_actions.get(ActionId::RetrySelected);
    const models::ActionScope &scope = m_console.selection.scope();
    QString text = action->text();
    if (!scope.isEmpty()) {
        const QString count = models::formatNumber(scope.count);
        text += QStringLiteral("  ") + (scope.groups > 0 ? scope.words + QStringLiteral(" · ") + count : count);
    }
    m_retry->setText(withoutMnemonics(text));
    m_retry->setEnabled(action->isEnabled());
    m_retry->setToolTip(plainToolTip(Actions::tipOf(action)));
    m_retry->setAccessibleName(text);
}

} // namespace views
