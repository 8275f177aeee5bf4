#include "views/queues/queuespane.h"

#include "backend/records/address/connectionurl.h"
#include "models/common/visibletext.h"
#include "views/common/lists/emptystate.h"
#include "views/common/widgets/plaintext.h"
#include "views/common/widgets/question.h"
#include "views/connections/errorqueuesdialog.h"
#include "views/policies/policymenu.h"
#include "views/queues/browsequestion.h"
#include "views/queues/expirydialog.h"
#include "views/queues/movedialog.h"
#include "views/queues/queuedelegate.h"
#include "views/queues/redirectsdialog.h"
#include "views/queues/stepquestion.h"
#include "views/queues/takequestion.h"

#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTreeView>
#include <QVBoxLayout>

namespace views {

QueuesPane::QueuesPane(const Console &console, QWidget *parent)
    : QWidget(parent)
    , m_console(console)
    , m_model(console.session)
    , m_box(new QLineEdit)
    , m_tree(new QTreeView)
    , m_list(new ListOrState(m_tree))
{
    setObjectName(QStringLiteral("queuesPane"));
    setMinimumWidth(210);
    m_box->setObjectName(QStringLiteral("queueFilter"));
    m_box->setPlaceholderText(tr("Filter queues"));
    m_box->setAccessibleName(tr("Filter queues"));
    m_box->setClearButtonEnabled(true);
    auto *row = new QWidget;
    row->setObjectName(QStringLiteral("filterRow"));
    auto *rowLayout = new QHBoxLayout(row);
    rowLayout->setContentsMargins(8, 5, 8, 5);
    rowLayout->addWidget(m_box);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(row);
    layout->addWidget(makeLegend());
    layout->addWidget(m_list, 1);
    makeTree();
    connect(m_box, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_model.setFilter(text);
        m_tree->expandAll();
    });
    connect(m_list, &ListOrState::actionRequested, this,
            [this] { Q_EMIT m_console.navigator.connectionRequested({}); });
    connect(&m_console.session, &models::ConsoleSession::connectionsChanged, this, &QueuesPane::updateState);
    connect(&m_console.navigator, &Navigator::takeRequested, this, &QueuesPane::take);
    updateState();
}

// What the two numbers beside a queue are.
QWidget *QueuesPane::makeLegend()
{
    m_legend = new PlainLabel(tr("in the queue | unresolved here"), this);
    m_legend->setObjectName(QStringLiteral("queueLegend"));
    m_legend->setToolTip(
        plainToolTip(tr("Left: the messages in the queue on the broker. Right: the unresolved messages that "
                        "Redrive took from it, or copied while it browsed.")));
    m_legend->setProperty("tone", QStringLiteral("muted"));
    m_legend->setAlignment(Qt::AlignRight);
    m_legend->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // it makes no pane wider
    m_legend->setContentsMargins(8, 0, 8, 3);
    return m_legend;
}

void QueuesPane::makeTree()
{
    m_tree->setObjectName(QStringLiteral("queueTree"));
    m_tree->setAccessibleName(tr("Connections and queues"));
    // Connected before the tree, which then selects another row by itself: that is not a choice of the user.
    connect(&m_model, &QAbstractItemModel::rowsAboutToBeRemoved, this, [this] { m_rowsGo = true; });
    m_tree->setModel(&m_model);
    m_tree->setItemDelegate(new QueueDelegate(m_console.theme, m_tree));
    m_tree->setHeaderHidden(true);
    m_tree->setRootIsDecorated(false);
    m_tree->setIndentation(0);
    m_tree->setUniformRowHeights(false);
    m_tree->setMouseTracking(true);
    m_tree->setExpandsOnDoubleClick(false);
    m_tree->setContextMenuPolicy(Qt::CustomContextMenu);
    m_tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_tree->expandAll();
    connect(&m_model, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex &parent, int first, int last) {
        if (!parent.isValid()) {
            for (int row = first; row <= last; ++row)
                m_tree->expand(m_model.index(row, 0));
        } else if (m_model.rowCount(parent) == last - first + 1) {
            m_tree->expand(parent);
        }
        showPlace();
        updateState();
    });
    connect(&m_model, &QAbstractItemModel::rowsRemoved, this, [this] {
        m_rowsGo = false;
        showPlace();
        updateState();
    });
    m_layout.setSingleShot(true);
    m_layout.setInterval(std::chrono::milliseconds{0});
    connect(&m_layout, &QTimer::timeout, m_tree, [this] { m_tree->doItemsLayout(); });
    connect(&m_model, &QAbstractItemModel::dataChanged, this, &QueuesPane::heightMayChange);
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this, &QueuesPane::currentChanged);
    // The place follows the highlight, whether a mouse button or a key moved it.
    connect(m_tree->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        const QModelIndexList chosen = m_tree->selectionModel()->selectedIndexes();
        if (!m_rowsGo && !chosen.isEmpty())
            placeChosen(chosen.constFirst());
    });
    connect(m_tree, &QTreeView::activated, this, &QueuesPane::placeChosen);
    connect(m_tree, &QWidget::customContextMenuRequested, this, &QueuesPane::showMenu);
    connect(&m_console.theme, &Theme::changed, m_tree->viewport(), qOverload<>(&QWidget::update));
    connect(&m_console.filter, &models::ConsoleFilter::placeChanged, this, &QueuesPane::showPlace);
}

void QueuesPane::showPlace()
{
    const models::ConsoleFilter &filter = m_console.filter;
    const QModelIndex place = m_model.indexOf(filter.connection(), filter.queue());
    if (!place.isValid())
        m_tree->selectionModel()->clear(); // so that no command acts on a queue that is not shown as the place
    else if (!m_tree->selectionModel()->isSelected(place))
        m_tree->setCurrentIndex(place);
}

// Only connections change their height: one in trouble has a second line.
void QueuesPane::heightMayChange(const QModelIndex &index)
{
    if (index.data(models::KindRole).toInt() == models::QueueTreeModel::ConnectionRow)
        m_layout.start();
}

void QueuesPane::placeChosen(const QModelIndex &index)
{
    const api::ConnectionView *connection = m_model.connectionAt(index);
    if (connection == nullptr)
        return;
    const api::QueueView *queue = m_model.queueAt(index);
    m_console.filter.setPlace(connection->connection.id, queue != nullptr ? queue->name : QString());
}

core::ConnectionId QueuesPane::currentConnection() const
{
    const api::ConnectionView *view = m_model.connectionAt(m_tree->currentIndex());
    return view != nullptr ? view->connection.id : core::ConnectionId{};
}

QString QueuesPane::currentQueue() const
{
    const api::QueueView *queue = m_model.queueAt(m_tree->currentIndex());
    return queue != nullptr ? queue->name : QString();
}

bool QueuesPane::currentIsSubscribed() const
{
    const api::QueueView *queue = m_model.queueAt(m_tree->currentIndex());
    return queue != nullptr && queue->subscribed;
}

void QueuesPane::focusFilter()
{
    m_box->setFocus(Qt::ShortcutFocusReason);
    m_box->selectAll();
}

void QueuesPane::takeNow()
{
    if (currentConnection().isValid())
        take(currentConnection(), currentQueue());
}

// Null: messages may be taken from it, or it is not on the broker.
const api::QueueView *QueuesPane::unnamed(core::ConnectionId connection, const QString &queue) const
{
    for (const api::QueueView &view : m_console.session.snapshot().queues) {
        if (view.connection == connection && view.name == queue)
            return view.holdsFailed ? nullptr : &view;
    }
    return nullptr;
}

void QueuesPane::take(core::ConnectionId connection, const QString &queue)
{
    const api::QueueView *view = queue.isEmpty() ? nullptr : unnamed(connection, queue);
    const api::ConnectionView *at = m_console.session.connection(connection);
    if (view == nullptr || at == nullptr) {
        TakeQuestion::ask(m_console.session, connection, queue, this);
        return;
    }
    auto *dialog = new ErrorQueuesDialog(ErrorQueuesDialog::About::AddAndTake, at->connection.name,
                                         {{view->name, view->depth, view->facts}}, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ErrorQueuesDialog::chosen, this, [this, connection, queue](const QStringList &names) {
        m_console.session.chooseErrorQueues(connection, names, {}, [this, connection, queue] {
            TakeQuestion::ask(m_console.session, connection, queue, this);
        });
    });
    dialog->open();
}

void QueuesPane::browseNow()
{
    if (currentConnection().isValid())
        browseOrAsk(m_console.session, currentConnection(), currentQueue(), this);
}

void QueuesPane::toggleSubscription()
{
    if (!currentQueue().isEmpty())
        m_console.session.subscribe(currentConnection(), currentQueue(), !currentIsSubscribed());
}

// Not modal, because opening a row shows its message in the window.
void QueuesPane::showExpiry()
{
    if (!currentConnection().isValid())
        return;
    auto *dialog = new ExpiryDialog(m_console, currentConnection(), currentQueue(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
}

// Proposes the selected queue as the source, if one is selected.
void QueuesPane::showRedirects()
{
    if (!currentConnection().isValid())
        return;
    const api::QueueView *queue = m_model.queueAt(m_tree->currentIndex());
    const QString from = queue != nullptr && !queue->holdsFailed ? queue->name : QString();
    auto *dialog = new RedirectsDialog(m_console.session, m_console.theme, currentConnection(), from, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void QueuesPane::showMove()
{
    if (currentQueue().isEmpty())
        return;
    auto *dialog = new MoveDialog(m_console.session, currentConnection(), currentQueue(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void QueuesPane::askToRemove()
{
    const api::ConnectionView *view = m_model.connectionAt(m_tree->currentIndex());
    if (view == nullptr)
        return;
    const core::ConnectionId id = view->connection.id;
    Question question;
    question.name = QStringLiteral("removeConnection");
    question.title = tr("Remove connection");
    question.text = tr("Remove the connection %1?").arg(models::visibleLine(view->connection.name));
    question.consequences =
        tr("Redrive deletes its login and its records of messages that were retried, archived or released. Nothing "
           "changes on the broker.");
    question.action = tr("Remove connection");
    askQuestion(question, this, [this, id] { m_console.session.removeConnection(id); });
}

void QueuesPane::updateState()
{
    m_legend->setVisible(m_model.rowCount() > 0);
    if (m_model.rowCount() > 0)
        m_list->showList();
    else if (!m_console.session.hasSnapshot())
        m_list->showState(tr("Starting…"), {});
    else if (!m_box->text().isEmpty())
        m_list->showState(tr("No queue name contains this text"), {});
    else
        m_list->showState(tr("No connection yet"), tr("Add the broker whose failed messages you want to handle."),
                          tr("Add connection…"));
}

void QueuesPane::showMenu(const QPoint &at)
{
    const QModelIndex index = m_tree->indexAt(at);
    auto *menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("queueMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    const core::ConnectionId id = currentConnection();
    const auto add = [&](const QString &text, const QString &icon, const QString &reason, auto run) {
        QAction *entry = menu->addAction(m_console.theme.icon(icon), text);
        entry->setEnabled(reason.isEmpty());
        entry->setToolTip(plainToolTip(reason));
        connect(entry, &QAction::triggered, this, run);
    };
    const QString noEdit = m_console.session.refusal(models::Verb::EditConnections);
    if (index.isValid()) {
        const QString noTake = m_console.session.refusal(models::Verb::Take, id);
        QString noBrowse = m_console.session.refusal(models::Verb::Browse, id);
        if (noBrowse.isEmpty() && currentIsSubscribed())
            noBrowse = tr("This queue is subscribed: Redrive keeps taking its messages. Unsubscribe first.");
        const bool isUnnamed = !currentQueue().isEmpty() && unnamed(id, currentQueue()) != nullptr;
        const QString notNamed = isUnnamed ? tr("This queue is not an error queue. Add it as one first.") : QString();
        add(currentQueue().isEmpty() ? tr("Take failed messages from all error queues…")
            : isUnnamed              ? tr("Add as an error queue and take…")
                                     : tr("Take failed messages…"),
            QStringLiteral("intake"), noTake.isEmpty() && isUnnamed ? noEdit : noTake, [this] { takeNow(); });
        const auto addStop = [&](const QString &text, const QString &queue) {
            if (m_console.session.isTaking(id, queue))
                add(text, QStringLiteral("stop"), {}, [this, id, queue] { m_console.session.stopTaking(id, queue); });
        };
        if (!currentQueue().isEmpty())
            addStop(tr("Stop taking messages"), currentQueue());
        addStop(tr("Stop taking from all error queues"), {});
        add(currentQueue().isEmpty() ? tr("Browse only (all error queues)") : tr("Browse only"),
            QStringLiteral("search"), noBrowse.isEmpty() ? notNamed : noBrowse, [this] { browseNow(); });
        if (!currentQueue().isEmpty())
            add(currentIsSubscribed() ? tr("Unsubscribe from this queue") : tr("Subscribe to this queue"),
                QStringLiteral("follow"), noTake.isEmpty() && !currentIsSubscribed() ? notNamed : noTake,
                [this] { toggleSubscription(); });
        add(tr("Expiring messages…"), QStringLiteral("clock"), {}, [this] { showExpiry(); });
        const api::QueueView *queue = m_model.queueAt(index);
        const api::ConnectionView *connection = m_model.connectionAt(index);
        if (connection != nullptr && connection->offersSteps)
            add(tr("Take in small steps…"), QStringLiteral("intake"), noEdit,
                [this, id] { askForSteps(m_console.session, id, this); });
        if (connection != nullptr && records::takesInSteps(connection->connection))
            add(tr("Take no longer in small steps"), QStringLiteral("stop"), noEdit,
                [this, id] { m_console.session.takeInSteps(id, false); });
        const bool isMovable =
            queue != nullptr && queue->holdsFailed && connection != nullptr && connection->movesQueues;
        if (isMovable)
            add(tr("Let the broker move all messages…"), QStringLiteral("redirect"),
                m_console.session.refusal(models::Verb::Retry, id), [this] { showMove(); });
        if (queue != nullptr && (queue->holdsFailed || queue->unresolved > 0)) {
            recovery::Scope scope;
            scope.connection = id;
            scope.queue = queue->name;
            addPolicyEntries(*menu, m_console, scope);
        }
        menu->addSeparator();
        add(tr("Redirects…"), QStringLiteral("redirect"), {}, [this] { showRedirects(); });
        add(tr("Edit connection…"), QStringLiteral("edit"), noEdit,
            [this, id] { Q_EMIT m_console.navigator.connectionRequested(id); });
        add(tr("Remove connection…"), QStringLiteral("trash"), noEdit, [this] { askToRemove(); });
    }
    add(tr("Add connection…"), QStringLiteral("plus"), noEdit,
        [this] { Q_EMIT m_console.navigator.connectionRequested({}); });
    menu->popup(m_tree->viewport()->mapToGlobal(at));
}

} // namespace views

#include "moc_queuespane.cpp"
