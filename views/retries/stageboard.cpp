#include "views/retries/stageboard.h"

#include "models/common/formatters.h"
#include "models/common/glossary.h"
#include "models/common/visibletext.h"
#include "models/retries/batchboard.h"
#include "models/retries/operationname.h"
#include "views/common/theme/styleproperty.h"
#include "views/common/widgets/elidedlabel.h"
#include "views/retries/confirmcancel.h"
#include "views/retries/stagecard.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>

namespace views {

namespace {

core::OperationId newestKnown(const api::Snapshot &snapshot)
{
    core::OperationId newest;
    for (const api::OperationView &view : snapshot.operations)
        newest = std::max(newest, view.operation.id);
    return newest;
}

QString stageTip(records::BatchStage stage)
{
    switch (stage) {
    case records::BatchStage::MarkingDocuments:
        return StageBoard::tr("The batch claims its messages. Claim: no other retry can send a claimed message.");
    case records::BatchStage::Staging:
        return StageBoard::tr("Staging: Redrive prepares the copies of the messages before it sends them to their "
                              "destinations.");
    case records::BatchStage::Forwarding:
        return StageBoard::tr("The staged copies go to their destinations.");
    case records::BatchStage::Done:
        return StageBoard::tr(
            "Every message of the batch has an outcome. Ejected: the broker refused the message, so the "
            "retry left it out.");
    }
    Q_UNREACHABLE();
}

} // namespace

StageBoard::StageBoard(models::ConsoleSession &session, QWidget *parent)
    : QWidget(parent)
    , m_session(session)
{
    setObjectName(QStringLiteral("stageBoard"));
    setAttribute(Qt::WA_StyledBackground);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_header = makeHeader();
    layout->addWidget(m_header);
    m_empty = new PlainLabel(tr("No retry to show. The batches of a retry move through these four stages."), this);
    m_empty->setProperty("tone", QStringLiteral("muted"));
    m_empty->setWordWrap(true);
    m_empty->setContentsMargins(10, 8, 10, 8);
    m_why = new PlainLabel({}, this);
    m_why->setObjectName(QStringLiteral("boardWhy"));
    m_why->setWordWrap(true);
    m_why->setContentsMargins(10, 6, 10, 0);
    layout->addWidget(m_empty);
    layout->addWidget(m_why);
    auto *columns = new QHBoxLayout;
    columns->setSpacing(0);
    for (int stage = 0; stage < models::BatchBoard::stages; ++stage)
        columns->addWidget(makeColumn(stage), 1);
    layout->addLayout(columns, 1);
    connect(&m_session, &models::ConsoleSession::snapshotTaken, this, &StageBoard::refresh);
    refresh();
}

QWidget *StageBoard::makeHeader()
{
    auto *header = new QWidget(this);
    header->setObjectName(QStringLiteral("dockTitle"));
    m_title = new ElidedLabel({}, header);
    m_title->setObjectName(QStringLiteral("boardTitle"));
    m_title->setProperty("strong", true);
    m_pace = new PlainLabel({}, header);
    m_pace->setProperty("tone", QStringLiteral("muted"));
    m_doubt = new QPushButton(header);
    m_doubt->setObjectName(QStringLiteral("boardDoubt"));
    m_doubt->setToolTip(plainToolTip(models::explained(models::Term::InDoubt)));
    m_pause = new QPushButton(header);
    m_pause->setObjectName(QStringLiteral("boardPause"));
    m_cancel = new QPushButton(header);
    m_cancel->setObjectName(QStringLiteral("boardCancel"));
    m_cancel->setText(tr("Cancel"));
    connect(m_doubt, &QPushButton::clicked, this, [this] { Q_EMIT doubtsWanted(m_shown); });
    connect(m_pause, &QPushButton::clicked, this, &StageBoard::pauseOrResume);
    connect(m_cancel, &QPushButton::clicked, this, &StageBoard::cancel);
    auto *row = new QHBoxLayout(header);
    row->setContentsMargins(10, 4, 8, 4);
    row->addWidget(m_title, 1);
    row->addWidget(m_pace);
    row->addWidget(m_doubt);
    row->addWidget(m_pause);
    row->addWidget(m_cancel);
    return header;
}

QString StageBoard::stageName(records::BatchStage stage)
{
    switch (stage) {
    case records::BatchStage::MarkingDocuments:
        return tr("Marking Documents");
    case records::BatchStage::Staging:
        return tr("Staging");
    case records::BatchStage::Forwarding:
        return tr("Forwarding");
    case records::BatchStage::Done:
        return tr("Done");
    }
    Q_UNREACHABLE();
}

QWidget *StageBoard::makeColumn(int stage)
{
    Column &column = m_columns[size_t(stage)];
    auto *whole = new QWidget(this);
    whole->setObjectName(QStringLiteral("stageColumn"));
    whole->setProperty("first", stage == 0);
    whole->setAttribute(Qt::WA_StyledBackground); // the line between two stages is drawn by the style sheet
    auto *name = new ElidedLabel(stageName(records::BatchStage(stage)), whole);
    name->setObjectName(QStringLiteral("stageName"));
    name->setToolTip(plainToolTip(stageTip(records::BatchStage(stage))));
    column.count = new PlainLabel({}, whole);
    column.count->setObjectName(QStringLiteral("stageCount%1").arg(stage));
    column.count->setProperty("tone", QStringLiteral("muted"));
    auto *head = new QHBoxLayout;
    head->setContentsMargins(6, 6, 6, 2);
    head->addWidget(name, 1);
    head->addWidget(column.count);

    auto *area = new QScrollArea(whole);
    column.area = area;
    area->setAccessibleName(stageName(records::BatchStage(stage)));
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFrameShape(QFrame::NoFrame);
    area->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored); // has the room that is left
    auto *list = new QWidget(area);
    list->setObjectName(QStringLiteral("stageList"));
    column.cards = new QVBoxLayout(list);
    column.cards->setContentsMargins(6, 2, 6, 6);
    column.cards->setSpacing(5);
    column.more = new PlainLabel({}, list);
    column.more->setObjectName(QStringLiteral("stageMore%1").arg(stage));
    column.more->setWordWrap(true); // a narrow column would cut it
    column.more->setProperty("tone", QStringLiteral("muted"));
    column.cards->addWidget(column.more);
    column.cards->addStretch(1);
    area->setWidget(list);

    auto *layout = new QVBoxLayout(whole);
    layout->setContentsMargins(stage == 0 ? 0 : 1, 0, 0, 0); // beside the line, not over it
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addWidget(area, 1);
    return whole;
}

void StageBoard::follow(core::OperationId operation)
{
    m_chosen = operation;
    m_newestWhenChosen = newestKnown(m_session.snapshot());
    refresh();
}

bool StageBoard::choiceHolds() const
{
    const api::OperationView *view = m_chosen.isValid() ? m_session.operation(m_chosen) : nullptr;
    if (view == nullptr || records::isLive(view->operation.state))
        return view != nullptr;
    const core::OperationId running = models::BatchBoard::newest(m_session.snapshot());
    const api::OperationView *next = m_session.operation(running);
    const bool begunSince = m_newestWhenChosen < running && m_chosen < running;
    return next == nullptr || !begunSince || !records::isLive(next->operation.state);
}

void StageBoard::refresh()
{
    const api::Snapshot &snapshot = m_session.snapshot();
    const core::OperationId shown = choiceHolds() ? m_chosen : models::BatchBoard::newest(snapshot);
    // A retry can leave the list as soon as it has ended (that of a policy does). What it did stays in view until another one begins.
    if (!shown.isValid() && m_showsAnEnd)
        return;
    refreshHeader(shown.isValid() ? m_session.operation(shown) : nullptr);
    const auto columns = models::BatchBoard::columns(snapshot, shown);
    for (size_t i = 0; i < m_columns.size(); ++i)
        refreshColumn(m_columns[i], columns[i]);
    refreshRest(shown.isValid() ? m_session.operation(shown) : nullptr);
    if (shown == m_shown)
        return;
    m_shown = shown;
    Q_EMIT shownChanged(shown);
}

// The name of the retry, why it waits, and the counts of its stages.
QSize StageBoard::minimumSizeHint() const
{
    const QSize least = QWidget::minimumSizeHint();
    const int why = m_why->isHidden() ? 0 : m_why->heightForWidth(std::max(width(), least.width()));
    const int counts = m_columns.front().count->parentWidget()->minimumSizeHint().height();
    return {least.width(), m_header->minimumSizeHint().height() + why + counts};
}

void StageBoard::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    showWhatFits();
}

// A low pane has room for the counts of the stages only.
void StageBoard::showWhatFits()
{
    constexpr int lowBelow = 120;
    m_empty->setVisible(m_isEmpty && height() >= lowBelow);
    for (const Column &column : m_columns)
        column.area->setVisible(height() >= lowBelow);
}

void StageBoard::refreshHeader(const api::OperationView *view)
{
    m_isEmpty = view == nullptr;
    showWhatFits();
    const bool live = view != nullptr && records::isLive(view->operation.state);
    m_showsAnEnd = view != nullptr && !live;
    m_title->setText(view == nullptr ? tr("Retry batches")
                                     : tr("Retry batches — %1").arg(models::operationName(view->operation)));
    m_title->setToolTip(plainToolTip(view == nullptr ? QString() : models::operationTip(view->operation)));
    m_pace->setText(view == nullptr ? QString() : models::BatchBoard::pace(*view));
    refreshWhy(view);
    const qint64 inDoubt = view == nullptr ? 0 : view->operation.counts.inDoubt;
    m_doubt->setVisible(inDoubt > 0);
    m_doubt->setText(tr("%1 in doubt…").arg(models::formatNumber(inDoubt)));
    const bool paused = live && view->operation.state == records::OperationState::Paused;
    m_pause->setText(paused ? tr("Resume") : tr("Pause"));
    m_pause->setToolTip(paused ? tr("Resume this retry") : live ? pauseTip(*view) : QString());
    m_cancel->setToolTip(
        plainToolTip(tr("Cancel this retry. Messages that are not sent yet become free for another retry.")));
    const QString refusal = m_session.refusal(models::Verb::Pause);
    for (QPushButton *button : {m_pause, m_cancel}) {
        button->setVisible(live);
        button->setEnabled(refusal.isEmpty());
        if (!refusal.isEmpty())
            button->setToolTip(plainToolTip(refusal));
    }
}

// The list of retries has little room for the reason, so it is repeated here.
void StageBoard::refreshWhy(const api::OperationView *view)
{
    const bool stopped = view != nullptr && !view->operation.stoppedBecause.isEmpty();
    const QString reason = view == nullptr ? QString() : view->operation.waitingReason;
    const QString why = stopped ? tr("Paused by the stop rule: %1").arg(view->operation.stoppedBecause) : reason;
    m_why->setVisible(!why.isEmpty());
    m_why->setText(models::visibleLine(why));
    setStyleProperty(m_why, "tone", stopped ? QStringLiteral("bad") : QStringLiteral("warn"));
}

// How many batches are done of how many: beside the pace there is no room for it in a small window.
void StageBoard::refreshRest(const api::OperationView *view)
{
    const QString rest = view == nullptr ? QString() : models::BatchBoard::batchesLeft(*view);
    const Column &done = m_columns[size_t(records::BatchStage::Done)];
    for (QLabel *label : {done.count, m_pace})
        label->setToolTip(plainToolTip(rest));
    if (view == nullptr || rest.isEmpty())
        return;
    done.count->setText(tr("%1 of %2").arg(done.count->text(), models::formatNumber(view->batchesTotal)));
    done.area->setAccessibleDescription(rest);
}

QString StageBoard::pauseTip(const api::OperationView &view) const
{
    const qint64 there = models::BatchBoard::withTheBroker(m_session.snapshot(), view.operation.id);
    if (there == 0)
        return tr("Pause this retry. No message is lost.");
    return tr("Pause this retry. %1 messages are already on the broker and still go to their destinations.", nullptr,
              int(there))
        .arg(models::formatNumber(there));
}

void StageBoard::refreshColumn(Column &column, const models::BoardColumn &shown)
{
    column.count->setText(models::formatNumber(shown.count));
    column.area->setAccessibleDescription(tr("Batches: %1").arg(models::formatNumber(shown.count)));
    column.area->setFocusPolicy(shown.cards.isEmpty() ? Qt::NoFocus : Qt::TabFocus); // for scrolling by keyboard
    column.more->setVisible(shown.more > 0);
    const QString more = models::formatNumber(shown.more);
    column.more->setText(shown.cards.isEmpty() ? tr("%1 batches, no longer listed", nullptr, shown.more).arg(more)
                                               : tr("+%1 more").arg(more));
    QHash<core::BatchId, StageCard *> gone = column.byBatch;
    for (int i = 0; i < shown.cards.size(); ++i) {
        const models::BatchCard &card = shown.cards.at(i);
        gone.remove(card.batch);
        StageCard *&widget = column.byBatch[card.batch];
        if (widget == nullptr) {
            widget = new StageCard(column.more->parentWidget());
            column.cards->insertWidget(i, widget);
            widget->setVisible(true);
        }
        widget->show(card, shown.stage);
    }
    for (auto it = gone.cbegin(); it != gone.cend(); ++it) {
        column.byBatch.remove(it.key());
        it.value()->hide();
        it.value()->deleteLater();
    }
}

void StageBoard::pauseOrResume()
{
    const api::OperationView *view = m_session.operation(m_shown);
    if (view == nullptr)
        return;
    const bool paused = view->operation.state == records::OperationState::Paused;
    m_session.act(m_shown, paused ? api::OperationAction::Resume : api::OperationAction::Pause);
}

void StageBoard::cancel()
{
    const api::OperationView *view = m_session.operation(m_shown);
    if (view != nullptr)
        confirmCancel(m_session, *view, this);
}

} // namespace views

#include "moc_stageboard.cpp"
