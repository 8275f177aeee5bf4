#include "views/mainwindow/toolbar.h"

#include "models/common/text.h"
#include "views/common/lists/filterrow.h"

#include <QActionGroup>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>

namespace views {

namespace {

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
    dressExtension();
    connect(&console.selection, &models::SharedSelection::changed, this, &ToolBar::updateScoped);
    for (const ActionId id : {ActionId::RetrySelected, ActionId::Archive})
        connect(m_actions.get(id), &QAction::changed, this, &ToolBar::updateScoped);
    updateScoped();
}

// What has no room is behind a button of Qt, whose own picture is black in the dark theme, too.
void ToolBar::dressExtension()
{
    auto *extension = findChild<QToolButton *>(QStringLiteral("qt_toolbar_ext_button"));
    if (extension == nullptr)
        return;
    extension->setIcon(m_console.theme.icon(QStringLiteral("chevron-right")));
    extension->setToolTip(tr("More"));
    extension->setAccessibleName(tr("More"));
}

QPushButton *ToolBar::buttonFor(ActionId id, const QString &objectName)
{
    const QAction *action = m_actions.get(id);
    auto *button = new QPushButton(action->icon(), action->text());
    button->setObjectName(objectName);
    button->setFocusPolicy(Qt::TabFocus); // so that a click leaves the keyboard focus in the list
    connect(button, &QPushButton::clicked, action, &QAction::trigger);
    addWidget(button);
    return button;
}

void ToolBar::mirror(QPushButton *button, const QAction *action, const QString &text)
{
    if (!action->isEnabled() && button->hasFocus())
        Q_EMIT keysLeft();
    button->setText(withoutMnemonics(text));
    button->setEnabled(action->isEnabled());
    button->setToolTip(plainToolTip(Actions::tipOf(action)));
    button->setAccessibleName(text);
}

void ToolBar::makeButtons()
{
    m_retry = buttonFor(ActionId::RetrySelected, QStringLiteral("retrySelected"));
    m_retry->setIcon(m_console.theme.icon(QStringLiteral("retry"), Token::ButtonText));
    m_retry->setProperty("primary", true);
    m_archive = buttonFor(ActionId::Archive, QStringLiteral("archiveSelected"));
    QPushButton *pause = buttonFor(ActionId::PauseAll, QStringLiteral("pauseAll"));
    const auto mirrorPause = [this, pause, action = m_actions.get(ActionId::PauseAll)] {
        pause->setIcon(action->icon());
        mirror(pause, action, action->text());
    };
    connect(m_actions.get(ActionId::PauseAll), &QAction::changed, pause, mirrorPause);
    mirrorPause();
}

void ToolBar::makeSearch()
{
    constexpr int width = 310;
    m_search->setObjectName(QStringLiteral("search"));
    m_search->setAccessibleName(tr("Search all messages"));
    m_search->setPlaceholderText(tr("Search exception, headers, body, ID…"));
    const QString keys = m_actions.get(ActionId::FocusSearch)->shortcut().toString(QKeySequence::NativeText);
    m_search->setToolTip(
        plainToolTip(tr("Search all messages (%1)").arg(keys) + QLatin1Char('\n') + FilterRow::searchTip()));
    m_search->setClearButtonEnabled(true);
    QAction *sign =
        m_search->addAction(m_console.theme.icon(QStringLiteral("search"), Token::Muted), QLineEdit::LeadingPosition);
    sign->setText(m_search->accessibleName()); // else screen readers call the icon "Clear"
    m_search->setMinimumWidth(160);
    m_search->setMaximumWidth(width);
    m_search->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    addWidget(m_search);
    connect(m_search, &QLineEdit::returnPressed, this, [this] {
        Q_EMIT searchWanted();
        m_console.filter.setSearch(m_search->text().trimmed());
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
        QAction *entry = m_range->menu()->addAction(models::textOf(range));
        entry->setCheckable(true);
        entry->setChecked(range == m_console.filter.range());
        group->addAction(entry);
        connect(&m_console.filter, &models::ConsoleFilter::rangeChanged, entry,
                [this, entry, range] { entry->setChecked(range == m_console.filter.range()); });
        connect(entry, &QAction::triggered, this, [this, range] {
            m_console.filter.setRange(range);
            Q_EMIT rangeChosen(range);
        });
    }
    const auto showRange = [this] { m_range->setText(models::textOf(m_console.filter.range())); };
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
    m_zone->setAccessibleName(tr("Time zone"));
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
    m_range->setToolTip(used ? tr("Show only messages that failed in this time")
                             : tr("The time range applies to the Messages page. Groups count all times."));
}

void ToolBar::updateScoped()
{
    const models::ActionScope &scope = m_console.selection.scope();
    const QString what = scope.isEmpty() ? QString() : QStringLiteral("  ") + models::scopeText(scope);
    const std::pair<QPushButton *, ActionId> buttons[] = {{m_retry, ActionId::RetrySelected},
                                                          {m_archive, ActionId::Archive}};
    for (const auto &[button, id] : buttons)
        mirror(button, m_actions.get(id), m_actions.get(id)->text() + what);
}

} // namespace views

#include "moc_toolbar.cpp"
