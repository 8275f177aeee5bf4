#include "views/queues/redirectsdialog.h"

#include "models/common/visibletext.h"
#include "views/common/lists/datatable.h"
#include "views/common/lists/emptystate.h"
#include "views/common/lists/widecombobox.h"
#include "views/common/theme/styleproperty.h"
#include "views/common/widgets/dialogfoot.h"
#include "views/common/widgets/dialogframe.h"
#include "views/common/widgets/plaintext.h"

#include <QComboBox>
#include <QCompleter>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>

#include <utility>

namespace views {

namespace {

constexpr int redirectsDialogWidth = 620;
constexpr int dialogHeight = 440;
constexpr int fromWidth = 280;

} // namespace

RedirectsDialog::RedirectsDialog(models::ConsoleSession &session, const Theme &theme, core::ConnectionId connection,
                                 const QString &from, QWidget *parent)
    : QDialog(parent)
    , m_session(session)
    , m_connection(connection)
{
    setObjectName(QStringLiteral("redirectsDialog"));
    setModal(true);
    const api::ConnectionView *view = session.connection(connection);
    setWindowTitle(tr("Redirects of %1").arg(view == nullptr ? QString() : models::visibleLine(view->connection.name)));
    auto *body = new QWidget(this);
    body->setObjectName(QStringLiteral("dialogBody"));
    auto *words = new PlainLabel(
        tr("A retry sends messages for the first queue to the second one instead. Names must match exactly. "
           "Redirects are not chained. A release ignores redirects."),
        body);
    words->setWordWrap(true);
    words->setProperty("tone", QStringLiteral("muted"));
    auto *column = new QVBoxLayout(body);
    column->setContentsMargins(16, 14, 16, 14);
    column->setSpacing(10);
    column->addWidget(words);
    column->addWidget(makeList(theme), 1);
    column->addWidget(makeForm(from));
    frameDialog(*this, {nullptr, body, makeFoot()});
    fitDialog(*this, redirectsDialogWidth, dialogHeight);
    connect(&session, &models::ConsoleSession::connectionsChanged, this, &RedirectsDialog::refresh);
    connect(&session, &models::ConsoleSession::engineChanged, this, &RedirectsDialog::refreshButtons);
    refresh();
    (from.isEmpty() ? m_from : m_to)->setFocus();
}

QWidget *RedirectsDialog::makeList(const Theme &theme)
{
    m_table = new DataTable(theme, -1);
    m_table->setObjectName(QStringLiteral("redirectsTable"));
    m_table->setAccessibleName(tr("Redirects"));
    m_table->setModel(&m_model);
    m_table->setWidths({fromWidth, 0}, models::RedirectsModel::To);
    connect(m_table, &DataTable::rowSelectionChanged, this, &RedirectsDialog::refreshButtons);
    m_list = new ListOrState(m_table, this);
    return m_list;
}

// Offers the known queues; the user may type any other name.
QComboBox *RedirectsDialog::makeQueueBox(const QString &name, const QString &label, QWidget *parent)
{
    auto *box = new WideComboBox(parent);
    box->setObjectName(name);
    box->setEditable(true);
    box->setInsertPolicy(QComboBox::NoInsert);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setAccessibleName(label);
    box->completer()->setCompletionMode(QCompleter::PopupCompletion);
    for (const api::QueueView &queue : m_session.snapshot().queues) {
        if (queue.connection == m_connection && !queue.holdsFailed)
            box->addItem(models::visibleLine(queue.name), queue.name);
    }
    box->setCurrentIndex(-1);
    box->lineEdit()->setPlaceholderText(label);
    return box;
}

QWidget *RedirectsDialog::makeForm(const QString &from)
{
    auto *form = new QWidget(this);
    m_from = makeQueueBox(QStringLiteral("redirectFrom"), tr("From this queue"), form);
    m_from->setEditText(from);
    m_to = makeQueueBox(QStringLiteral("redirectTo"), tr("To this queue"), form);
    m_add = new QPushButton(tr("Add redirect"), form);
    m_add->setObjectName(QStringLiteral("redirectAdd"));
    m_add->setProperty("primary", true);
    m_add->setAutoDefault(false);
    connect(m_add, &QPushButton::clicked, this, &RedirectsDialog::add);
    for (const QComboBox *box : {m_from, m_to}) // connected last: refreshButtons() uses all the widgets
        connect(box, &QComboBox::editTextChanged, this, &RedirectsDialog::refreshButtons);
    auto *row = new QHBoxLayout(form);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(10);
    row->addWidget(m_from, 1);
    row->addWidget(m_to, 1);
    row->addWidget(m_add);
    return form;
}

DialogFoot *RedirectsDialog::makeFoot()
{
    auto *foot = new DialogFoot(this);
    m_answer = foot->addAnswer(QStringLiteral("redirectAnswer"));
    m_remove = foot->addPlain(QStringLiteral("redirectRemove"), tr("Remove redirect"));
    const QPushButton *close = foot->addLeave(QStringLiteral("redirectClose"), tr("Close"));
    connect(m_remove, &QPushButton::clicked, this, &RedirectsDialog::removeSelected);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    return foot;
}

void RedirectsDialog::refresh()
{
    const api::ConnectionView *view = m_session.connection(m_connection);
    if (view == nullptr) { // somebody removed the connection, perhaps another program
        reject();
        return;
    }
    m_model.setRows(view->redirects);
    if (view->redirects.isEmpty())
        m_list->showState(tr("No redirects"), tr("A retry sends every message back to the queue where it failed."));
    else
        m_list->showList();
    refreshButtons();
}

void RedirectsDialog::refreshButtons()
{
    const QString refusal = m_session.refusal(models::Verb::Redirect, m_connection);
    const bool typed = !m_from->currentText().trimmed().isEmpty() && !m_to->currentText().trimmed().isEmpty();
    m_add->setEnabled(refusal.isEmpty() && typed);
    m_add->setDefault(m_add->isEnabled());
    m_remove->setEnabled(refusal.isEmpty() && m_table->selectedCount() > 0);
    for (QWidget *one : {static_cast<QWidget *>(m_add), static_cast<QWidget *>(m_remove)})
        one->setToolTip(plainToolTip(refusal));
    m_from->setEnabled(refusal.isEmpty());
    m_to->setEnabled(refusal.isEmpty());
    if (!refusal.isEmpty())
        say(refusal, QStringLiteral("muted"));
}

// A list entry shows a cleaned name and holds the real one; typed text is the name itself.
static QString queueOf(const QComboBox *box)
{
    const int entry = box->findText(box->currentText(), Qt::MatchExactly | Qt::MatchCaseSensitive);
    return entry < 0 ? box->currentText().trimmed() : box->itemData(entry).toString();
}

void RedirectsDialog::add()
{
    if (m_adding.isPending())
        return;
    send({m_connection, {records::Redirect::Of::Queue, queueOf(m_from), queueOf(m_to)}, false});
}

void RedirectsDialog::removeSelected()
{
    const QList<int> rows = m_table->selectedRowNumbers();
    QList<records::Redirect> chosen; // copied, because each removal changes the rows
    for (const int row : rows)
        chosen.append(m_model.rows().at(row));
    for (const records::Redirect &one : std::as_const(chosen))
        send({m_connection, one, true});
}

void RedirectsDialog::send(const api::ChangeRedirect &command)
{
    const QString from = models::visibleLine(command.redirect.from);
    const QString to = models::visibleLine(command.redirect.to);
    const bool removes = command.remove;
    const auto told = [this, from, to, removes](const core::Result<api::RedirectAnswer> &answer) {
        if (!answer) {
            say(models::visibleLine(answer.error().message), QStringLiteral("bad"));
        } else if (removes) {
            say(tr("Removed the redirect from %1.").arg(from), QStringLiteral("muted"));
        } else if (!answer->notKnown.isEmpty()) {
            say(tr("Added the redirect. Redrive cannot check whether queue %1 exists. %2")
                    .arg(to, models::visibleLine(answer->notKnown)),
                QStringLiteral("warn"));
        } else {
            say(tr("Added the redirect from %1 to %2.").arg(from, to), QStringLiteral("muted"));
        }
        if (answer && !removes) {
            m_from->clearEditText();
            m_to->clearEditText();
            m_from->setFocus();
        }
        refreshButtons();
    };
    if (removes)
        m_session.ask(this, command, told);
    else
        m_adding.ask(command, told);
}

void RedirectsDialog::say(const QString &text, const QString &tone)
{
    m_answer->setText(text);
    setStyleProperty(m_answer, "tone", tone);
}

void RedirectsDialog::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Delete && m_table->hasFocus() && m_remove->isEnabled()) {
        removeSelected();
        return;
    }
    QDialog::keyPressEvent(event);
}

} // namespace views

#include "moc_redirectsdialog.cpp"
