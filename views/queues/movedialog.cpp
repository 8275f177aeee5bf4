#include "views/queues/movedialog.h"

#include "models/common/formatters.h"
#include "models/common/text.h"
#include "models/common/visibletext.h"
#include "views/common/lists/widecombobox.h"
#include "views/common/theme/styleproperty.h"
#include "views/common/widgets/dialogfoot.h"
#include "views/common/widgets/dialogframe.h"
#include "views/common/widgets/formgrid.h"
#include "views/common/widgets/growtofit.h"
#include "views/common/widgets/plaintext.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>

#include <utility>

namespace views {

using Action = api::MoveQueue::Action;
using records::QueueMove;

namespace {

constexpr int moveDialogWidth = 560;
constexpr int parts = 1000; // of the progress bar, because a count does not fit into an int

QString movedText(const QueueMove &move)
{
    const QString moved = models::formatNumber(move.moved);
    return move.total ? MoveDialog::tr("about %1 of %2").arg(moved, models::formatNumber(*move.total))
                      : MoveDialog::tr("about %1").arg(moved);
}

QString stateText(const QueueMove &move)
{
    const QString to = move.to.isEmpty() ? MoveDialog::tr("their original queues") : models::visibleLine(move.to);
    switch (move.state) {
    case QueueMove::State::Running:
        return MoveDialog::tr("Moving to %1: %2.").arg(to, movedText(move));
    case QueueMove::State::Cancelling:
        return MoveDialog::tr("Cancelling. Moved to %1: %2.").arg(to, movedText(move));
    case QueueMove::State::Completed:
        return MoveDialog::tr("The last move is complete. Moved to %1: %2.").arg(to, movedText(move));
    case QueueMove::State::Cancelled:
        return MoveDialog::tr("The last move was cancelled. Moved to %1: %2.").arg(to, movedText(move));
    case QueueMove::State::Failed:
        break;
    }
    return MoveDialog::tr("The last move failed. Moved to %1: %2. %3")
        .arg(to, movedText(move), models::visibleLine(move.reason));
}

} // namespace

MoveDialog::MoveDialog(models::ConsoleSession &session, core::ConnectionId connection, QString queue, QWidget *parent)
    : QDialog(parent)
    , m_session(session)
    , m_connection(connection)
    , m_queue(std::move(queue))
{
    setObjectName(QStringLiteral("moveDialog"));
    setModal(true);
    setWindowTitle(tr("Move of %1 by the broker").arg(models::visibleLine(m_queue)));
    frameDialog(*this, {nullptr, makeBody(), makeFoot()});
    m_next.setSingleShot(true);
    m_next.setInterval(betweenMs);
    connect(&m_next, &QTimer::timeout, this, [this] { ask(Action::Offer); });
    connect(&session, &models::ConsoleSession::connectionsChanged, this, &MoveDialog::refresh);
    fitDialog(*this, moveDialogWidth);
    say(tr("Waiting for the broker…"), QStringLiteral("muted"));
    refresh();
    ask(Action::Offer);
}

QWidget *MoveDialog::makeBody()
{
    auto *body = new QWidget(this);
    body->setObjectName(QStringLiteral("dialogBody"));
    m_words = new PlainLabel({}, body);
    m_words->setObjectName(QStringLiteral("moveWords"));
    m_words->setWordWrap(true);
    m_state = new PlainLabel({}, body);
    m_state->setObjectName(QStringLiteral("moveState"));
    m_state->setWordWrap(true);
    m_bar = new QProgressBar(body);
    m_bar->setObjectName(QStringLiteral("moveBar"));
    m_bar->setAccessibleName(tr("Messages moved"));
    m_bar->setTextVisible(false);
    auto *layout = new QVBoxLayout(body);
    layout->setContentsMargins(16, 14, 16, 14);
    layout->setSpacing(10);
    layout->addWidget(m_words);
    layout->addWidget(makeForm(body));
    layout->addWidget(m_state);
    layout->addWidget(m_bar);
    layout->addStretch(1);
    return body;
}

QWidget *MoveDialog::makeForm(QWidget *body)
{
    auto *choices = new QWidget(body);
    m_form = new FormGrid(choices);
    m_form->setContentsMargins(0, 0, 0, 0);
    m_to = new WideComboBox(choices);
    m_to->setObjectName(QStringLiteral("moveTo"));
    m_to->setAccessibleName(tr("Destination"));
    m_to->addItem(tr("original queue of each message"), QString());
    connect(m_to, &QComboBox::currentIndexChanged, this, &MoveDialog::refresh);
    m_rate = new QSpinBox(choices);
    m_rate->setObjectName(QStringLiteral("moveRate"));
    m_rate->setAccessibleName(tr("Messages per second"));
    m_rate->setSpecialValueText(tr("as fast as possible"));
    m_rate->setSuffix(tr(" messages per second"));
    m_confirm = new QWidget(choices);
    m_confirmText = new PlainLabel({}, m_confirm);
    m_typed = new QLineEdit(m_confirm);
    m_typed->setObjectName(QStringLiteral("moveTyped"));
    m_typed->setAccessibleName(tr("Type the number of messages to confirm"));
    connect(m_typed, &QLineEdit::textChanged, this, &MoveDialog::refresh);
    auto *row = new QHBoxLayout(m_confirm);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_confirmText);
    row->addWidget(m_typed);
    row->addStretch(1);
    m_form->addRow(tr("To"), m_to);
    m_form->addRow(tr("Rate limit"), m_rate);
    m_form->addRow(tr("Confirm"), m_confirm);
    return choices;
}

DialogFoot *MoveDialog::makeFoot()
{
    auto *foot = new DialogFoot(this);
    m_answer = foot->addAnswer(QStringLiteral("moveAnswer"));
    m_cancel = foot->addPlain(QStringLiteral("moveCancel"), tr("Cancel this move"));
    const QPushButton *close = foot->addLeave(QStringLiteral("moveClose"), tr("Close"));
    m_begin = foot->addPrimary(QStringLiteral("moveBegin"), {}, DialogFoot::Act::CannotBeUndone);
    connect(m_cancel, &QPushButton::clicked, this, [this] { ask(Action::Cancel); });
    connect(m_begin, &QPushButton::clicked, this, [this] { ask(Action::Begin); });
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    return foot;
}

void MoveDialog::ask(Action action)
{
    if (m_call.isPending())
        return;
    m_next.stop();
    api::MoveQueue command;
    command.connection = m_connection;
    command.queue = m_queue;
    command.action = action;
    if (action == Action::Begin) {
        command.to = m_to->currentData().toString();
        if (m_rate->value() > 0)
            command.perSecond = m_rate->value();
        if (m_last.confirmCount)
            command.confirmedCount = m_last.waiting; // equals the typed number, or the button is disabled
    }
    m_call.ask(command, [this, action](const core::Result<api::MoveAnswer> &answer) { take(answer, action); });
}

void MoveDialog::take(const core::Result<api::MoveAnswer> &answer, Action action)
{
    if (!answer) {
        say(models::visibleLine(answer.error().message), QStringLiteral("bad"));
        refresh();
        if (m_last.goesOn() || action != Action::Offer) // the move may be running in spite of the error
            m_next.start();
        return;
    }
    const bool went = m_last.goesOn();
    m_last = *answer;
    m_known = true;
    if (action != Action::Offer || went || m_answer->property("tone") == QLatin1String("muted"))
        say({}, QStringLiteral("muted"));
    if (action == Action::Begin)
        m_typed->clear();
    offerTargets();
    refresh();
    if (m_last.goesOn())
        m_next.start();
}

// Keeps the chosen destination.
void MoveDialog::offerTargets()
{
    const QString chosen = m_to->currentData().toString();
    m_to->setItemText(0, m_last.needsTarget ? tr("choose a queue") : tr("original queue of each message"));
    while (m_to->count() > 1)
        m_to->removeItem(1);
    if (m_session.refusal(models::Verb::Redirect, m_connection).isEmpty()) {
        for (const QString &target : std::as_const(m_last.targets))
            m_to->addItem(models::visibleLine(target), target);
    }
    m_to->setCurrentIndex(std::max(0, m_to->findData(chosen)));
}

QString MoveDialog::sentence() const
{
    const api::ConnectionView *view = m_session.connection(m_connection);
    const QString name = view == nullptr ? QString() : models::visibleLine(view->connection.name);
    const QString environment = view == nullptr ? QString() : models::textOf(view->connection.environment);
    const QString queue = models::visibleLine(m_queue);
    QStringList lines;
    lines << (m_last.waiting ? tr("About %1 messages wait in %2 on %3 (%4).", nullptr, int(*m_last.waiting))
                                   .arg(models::formatNumber(*m_last.waiting), queue, name, environment)
                             : tr("The message count of %1 on %2 (%3) is unknown.").arg(queue, name, environment));
    for (const QString &fact : m_last.facts)
        lines << models::visibleLine(fact);
    if (!m_last.guarantee.isEmpty())
        lines << models::visibleLine(m_last.guarantee);
    return lines.join(QStringLiteral("\n\n"));
}

QString MoveDialog::whyNot() const
{
    const QString byRight = m_session.refusal(models::Verb::Retry, m_connection);
    if (!byRight.isEmpty())
        return byRight;
    if (!m_known)
        return tr("The broker has not answered yet.");
    if (m_last.goesOn())
        return tr("A move of this queue is in progress.");
    if (!m_last.refusal.isEmpty())
        return models::visibleLine(m_last.refusal);
    if (m_last.needsTarget && m_to->currentData().toString().isEmpty())
        return tr("Choose the destination queue.");
    const bool right =
        !m_last.confirmCount || (m_last.waiting && models::typedNumber(m_typed->text()) == m_last.waiting);
    return right ? QString() : tr("Type the number of messages to confirm.");
}

void MoveDialog::refresh()
{
    const api::ConnectionView *view = m_session.connection(m_connection);
    if (view == nullptr) { // somebody removed the connection, perhaps another program
        reject();
        return;
    }
    m_words->setText(sentence());
    const QString why = whyNot();
    m_begin->setEnabled(why.isEmpty());
    m_begin->setToolTip(plainToolTip(why));
    m_begin->setText(
        m_last.waiting
            ? tr("Move all %1 messages", nullptr, int(*m_last.waiting)).arg(models::formatNumber(*m_last.waiting))
            : tr("Move all messages"));
    const bool chooses = m_known && !m_last.goesOn();
    m_to->setEnabled(chooses);
    m_rate->setRange(0, m_last.mostPerSecond);
    m_rate->setEnabled(chooses && m_last.mostPerSecond > 0);
    m_form->setRowVisible(m_confirm, m_last.confirmCount && chooses);
    if (m_last.waiting)
        m_confirmText->setText(tr("Type %1").arg(models::formatNumber(*m_last.waiting)));
    if (m_known && !m_last.goesOn() && !m_last.refusal.isEmpty() && m_answer->text().isEmpty())
        say(models::visibleLine(m_last.refusal), QStringLiteral("muted"));
    showMove();
    growToFit(*this);
}

void MoveDialog::showMove()
{
    const bool goesOn = m_last.goesOn();
    m_cancel->setVisible(goesOn);
    m_bar->setVisible(goesOn);
    m_state->setVisible(!m_last.moves.isEmpty());
    if (m_last.moves.isEmpty())
        return;
    const QueueMove &move = m_last.moves.constFirst();
    m_cancel->setEnabled(move.state == QueueMove::State::Running);
    m_state->setText(stateText(move));
    const qint64 total = move.total.value_or(0);
    m_bar->setRange(0, total > 0 ? parts : 0); // without a total the bar only shows that the move runs
    if (total > 0)
        m_bar->setValue(int(double(std::min(move.moved, total)) / double(total) * parts));
}

void MoveDialog::say(const QString &text, const QString &tone)
{
    m_answer->setText(text);
    setStyleProperty(m_answer, "tone", tone);
    growToFit(*this);
}

} // namespace views

#include "moc_movedialog.cpp"
