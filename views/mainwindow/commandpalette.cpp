#include "views/mainwindow/commandpalette.h"

#include "models/common/visibletext.h"
#include "views/common/widgets/plaintext.h"
#include "views/mainwindow/actions.h"

#include <QAction>
#include <QDockWidget>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>

namespace views {

namespace {

enum ItemRole { ActionRole = Qt::UserRole, ConnectionRole, QueueRole };

// The action of a pane has the name of the pane.
QString textOf(const QAction &action)
{
    if (qobject_cast<QDockWidget *>(action.parent()) == nullptr)
        return action.text();
    return (action.isChecked() ? CommandPalette::tr("Hide %1") : CommandPalette::tr("Show %1")).arg(action.text());
}

} // namespace

CommandPalette::CommandPalette(const Console &console, const QList<QAction *> &actions, QWidget *parent)
    : QDialog(parent)
    , m_console(console)
    , m_actions(actions)
    , m_box(new QLineEdit)
    , m_list(new QListWidget)
    , m_none(new PlainLabel(tr("No command and no queue has this text.")))
{
    constexpr QSize size{460, 360};
    setObjectName(QStringLiteral("commandPalette"));
    setWindowTitle(tr("Find a command"));
    setAttribute(Qt::WA_DeleteOnClose);
    setModal(true);
    resize(size);
    m_box->setObjectName(QStringLiteral("paletteBox"));
    m_box->setPlaceholderText(tr("Type a command or a queue"));
    m_box->setAccessibleName(tr("Command or queue"));
    m_box->installEventFilter(this);
    m_list->setObjectName(QStringLiteral("paletteList"));
    m_list->setAccessibleName(tr("Commands"));
    m_list->setUniformItemSizes(true);
    m_none->setObjectName(QStringLiteral("paletteNone"));
    m_none->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    m_none->setProperty("tone", QStringLiteral("muted"));
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(m_box);
    layout->addWidget(m_list);
    layout->addWidget(m_none, 1);
    fill();
    filter({});
    connect(m_box, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(m_box, &QLineEdit::returnPressed, this, &CommandPalette::run);
    connect(m_list, &QListWidget::itemActivated, this, &CommandPalette::run);
}

void CommandPalette::fill()
{
    for (qsizetype i = 0; i < m_actions.size(); ++i) {
        const QAction *action = m_actions.at(i);
        if (!action->isVisible())
            continue;
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        auto *item = new QListWidgetItem(
            action->icon(), keys.isEmpty() ? textOf(*action) : textOf(*action) + QStringLiteral("    ") + keys);
        item->setData(ActionRole, int(i));
        if (!action->isEnabled())
            item->setFlags(item->flags() & ~Qt::ItemIsEnabled);
        item->setToolTip(plainToolTip(Actions::tipOf(action)));
        m_list->addItem(item);
    }
    for (const api::QueueView &queue : m_console.session.snapshot().queues) {
        const api::ConnectionView *view = m_console.session.connection(queue.connection);
        const QString where = view != nullptr ? models::visibleLine(view->connection.name) : QString();
        auto *item = new QListWidgetItem(m_console.theme.icon(QStringLiteral("queue"), Token::Muted),
                                         tr("Queue %1 on %2").arg(models::visibleLine(queue.name), where));
        item->setData(ConnectionRole, queue.connection.value);
        item->setData(QueueRole, queue.name);
        m_list->addItem(item);
    }
}

void CommandPalette::filter(const QString &text)
{
    QListWidgetItem *first = nullptr;
    bool any = false;
    for (int i = 0; i < m_list->count(); ++i) {
        QListWidgetItem *item = m_list->item(i);
        const bool shown = item->text().contains(text.trimmed(), Qt::CaseInsensitive);
        item->setHidden(!shown);
        any = any || shown;
        if (shown && first == nullptr && item->flags().testFlag(Qt::ItemIsEnabled))
            first = item;
    }
    m_list->setCurrentItem(first);
    m_list->setVisible(any);
    m_none->setVisible(!any);
}

void CommandPalette::run()
{
    const QListWidgetItem *item = m_list->currentItem();
    if (item == nullptr || item->isHidden() || !item->flags().testFlag(Qt::ItemIsEnabled))
        return;
    const QVariant action = item->data(ActionRole);
    const core::ConnectionId connection{item->data(ConnectionRole).toLongLong()};
    const QString queue = item->data(QueueRole).toString();
    accept();
    if (action.isValid())
        m_actions.at(action.toInt())->trigger();
    else
        m_console.filter.setPlace(connection, queue);
}

bool CommandPalette::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_box && event->type() == QEvent::KeyPress) {
        auto *key = static_cast<QKeyEvent *>(event);
        if (key->key() != Qt::Key_Up && key->key() != Qt::Key_Down)
            return false;
        const int step = key->key() == Qt::Key_Down ? 1 : -1;
        for (int row = m_list->currentRow() + step; row >= 0 && row < m_list->count(); row += step) {
            if (!m_list->item(row)->isHidden()) {
                m_list->setCurrentRow(row);
                break;
            }
        }
        return true;
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace views

#include "moc_commandpalette.cpp"
