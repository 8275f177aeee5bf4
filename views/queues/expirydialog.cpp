#include "views/queues/expirydialog.h"

#include "models/common/visibletext.h"
#include "views/common/datatable.h"
#include "views/common/emptystate.h"
#include "views/common/plaintext.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace views {

namespace {

constexpr int dialogWidth = 820;
constexpr int dialogHeight = 460;
constexpr int lostWidth = 190;
constexpr int queueWidth = 180;
constexpr int typeWidth = 180;

} // namespace

ExpiryDialog::ExpiryDialog(const Console &console, core::ConnectionId connection, const QString &queue, QWidget *parent)
    : QDialog(parent)
    , m_console(console)
    , m_model(console.session, console.filter, connection, queue)
{
    setObjectName(QStringLiteral("expiryDialog"));
    const api::ConnectionView *view = console.session.connection(connection);
    const QString name = view == nullptr ? QString() : models::visibleLine(view->connection.name);
    setWindowTitle(queue.isEmpty() ? tr("What %1 will throw away").arg(name)
                                   : tr("What %1 will throw away of %2").arg(name, models::visibleLine(queue)));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(
        makeBody(tr("Messages that were only looked at still lie in their queue, and go when their time is "
                    "over. What was taken lies in the store and is not lost that way.")),
        1);
    layout->addWidget(makeFoot());
    resize(dialogWidth, dialogHeight);
    connect(&m_model, &models::ExpiryModel::changed, this, &ExpiryDialog::refresh);
    refresh();
    m_model.load();
}

QWidget *ExpiryDialog::makeBody(const QString &words)
{
    auto *body = new QWidget(this);
    body->setObjectName(QStringLiteral("dialogBody"));
    auto *label = new PlainLabel(words, body);
    label->setWordWrap(true);
    label->setProperty("tone", QStringLiteral("muted"));
    m_table = new DataTable(m_console.theme, -1);
    m_table->setObjectName(QStringLiteral("expiryTable"));
    m_table->setAccessibleName(tr("What will be lost"));
    m_table->setModel(&m_model);
    m_table->setWidths({lostWidth, queueWidth, typeWidth, 0}, models::ExpiryModel::Cause);
    connect(m_table, &DataTable::opened, this, [this](const QModelIndex &index) {
        Q_EMIT m_console.navigator.messageOpened(m_model.rows().at(index.row()).message);
    });
    m_list = new ListOrState(m_table, body);
    connect(m_list, &ListOrState::actionRequested, this, [this] { m_model.load(); });
    auto *column = new QVBoxLayout(body);
    column->setContentsMargins(16, 14, 16, 14);
    column->setSpacing(10);
    column->addWidget(label);
    column->addWidget(m_list, 1);
    return body;
}

QWidget *ExpiryDialog::makeFoot()
{
    auto *foot = new QWidget(this);
    foot->setObjectName(QStringLiteral("dialogFoot"));
    m_summary = new PlainLabel({}, foot);
    m_summary->setObjectName(QStringLiteral("expirySummary"));
    m_summary->setWordWrap(true);
    auto *close = new QPushButton(tr("Close"), foot);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    auto *row = new QHBoxLayout(foot);
    row->setContentsMargins(16, 10, 16, 10);
    row->addWidget(m_summary, 1);
    row->addWidget(close);
    return foot;
}

void ExpiryDialog::refresh()
{
    if (m_model.rowCount() > 0)
        m_list->showList();
    else if (!m_model.error().isEmpty())
        m_list->showState(tr("The list could not be read"), m_model.error(), tr("Try again"));
    else if (!m_model.isLoaded())
        m_list->showState(tr("Reading…"), {});
    else
        m_list->showState(tr("Nothing that is known of"),
                          tr("Of no message that was only looked at is known that it will be thrown away."));
    m_summary->setText(m_model.isLoaded() ? m_model.summary() : QString());
}

} // namespace views
