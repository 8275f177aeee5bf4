#include "views/retries/doubtdialog.h"

#include "models/common/formatters.h"
#include "views/common/datatable.h"
#include "views/common/emptystate.h"
#include "views/common/plaintext.h"

#include <QHBoxLayout>
#include <QMessageBox>
#include <QPushButton>
#include <QVBoxLayout>

namespace views {

namespace {

constexpr int dialogWidth = 820;
constexpr int dialogHeight = 460;
constexpr int typeWidth = 260;
constexpr int destinationWidth = 180;

} // namespace

DoubtDialog::DoubtDialog(const Console &console, core::OperationId operation, QWidget *parent)
    : QDialog(parent)
    , m_console(console)
    , m_model(console.session, operation)
{
    setObjectName(QStringLiteral("doubtDialog"));
    setWindowTitle(tr("In doubt of retry %1").arg(operation.value));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeBody(), 1);
    layout->addWidget(makeFoot());
    resize(dialogWidth, dialogHeight);
    connect(&m_model, &models::DoubtModel::changed, this, &DoubtDialog::refresh);
    connect(&console.session, &models::ConsoleSession::connectionsChanged, this, &DoubtDialog::refreshButtons);
    refresh();
    m_table->setFocus();
    m_model.load();
}

QWidget *DoubtDialog::makeBody()
{
    auto *body = new QWidget(this);
    body->setObjectName(QStringLiteral("dialogBody"));
    auto *words =
        new PlainLabel(tr("These were handed over, and whether they arrived nobody can say from here. Look at "
                          "their destination or its consumer, then say what happened."),
                       body);
    words->setWordWrap(true);
    words->setProperty("tone", QStringLiteral("muted"));
    m_table = new DataTable(m_console.theme, -1);
    m_table->setObjectName(QStringLiteral("doubtTable"));
    m_table->setAccessibleName(tr("Messages in doubt"));
    m_table->setModel(&m_model);
    m_table->setWidths({typeWidth, destinationWidth, 0}, models::DoubtModel::Why);
    connect(m_table, &DataTable::rowSelectionChanged, this, &DoubtDialog::refreshButtons);
    connect(m_table, &DataTable::opened, this, [this](const QModelIndex &index) {
        Q_EMIT m_console.navigator.messageOpened(m_model.rows().at(index.row()).member.message);
    });
    m_list = new ListOrState(m_table, body);
    connect(m_list, &ListOrState::actionRequested, this, [this] { m_model.load(); });
    auto *column = new QVBoxLayout(body);
    column->setContentsMargins(16, 14, 16, 14);
    column->setSpacing(10);
    column->addWidget(words);
    column->addWidget(m_list, 1);
    return body;
}

QWidget *DoubtDialog::makeFoot()
{
    auto *foot = new QWidget(this);
    foot->setObjectName(QStringLiteral("dialogFoot"));
    m_summary = new PlainLabel({}, foot);
    m_summary->setObjectName(QStringLiteral("doubtSummary"));
    m_summary->setWordWrap(true);
    auto *row = new QHBoxLayout(foot);
    row->setContentsMargins(16, 10, 16, 10);
    row->addWidget(m_summary, 1);
    const auto button = [&](const QString &name) {
        auto *one = new QPushButton(foot);
        one->setObjectName(name);
        one->setAutoDefault(false); // Enter opens the row it is on
        row->addWidget(one);
        return one;
    };
    m_sent = button(QStringLiteral("doubtSent"));
    m_again = button(QStringLiteral("doubtAgain"));
    QPushButton *close = button(QStringLiteral("doubtClose"));
    close->setText(tr("Close"));
    connect(m_sent, &QPushButton::clicked, this, [this] { settle(api::Settlement::AssumeSent); });
    connect(m_again, &QPushButton::clicked, this, &DoubtDialog::askToSendAgain);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    return foot;
}

void DoubtDialog::refresh()
{
    if (m_model.rowCount() > 0)
        m_list->showList();
    else if (!m_model.error().isEmpty())
        m_list->showState(tr("The list could not be read"), m_model.error(), tr("Try again"));
    else if (!m_model.isLoaded())
        m_list->showState(tr("Reading…"), {});
    else
        m_list->showState(tr("Nothing is in doubt"), tr("Of each message of this retry is known what became of it."));
    refreshButtons();
}

void DoubtDialog::refreshButtons()
{
    const qint64 selected = m_table->selectedCount();
    const QString count = models::formatNumber(selected);
    m_sent->setText(selected > 0 ? tr("%1 arrived").arg(count) : tr("All arrived"));
    m_again->setText(selected > 0 ? tr("Send %1 again…").arg(count) : tr("Send all again…"));
    const QString refusal = m_console.session.refusal(models::Verb::Retry, m_model.operation().connection);
    for (QPushButton *one : {m_sent, m_again}) {
        one->setEnabled(m_model.rowCount() > 0 && refusal.isEmpty());
        one->setToolTip(plainToolTip(refusal));
    }
    const QString total = models::formatNumber(m_model.total());
    const bool whole = m_model.rowCount() >= m_model.total();
    m_summary->setText(
        !m_model.isLoaded() ? QString()
        : selected > 0      ? tr("%1 of %2 selected").arg(count, total)
        : whole             ? tr("%1 in doubt").arg(total)
                : tr("%1 in doubt, the first %2 are listed").arg(total, models::formatNumber(m_model.rowCount())));
}

QList<qint64> DoubtDialog::chosen() const
{
    QList<qint64> ordinals;
    for (const int row : m_table->selectedRowNumbers())
        ordinals.append(m_model.rows().at(row).member.ordinal);
    return ordinals;
}

qint64 DoubtDialog::concerned() const
{
    const qint64 selected = m_table->selectedCount();
    return selected > 0 ? selected : m_model.total();
}

void DoubtDialog::settle(api::Settlement settlement)
{
    m_console.session.settle(m_model.operation().id, chosen(), concerned(), settlement);
}

void DoubtDialog::askToSendAgain()
{
    auto *box = new QMessageBox(this);
    box->setObjectName(QStringLiteral("doubtQuestion"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->setIcon(QMessageBox::Question);
    box->setWindowTitle(tr("Send again"));
    box->setText(tr("Send %1 messages again?", nullptr, int(concerned())).arg(models::formatNumber(concerned())));
    box->setInformativeText(
        tr("Those that had arrived are processed a second time, unless their consumer recognises them by "
           "the de-duplication id in their headers. Each is flagged as a possible duplicate."));
    QPushButton *yes = box->addButton(tr("Send again"), QMessageBox::DestructiveRole);
    box->setDefaultButton(box->addButton(tr("Leave them in doubt"), QMessageBox::RejectRole));
    connect(box, &QMessageBox::buttonClicked, this, [this, yes](const QAbstractButton *clicked) {
        if (clicked == yes)
            settle(api::Settlement::SendAgain);
    });
    box->open();
}

} // namespace views
