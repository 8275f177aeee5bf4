#include "views/mainwindow/mainwindow.h"

#include "views/activity/activitypane.h"
#include "views/common/widgets/badge.h"
#include "views/common/widgets/banner.h"
#include "views/detail/detailpane.h"
#include "views/groups/groupspage.h"
#include "views/help/firststeps.h"
#include "views/help/helpkey.h"
#include "views/mainwindow/bannerstack.h"
#include "views/mainwindow/controllers/conventioncontroller.h"
#include "views/mainwindow/controllers/errorqueuecontroller.h"
#include "views/mainwindow/controllers/pipelinecontroller.h"
#include "views/mainwindow/controllers/policycontroller.h"
#include "views/mainwindow/controllers/retrycontroller.h"
#include "views/mainwindow/controllers/transfercontroller.h"
#include "views/mainwindow/controllers/windowcommands.h"
#include "views/mainwindow/detailplace.h"
#include "views/mainwindow/docktitle.h"
#include "views/mainwindow/pagetabs.h"
#include "views/mainwindow/statusline.h"
#include "views/mainwindow/toolbar.h"
#include "views/messages/messagespage.h"
#include "views/queues/queuespane.h"

#include <QCloseEvent>
#include <QDockWidget>
#include <QMenuBar>
#include <QMetaMethod>
#include <QScreen>
#include <QShortcut>
#include <QVBoxLayout>

namespace views {

namespace {

constexpr int leftWidth = 228;
constexpr int rightWidth = 330;
constexpr int bottomHeight = 286;
constexpr int lowBottomHeight = 190;
constexpr int foldedBottomHeight = 150;
constexpr int lowestBottomHeight = 64; // what a retry does in one line
constexpr int lowBelow = 800; // lower windows make board and chart smaller in favour of the lists
constexpr int lowestBelow = 500;
constexpr QSize foldBelow{1000, 600}; // smaller windows have the panes at the bottom as tabs of one
constexpr int narrowBelow = 1280; // narrower windows show the message on a page of its own
const QString layoutKey = QStringLiteral("window");
const QString geometryKey = QStringLiteral("geometry");

int bottomHeightIn(int height, bool folded)
{
    if (height < lowestBelow)
        return lowestBottomHeight;
    if (folded)
        return foldedBottomHeight;
    return height < lowBelow ? lowBottomHeight : bottomHeight;
}

} // namespace

MainWindow::MainWindow(models::ConsoleSession &session, Preferences &preferences, Theme &theme, QWidget *parent)
    : QMainWindow(parent)
    , m_preferences(preferences)
    , m_theme(theme)
    , m_console{session, m_filter, m_selection, m_navigator, theme}
    , m_actions(theme, this)
    , m_toolBar(nullptr)
    , m_status(new StatusLine(m_console))
    , m_trouble(new Banner)
    , m_notice(new Banner(Banner::Kind::Closable))
    , m_firstSteps(new FirstSteps(m_console, preferences,
                                  {m_actions.get(ActionId::AddConnection), m_actions.get(ActionId::TakeNow),
                                   m_actions.get(ActionId::RetrySelected)}))
    , m_help(new HelpKey(this))
    , m_work(new Banner)
    , m_undo(new Banner(Banner::Kind::Closable))
    , m_pageTabs(new PageTabs)
    , m_groups(new GroupsPage(m_console))
    , m_messages(new MessagesPage(m_console, preferences))
    , m_queues(new QueuesPane(m_console))
    , m_detail(new DetailPane(m_console))
    , m_activity(new ActivityPane(m_console))
{
    constexpr QSize firstSize{1440, 900};
    constexpr QSize smallest{640, 400}; // a screen of 1440 x 900 at 200 % has 720 x 450
    setObjectName(QStringLiteral("mainWindow"));
    setWindowTitle(tr("Redrive"));
    setWindowIcon(QIcon(QStringLiteral(":/icons/redrive.svg")));
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    setMinimumSize(smallest);
    resize(firstSize);
    m_filter.setZone(preferences.zone());
    m_filter.setRange(preferences.range());
    m_toolBar = new ToolBar(m_console, m_actions);
    addToolBar(m_toolBar);
    setStatusBar(m_status);
    makePageTabs();
    makeDocks();
    makeMenus();
    new WindowCommands(*this);
    new RetryController(*this);
    new PolicyController(*this);
    new ErrorQueueController(*this);
    new PipelineController(*this);
    new ConventionController(*this);
    new TransferController(*this);
    addPage(m_detailPlace, tr("Message"), ActionId::ShowMessage);
    m_pageTabs->setShown(m_pageTabs->indexOf(m_detailPlace), false);
    restoreLayout();
    connect(&session, &models::ConsoleSession::engineChanged, this, &MainWindow::updateTrouble);
    connect(&session, &models::ConsoleSession::connectionsChanged, this, &MainWindow::updateTrouble);
    connect(m_pageTabs, &PageTabs::currentChanged, this, &MainWindow::pageChanged);
    updateTrouble();
    pageChanged();
    m_groups->setActive(true);
    m_groups->focusList();
}

MainWindow::~MainWindow()
{
    // The contents of the window use its members, so they must be deleted first.
    for (QDockWidget *dock : findChildren<QDockWidget *>()) {
        dock->disconnect(this);
        delete dock;
    }
    delete takeCentralWidget();
}

void MainWindow::makePageTabs()
{
    auto *pageTabs = new QWidget;
    pageTabs->setObjectName(QStringLiteral("centre"));
    auto *layout = new QVBoxLayout(pageTabs);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_pageTabs, 1);
    layout->addWidget(m_firstSteps);
    m_banners = new BannerStack(pageTabs);
    for (Banner *banner : {m_trouble, m_notice, m_work, m_undo}) {
        m_banners->add(banner);
        connect(banner, &Banner::keysLeft, this, &MainWindow::focusPage);
    }
    connect(m_firstSteps, &FirstSteps::keysLeft, this, &MainWindow::focusPage);
    connect(m_toolBar, &ToolBar::keysLeft, this, &MainWindow::focusPage);
    setCentralWidget(pageTabs);
    addPage(m_groups, tr("Failure groups"), ActionId::ShowGroups);
    addPage(m_messages, tr("Messages"), ActionId::ShowMessages);
}

void MainWindow::addPage(Page *page, const QString &name, ActionId action)
{
    m_pageTabs->add(page, name);
    QAction *show = m_actions.get(action);
    show->setVisible(true);
    connect(show, &QAction::triggered, this, [this, page] {
        if (page == m_detailPlace) // a page only in a narrow window
            return m_detailPlace->open();
        showPage(page);
        page->focusList();
    });
}

void MainWindow::markDemo()
{
    auto *badge = new Badge;
    badge->setObjectName(QStringLiteral("demoBadge"));
    badge->setToolTip(tr("Demonstration with its own store and broker"));
    badge->showDemo();
    auto *corner = new QWidget;
    auto *layout = new QHBoxLayout(corner);
    layout->setContentsMargins(0, 0, 10, 0);
    layout->addWidget(badge, 0, Qt::AlignVCenter);
    corner->setMinimumHeight(menuBar()->sizeHint().height()); // aligned at the top, so equal height centres the badge
    menuBar()->setCornerWidget(corner);
    corner->setVisible(true);
}

void MainWindow::fitScreen()
{
    constexpr QSize frame(0, 32); // of the window manager; unknown before the window is shown
    resize(size().boundedTo(screen()->availableSize() - frame));
}

void MainWindow::sayHint(const QString &sentence)
{
    m_notice->show(models::Tone::Normal, sentence);
}

void MainWindow::offerFirstSteps()
{
    m_firstSteps->offer();
}

void MainWindow::addBanner(Banner *banner)
{
    m_banners->add(banner, m_notice);
    connect(banner, &Banner::keysLeft, this, &MainWindow::focusPage);
}

void MainWindow::setPageNote(const Page *page, const QString &note)
{
    m_pageTabs->setNote(m_pageTabs->indexOf(page), note);
}

void MainWindow::setPageShown(const Page *page, bool shown)
{
    m_pageTabs->setShown(m_pageTabs->indexOf(page), shown);
}

void MainWindow::keepGroups(const models::ActionScope &scope, core::OperationId operation)
{
    m_groups->keep(scope, operation);
}

void MainWindow::focusPage()
{
    m_pageTabs->current()->focusList();
}

Page *MainWindow::currentPage() const
{
    return m_pageTabs->current();
}

void MainWindow::showPage(const Page *page)
{
    m_pageTabs->show(m_pageTabs->indexOf(page));
}

void MainWindow::watchDock(QDockWidget *dock, std::function<void(bool)> setActive)
{
    connect(dock, &QDockWidget::visibilityChanged, this,
            [setActive = std::move(setActive)](bool visible) { setActive(visible); });
}

void MainWindow::makeDocks()
{
    setCorner(Qt::TopLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::TopRightCorner, Qt::RightDockWidgetArea);
    setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    m_queuesDock = makeDock(m_theme, QStringLiteral("queuesDock"), tr("Queues"), m_queues, this);
    addDockWidget(Qt::LeftDockWidgetArea, m_queuesDock);
    auto *title = static_cast<DockTitle *>(m_queuesDock->titleBarWidget());
    title->addAction(m_actions.get(ActionId::AddConnection));
    title->addAction(m_actions.get(ActionId::Refresh));
    m_detailDock = makeDock(m_theme, QStringLiteral("detailDock"), tr("Message"), m_detail, this);
    m_detailDock->toggleViewAction()->setText(tr("Message pane")); // "Message" opens it
    addDockWidget(Qt::RightDockWidgetArea, m_detailDock);
    m_detailPlace = new DetailPlace(m_console, *m_pageTabs, m_detail, m_detailDock);
    m_activityDock = makeDock(m_theme, QStringLiteral("activityDock"), tr("Activity"), m_activity, this);
    addDockWidget(Qt::BottomDockWidgetArea, m_activityDock);
    m_activityDock->hide();
    watchDock(m_detailDock, [this](bool visible) { m_detail->setActive(visible); });
    watchDock(m_activityDock, [this](bool visible) { m_activity->setActive(visible); });
    arrange();
}

QDockWidget *MainWindow::addBottomDock(const QString &objectName, const QString &title, QWidget *content)
{
    QDockWidget *dock = makeDock(m_theme, objectName, title, content, this);
    if (m_bottomDocks.isEmpty())
        addDockWidget(Qt::BottomDockWidgetArea, dock);
    else
        splitDockWidget(m_bottomDocks.last(), dock, Qt::Horizontal);
    m_bottomDocks.append(dock);
    arrange();
    return dock;
}

void MainWindow::arrange()
{
    resizeDocks({m_queuesDock, m_detailDock}, {leftWidth, rightWidth}, Qt::Horizontal);
    if (m_bottomDocks.isEmpty())
        return;
    fitHeight();
    QList<int> widths;
    for (qsizetype i = 0; i < m_bottomDocks.size(); ++i)
        widths.append(i == 0 ? 660 : 780);
    resizeDocks(m_bottomDocks, widths, Qt::Horizontal);
}

void MainWindow::fitHeight()
{
    m_bottomHeight = bottomHeightIn(height(), m_folded);
    resizeDocks({m_bottomDocks.first()}, {m_bottomHeight}, Qt::Vertical);
}

// Panes that a person has undocked stay as they are.
void MainWindow::tabifyBottom()
{
    QDockWidget *first = m_bottomDocks.first();
    for (QDockWidget *dock : std::as_const(m_bottomDocks)) {
        if (dock != first && !dock->isFloating() && !first->isFloating())
            tabifyDockWidget(first, dock);
    }
    first->raise();
}

void MainWindow::setFolded(bool folded)
{
    if (m_folded == folded)
        return;
    m_folded = folded;
    if (folded) {
        m_unfolded = saveState();
        tabifyBottom();
    } else {
        restoreState(m_unfolded);
    }
    fitHeight();
}

void MainWindow::resetLayout()
{
    restoreState(m_firstLayout);
    if (m_folded)
        tabifyBottom();
    fitHeight();
}

void MainWindow::restoreLayout()
{
    tabifyDockWidget(m_bottomDocks.last(), m_activityDock);
    m_activityDock->hide();
    arrange();
    m_firstLayout = saveState();
    const QByteArray geometry = m_preferences.state(geometryKey);
    if (!geometry.isEmpty())
        restoreGeometry(geometry);
    const QByteArray layout = m_preferences.state(layoutKey);
    if (!layout.isEmpty())
        restoreState(layout);
    // The View menu gets the entries of the docks here, because only now all docks exist.
    if (auto *menu = menuBar()->findChild<QMenu *>(QStringLiteral("viewMenu"))) {
        connect(m_activityDock->toggleViewAction(), &QAction::triggered, m_activityDock,
                &QWidget::raise); // it is a tab
        menu->insertActions(m_actions.get(ActionId::ThemeSystem), paneActions());
        menu->insertSeparator(m_actions.get(ActionId::ThemeSystem));
    }
}

QList<QAction *> MainWindow::paneActions() const
{
    QList<QAction *> actions;
    const QList<QDockWidget *> docks = findChildren<QDockWidget *>();
    for (const QDockWidget *dock : docks)
        actions.append(dock->toggleViewAction());
    return actions;
}

void MainWindow::updateTrouble()
{
    const models::Trouble trouble = models::troubleOf(m_console.session.snapshot());
    if (trouble.text.isEmpty()) {
        m_trouble->dismiss();
        return;
    }
    m_trouble->show(trouble.tone, trouble.text, {trouble.remedyText, [this, trouble] { remedy(trouble); }});
}

void MainWindow::remedy(const models::Trouble &trouble)
{
    using Remedy = models::Trouble::Remedy;
    switch (trouble.remedy) {
    case Remedy::None:
        break;
    case Remedy::ResumeAll:
        m_console.session.pauseAll(false);
        break;
    case Remedy::OpenConnection:
        Q_EMIT m_navigator.connectionRequested(trouble.connection);
        break;
    case Remedy::AskAgain:
        m_console.session.refreshQueues();
        break;
    case Remedy::ReopenStore:
        Q_EMIT reopenRequested();
        break;
    }
}

void MainWindow::pageChanged()
{
    Page *page = m_pageTabs->current();
    if (page != m_detailPlace && m_lastList != page) {
        if (m_lastList != nullptr)
            m_lastList->leave();
        m_lastList = page;
    }
    m_toolBar->setRangeUsed(page != nullptr && page->usesTimeRange());
    m_selection.set(page != nullptr ? page->scope() : models::ActionScope{});
}

void MainWindow::resizeEvent(QResizeEvent *event)
{
    QMainWindow::resizeEvent(event);
    const bool isSmall = event->size().width() < foldBelow.width() || event->size().height() < foldBelow.height();
    if (!isSmall)
        setFolded(false); // before the message pane comes back, of which that layout does not know
    m_narrow = event->size().width() < narrowBelow;
    m_detailPlace->setNarrow(m_narrow);
    if (isSmall)
        setFolded(true);
    if (m_bottomHeight != bottomHeightIn(event->size().height(), m_folded)) // else the height that a person chose stays
        fitHeight();
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    m_preferences.setState(geometryKey, saveGeometry());
    if (!m_narrow && !m_folded) // only the layout of a large window is remembered
        m_preferences.setState(layoutKey, saveState());
    if (isSignalConnected(QMetaMethod::fromSignal(&MainWindow::closeRequested))) {
        event->ignore();
        Q_EMIT closeRequested();
        return;
    }
    QMainWindow::closeEvent(event);
}

// ---- the menu bar, from the table of actions ----

void MainWindow::makeMenus()
{
    const std::pair<MenuId, QString> menus[] = {
        {MenuId::Console, tr("&Console")},   {MenuId::View, tr("&View")},   {MenuId::Connection, tr("C&onnection")},
        {MenuId::Messages, tr("&Messages")}, {MenuId::Retry, tr("&Retry")}, {MenuId::Help, tr("&Help")},
    };
    for (const auto &[id, name] : menus) {
        QMenu *menu = menuBar()->addMenu(name);
        menu->setToolTipsVisible(true);
        if (id == MenuId::View)
            menu->setObjectName(QStringLiteral("viewMenu"));
        menu->addActions(m_actions.of(id));
    }
    for (const ActionId first :
         {ActionId::BackUpStore, ActionId::FocusFilter, ActionId::ThemeSystem, ActionId::TimesUtc,
          ActionId::ResetLayout, ActionId::AddPipeline, ActionId::TakeNow, ActionId::ShowEverywhere, ActionId::Archive,
          ActionId::TakeBack, ActionId::ExportMessages, ActionId::AssignPolicy, ActionId::PauseAll, ActionId::About,
          ActionId::Conventions, ActionId::Quit}) {
        for (QMenu *menu : menuBar()->findChildren<QMenu *>()) {
            if (menu->actions().contains(m_actions.get(first)))
                menu->insertSeparator(m_actions.get(first));
        }
    }
    addActions(m_actions.all()); // so that shortcuts work while the menu bar is hidden
    auto *open = new QShortcut(QKeySequence(Qt::Key_F10), this);
    connect(open, &QShortcut::activated, this,
            [this] { menuBar()->setActiveAction(menuBar()->actions().constFirst()); });
}

} // namespace views

#include "moc_mainwindow.cpp"
