#include "views/retries/doubtdialog.h"

#include "models/common/formatters.h"
#include "views/common/lists/datatable.h"
#include "views/common/widgets/plaintext.h"
#include "views/common/widgets/question.h"

#include <QPushButton>

namespace views {

namespace {

constexpr int typeWidth = 260;
constexpr int destinationWidth = 180;

} // namespace

DoubtDialog::DoubtDialog(const Console &console, core::OperationId operation, QWidget *parent)
    : ListDialog(
        console.theme, QStringLiteral("doubt"),
        tr("In doubt: these messages were sent, but no answer came. They may or may not have arrived. Check the "
           "destination or its consumer, then choose what happened."),
        parent)
    , m_session(console.session)
    , m_model(console.session, operation)
    , m_sent(addFootButton(QStringLiteral("doubtSent")))
    , m_again(addFootButton(QStringLiteral("doubtAgain")))
{
    setWindowTitle(tr("Retry %1: messages in doubt").arg(operation.value));
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
    showRows(m_model.isLoaded(), m_model.error(), tr("No messages in doubt"),
             tr("Every message of this retry has a known outcome."));
    refreshButtons();
}

void DoubtDialog::refreshButtons()
{
    const qint64 selected = table().selectedCount();
    const QString count = models::formatNumber(selected);
    m_sent->setText(selected > 0 ? tr("Mark %1 as arrived").arg(count) : tr("Mark all as arrived"));
    m_again->setText(selected > 0 ? tr("Send %1 again…").arg(count) : tr("Send all again…"));
    const QString refusal = m_session.refusal(models::Verb::Retry, m_model.operation().connection);
    for (QPushButton *one : {m_sent, m_again}) {
        one->setEnabled(m_model.rowCount() > 0 && refusal.isEmpty());
        one->setToolTip(plainToolTip(refusal));
    }
    const QString total = models::formatNumber(m_model.total());
    const bool whole = m_model.rowCount() >= m_model.total();
    setSummary(
        !m_model.isLoaded() ? QString()
        : selected > 0      ? tr("%1 of %2 selected").arg(count, total)
        : whole             ? tr("%1 in doubt").arg(total)
                : tr("%1 in doubt; only the first %2 are listed").arg(total, models::formatNumber(m_model.rowCount())));
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

// Sending again cannot be undone, and messages that are not listed were not seen: both need a confirmation.
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
    Question question;
    question.name = QStringLiteral("doubtQuestion");
    question.title = again ? tr("Send again") : tr("Mark as arrived");
    question.action = question.title;
    question.leave = tr("Leave in doubt");
    const QString words = again ? tr("Send %1 messages again?", nullptr, int(choice.count))
                                : tr("Did all %1 messages arrive?", nullptr, int(choice.count));
    question.text = words.arg(models::formatNumber(choice.count));
    QStringList lines;
    if (again)
        lines += tr("Messages that already arrived are processed twice, unless their consumer recognizes the "
                    "de-duplication ID in their headers. Redrive flags each message as a possible duplicate.");
    if (choice.ordinals.isEmpty())
        lines += tr("This applies to all messages in doubt of this retry, not only to those listed.");
    question.consequences = lines.join(QLatin1Char('\n'));
    askQuestion(question, this, [this, settlement, choice] { send(settlement, choice); });
}

} // namespace views

#include "moc_doubtdialog.cpp"
