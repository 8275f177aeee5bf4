#include "views/retries/doubtdialog.h"

#include "models/common/formatters.h"
#include "views/common/datatable.h"
#include "views/common/plaintext.h"

#include <QMessageBox>
#include <QPushButton>

namespace views {

namespace {

constexpr int typeWidth = 260;
constexpr int destinationWidth = 180;

} // namespace

DoubtDialog::DoubtDialog(const Console &console, core::OperationId operation, QWidget *parent)
    : ListDialog(
        console.theme, QStringLiteral("doubt"),
        tr("These were handed over, and whether they arrived nobody can say from here. Look at their destination or "
           "its consumer, then say what happened."),
        parent)
    , m_session(console.session)
    , m_model(console.session, operation)
    , m_sent(addFootButton(QStringLiteral("doubtSent")))
    , m_again(addFootButton(QStringLiteral("doubtAgain")))
{
    setWindowTitle(tr("In doubt of retry %1").arg(operation.value));
    table().setAccessibleName(tr("Messages in doubt"));
    table().setModel(&m_model);
    table().setWidths({typeWidth, destinationWidth, 0}, models::DoubtModel::Why);
    connect(&table(), &DataTable::rowSelectionChanged, this, &DoubtDialog::refreshButtons);
    connect(&table(), &DataTable::opened, this, [this, navigator = &console.navigator](const QModelIndex &index) {
        Q_EMIT navigator->messageOpened(m_model.rows().at(index.row()).member.message);
    });
    connect(m_sent, &QPushButton::clicked, this, [this] { settle(api::Settlement::AssumeSent); });
    connect(m_again, &QPushButton::clicked, this, [this] { settle(api::Settlement::SendAgain); });
    connect(this, &ListDialog::wantedAgain, &m_model, &models::DoubtModel::load);
    connect(&m_model, &models::DoubtModel::changed, this, &DoubtDialog::refresh);
    connect(&m_session, &models::ConsoleSession::connectionsChanged, this, &DoubtDialog::refreshButtons);
    refresh();
    m_model.load();
}

void DoubtDialog::refresh()
{
    showRows(m_model.isLoaded(), m_model.error(), tr("Nothing is in doubt"),
             tr("Of each message of this retry is known what became of it."));
    refreshButtons();
}

void DoubtDialog::refreshButtons()
{
    const qint64 selected = table().selectedCount();
    const QString count = models::formatNumber(selected);
    m_sent->setText(selected > 0 ? tr("%1 arrived").arg(count) : tr("All arrived"));
    m_again->setText(selected > 0 ? tr("Send %1 again…").arg(count) : tr("Send all again…"));
    const QString refusal = m_session.refusal(models::Verb::Retry, m_model.operation().connection);
    for (QPushButton *one : {m_sent, m_again}) {
        one->setEnabled(m_model.rowCount() > 0 && refusal.isEmpty());
        one->setToolTip(plainToolTip(refusal));
    }
    const QString total = models::formatNumber(m_model.total());
    const bool whole = m_model.rowCount() >= m_model.total();
    setSummary(!m_model.isLoaded() ? QString()
               : selected > 0      ? tr("%1 of %2 selected").arg(count, total)
               : whole
                   ? tr("%1 in doubt").arg(total)
                   : tr("%1 in doubt, the first %2 are listed").arg(total, models::formatNumber(m_model.rowCount())));
}

DoubtDialog::Choice DoubtDialog::choice() const
{
    const QList<int> selected = table().selectedRowNumbers();
    Choice choice;
    for (int row = 0; row < m_model.rowCount(); ++row) {
        if (selected.isEmpty() || selected.contains(row))
            choice.ordinals.append(m_model.rows().at(row).member.ordinal);
    }
    choice.count = choice.ordinals.size();
    if (selected.isEmpty() && m_model.rowCount() < m_model.total())
        choice = {{}, m_model.total()};
    return choice;
}

// What cannot be taken back is asked about, and so is what is not listed.
void DoubtDialog::settle(api::Settlement settlement)
{
    const Choice chosen = choice();
    if (settlement == api::Settlement::SendAgain || chosen.ordinals.isEmpty())
        ask(settlement, chosen);
    else
        send(settlement, chosen);
}

void DoubtDialog::send(api::Settlement settlement, const Choice &choice)
{
    m_session.settle(m_model.operation().id, choice.ordinals, choice.count, settlement);
}

void DoubtDialog::ask(api::Settlement settlement, const Choice &choice)
{
    const bool again = settlement == api::Settlement::SendAgain;
    auto *box = new QMessageBox(this);
    box->setObjectName(QStringLiteral("doubtQuestion"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->setIcon(QMessageBox::Question);
    box->setWindowTitle(again ? tr("Send again") : tr("Arrived"));
    const QString question = again ? tr("Send %1 messages again?", nullptr, int(choice.count))
                                   : tr("Did all %1 messages arrive?", nullptr, int(choice.count));
    box->setText(question.arg(models::formatNumber(choice.count)));
    QStringList words;
    if (again)
        words += tr("Those that had arrived are processed a second time, unless their consumer recognises them by the "
                    "de-duplication id in their headers. Each is flagged as a possible duplicate.");
    if (choice.ordinals.isEmpty())
        words += tr("All of this retry that are in doubt are meant, not only those that are listed.");
    box->setInformativeText(words.join(QLatin1Char('\n')));
    QPushButton *yes = box->addButton(again ? tr("Send again") : tr("All arrived"), QMessageBox::DestructiveRole);
    box->setDefaultButton(box->addButton(tr("Leave them in doubt"), QMessageBox::RejectRole));
    connect(box, &QMessageBox::buttonClicked, this, [this, yes, settlement, choice](const QAbstractButton *clicked) {
        if (clicked == yes)
            send(settlement, choice);
    });
    box->open();
}

} // namespace views
