#include "views/pipelines/pipelinespage.h"

#include "models/common/visibletext.h"
#include "views/common/lists/datatable.h"
#include "views/common/lists/emptystate.h"
#include "views/common/lists/filterrow.h"
#include "views/common/widgets/banner.h"
#include "views/common/widgets/question.h"
#include "views/pipelines/pipelinedialog.h"
#include "views/pipelines/stepcolumn.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace views {

using models::PipelineList;
using records::PipelineStep;

PipelinesPage::PipelinesPage(const Console &given, QWidget *parent)
    : Page(given, parent)
    , m_feed(given.session)
    , m_bar(new FilterRow)
    , m_banner(new Banner)
    , m_table(new DataTable(given.theme, -1))
    , m_state(new ListOrState(m_table))
{
    setObjectName(QStringLiteral("pipelinesPage"));
    m_table->setObjectName(QStringLiteral("pipelineTable"));
    m_table->setModel(&m_model);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_bar);
    layout->addWidget(m_banner);
    layout->addWidget(makeSteps());
    layout->addWidget(m_state, 1);
    layout->addWidget(makeQuery());
    makeBar();
    connect(&m_feed, &models::PipelinesFeed::pipelinesChanged, this, &PipelinesPage::showPipelines);
    connect(&m_feed, &models::PipelinesFeed::readingChanged, this, &PipelinesPage::update);
    connect(&given.session, &models::ConsoleSession::queuesChanged, this, &PipelinesPage::updateQueues);
    connect(&given.session, &models::ConsoleSession::connectionsChanged, this, &PipelinesPage::updateButtons);
    connect(&given.filter, &models::ConsoleFilter::zoneChanged, this, &PipelinesPage::update);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &PipelinesPage::updateButtons);
    connect(m_state, &ListOrState::actionRequested, this, &PipelinesPage::reload);
    chooseList(m_list);
}

void PipelinesPage::makeBar()
{
    m_choice = m_bar->addChoice(tr("Pipeline"), QStringLiteral("pipelineChoice"));
    m_raise = new QPushButton(tr("Raise event again…"));
    m_raise->setObjectName(QStringLiteral("raiseEvent"));
    m_copy = new QPushButton(tr("Copy query"));
    m_copy->setObjectName(QStringLiteral("copyQuery"));
    m_bar->addButton(m_raise);
    m_bar->addButton(m_copy);
    m_bar->finish();
    connect(m_choice, &QComboBox::activated, this,
            [this](int index) { m_feed.choose(core::PipelineId{m_choice->itemData(index).toLongLong()}); });
    connect(m_raise, &QPushButton::clicked, this, &PipelinesPage::askToRaise);
    connect(m_copy, &QPushButton::clicked, this, &PipelinesPage::copyQuery);
}

QWidget *PipelinesPage::makeSteps()
{
    auto *steps = new QWidget;
    steps->setObjectName(QStringLiteral("pipelineSteps"));
    auto *row = new QHBoxLayout(steps);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    auto *receive = new StepColumn(QStringLiteral("stepReceive"), tr("Receive"));
    receive->setProperty("first", true);
    receive->addText(tr("Has no tasks: its senders send again what was not accepted."));
    auto *process = new StepColumn(QStringLiteral("stepProcess"), tr("Process"));
    addList(process, PipelineList::OverdueProcess, QStringLiteral("overdueProcess"), tr("Overdue"));
    addQueues(process, PipelineStep::Process);
    auto *batch = new StepColumn(QStringLiteral("stepBatch"), tr("Batch"));
    addList(batch, PipelineList::OverdueBatch, QStringLiteral("overdueBatch"), tr("Overdue"));
    addList(batch, PipelineList::Receivers, QStringLiteral("receivers"), tr("Receivers"));
    addQueues(batch, PipelineStep::Batch);
    auto *send = new StepColumn(QStringLiteral("stepSend"), tr("Send"));
    addList(send, PipelineList::OverdueSend, QStringLiteral("overdueSend"), tr("Overdue"));
    addList(send, PipelineList::SendRetries, QStringLiteral("sendRetries"), tr("Sent again later"));
    addList(send, PipelineList::SendActions, QStringLiteral("sendActions"), tr("Failed sends"));
    addQueues(send, PipelineStep::Send);
    for (StepColumn *column : {receive, process, batch, send}) {
        column->finish();
        row->addWidget(column, 1);
    }
    return steps;
}

void PipelinesPage::addList(StepColumn *column, PipelineList list, const QString &name, const QString &label)
{
    QPushButton *button = column->addCount(name, true);
    if (const std::optional<PipelineStep> step = models::stepOf(list))
        button->setToolTip(*step == PipelineStep::Process
                               ? tr("Tasks whose next action is more than 15 minutes late")
                               : tr("Tasks of the last 4 days whose next action is more than 15 minutes late"));
    m_lists.insert(int(list), {button, label});
    connect(button, &QPushButton::clicked, this, [this, list] { chooseList(list); });
}

void PipelinesPage::addQueues(StepColumn *column, PipelineStep step)
{
    const QString word = records::toString(step);
    QPushButton *depth = column->addCount(QStringLiteral("depth-") + word, false);
    depth->setEnabled(false); // a number only: its messages are the pipeline's own
    QPushButton *poison = column->addCount(QStringLiteral("poison-") + word, false);
    poison->setToolTip(tr("Events that failed too often. Opens those that were taken into the store, to retry them."));
    m_depths.insert(int(step), {depth, tr("In the queue")});
    m_poison.insert(int(step), {poison, tr("Poison")});
    connect(poison, &QPushButton::clicked, this, [this, step] { showPoison(step); });
}

QWidget *PipelinesPage::makeQuery()
{
    m_query = new QPlainTextEdit;
    m_query->setObjectName(QStringLiteral("pipelineQuery"));
    m_query->setReadOnly(true);
    m_query->setTabChangesFocus(true);
    m_query->setAccessibleName(tr("The query behind this list"));
    m_query->setFont(QFont(QStringLiteral("DejaVu Sans Mono")));
    constexpr int lines = 3;
    constexpr int frame = 14;
    m_query->setFixedHeight(m_query->fontMetrics().lineSpacing() * lines + frame);
    m_queryPane = new QWidget;
    m_queryPane->setObjectName(QStringLiteral("filterRow"));
    auto *row = new QHBoxLayout(m_queryPane);
    row->setContentsMargins(8, 6, 8, 6);
    row->addWidget(m_query);
    return m_queryPane;
}

// A low page leaves the room to the list; the query can be copied all the same.
void PipelinesPage::resizeEvent(QResizeEvent *event)
{
    Page::resizeEvent(event);
    showQuery();
}

void PipelinesPage::showQuery()
{
    constexpr int lowBelow = 460;
    const std::optional<PipelineStep> step = models::stepOf(m_list);
    const QString sql = step ? m_feed.sqlOf(*step) : QString();
    m_copy->setEnabled(!sql.isEmpty());
    m_copy->setToolTip(plainToolTip(sql.isEmpty() ? tr("Only the lists of overdue tasks have a query to copy") : sql));
    m_queryPane->setVisible(!sql.isEmpty() && height() >= lowBelow);
    if (m_query->toPlainText() != sql)
        m_query->setPlainText(sql);
}

void PipelinesPage::copyQuery()
{
    QGuiApplication::clipboard()->setText(m_query->toPlainText());
    Q_EMIT console().session.succeeded(tr("The query is copied."));
}

void PipelinesPage::setActive(bool active)
{
    m_feed.setActive(active);
}

void PipelinesPage::reload()
{
    m_feed.reload();
}

void PipelinesPage::focusFilter()
{
    m_choice->setFocus(Qt::ShortcutFocusReason);
}

void PipelinesPage::focusList()
{
    m_table->setFocus(Qt::ShortcutFocusReason);
}

void PipelinesPage::showPipelines()
{
    m_choice->clear();
    for (const records::Pipeline &one : m_feed.pipelines())
        m_choice->addItem(models::visibleLine(one.name), one.id.value);
    Q_EMIT pipelinesChanged();
    update();
}

void PipelinesPage::showChosen()
{
    if (const records::Pipeline *chosen = m_feed.chosen())
        m_choice->setCurrentIndex(m_choice->findData(chosen->id.value));
}

void PipelinesPage::chooseList(PipelineList list)
{
    m_list = list;
    for (auto one = m_lists.cbegin(); one != m_lists.cend(); ++one)
        one->button->setChecked(one.key() == int(list));
    update();
}

void PipelinesPage::update()
{
    showChosen();
    const bool isOther = m_model.list() != m_list || m_model.columnCount() == 0;
    m_model.show(m_list, m_feed.reading(), console().filter.zone());
    m_table->setAccessibleName(m_lists.value(int(m_list)).label);
    if (isOther && models::stepOf(m_list))
        m_table->setWidths({290, 120, 120, 70, 170, 110}, 0, 200);
    else if (isOther && m_list == PipelineList::SendActions)
        m_table->setWidths({110, 130, 0}, 2, 200);
    else if (isOther)
        m_table->setWidths({260, 130, 110, 130, 130, 120}, 0, 200);
    const bool failed = !m_feed.error().isEmpty();
    if (m_model.rowCount() > 0)
        m_state->showList();
    else if (failed && !m_feed.hasReading())
        m_state->showState(tr("The tables cannot be read"), m_feed.error(), tr("Try again"));
    else if (!m_feed.hasReading())
        m_state->showState(tr("Reading the tables…"), {});
    else
        m_state->showState(tr("Nothing to show"), tr("The database has no rows for this list."));
    if (failed && m_feed.hasReading())
        m_banner->show(models::Tone::Bad, m_feed.error(), {tr("Try again"), [this] { reload(); }});
    else if (!m_feed.reading().unreadable.isEmpty())
        m_banner->show(models::Tone::Warn, models::visibleLine(m_feed.reading().unreadable));
    else
        m_banner->dismiss();
    m_bar->setCounts(m_feed.hasReading()
                         ? tr("As of %1").arg(models::formatClock(m_feed.reading().asOf, console().filter.zone()))
                         : QString());
    updateCounts();
    updateQueues();
    updateButtons();
}

void PipelinesPage::updateCounts()
{
    for (auto one = m_lists.cbegin(); one != m_lists.cend(); ++one) {
        const auto list = PipelineList(one.key());
        const QString count = m_feed.countText(list);
        const bool isTrouble = models::stepOf(list).has_value() || list == PipelineList::SendActions;
        StepColumn::setCount(one->button, one->label, count, isTrouble && !count.isEmpty() && count != u"0");
    }
}

void PipelinesPage::updateQueues()
{
    const auto text = [](const std::optional<qint64> &count) {
        return count ? models::formatNumber(*count) : QString();
    };
    for (const PipelineStep step : records::taskSteps) {
        const api::StepQueues queues = m_feed.queuesOf(step);
        const Count depth = m_depths.value(int(step));
        StepColumn::setCount(depth.button, depth.label, text(queues.depth), false);
        std::optional<qint64> poison = queues.poison;
        if (queues.poisonTaken > 0)
            poison = poison.value_or(0) + queues.poisonTaken;
        const Count shown = m_poison.value(int(step));
        StepColumn::setCount(shown.button, shown.label, text(poison), poison.value_or(0) > 0);
        shown.button->setEnabled(!queues.poisonQueue.isEmpty());
    }
}

void PipelinesPage::updateButtons()
{
    const QString refusal = m_feed.raiseRefusal();
    const QString missing = currentTask() == nullptr ? tr("Choose an overdue task first") : QString();
    m_raise->setEnabled(missing.isEmpty() && refusal.isEmpty());
    m_raise->setToolTip(plainToolTip(refusal.isEmpty() ? missing : refusal));
    showQuery();
}

const records::PipelineTask *PipelinesPage::currentTask() const
{
    const QModelIndex row = m_table->currentIndex();
    return row.isValid() ? m_model.task(row.row()) : nullptr;
}

void PipelinesPage::showPoison(PipelineStep step)
{
    const api::StepQueues queues = m_feed.queuesOf(step);
    if (queues.poisonQueue.isEmpty())
        return;
    records::MessageFilter filter;
    filter.connection = queues.poisonConnection;
    filter.queue = queues.poisonQueue;
    Q_EMIT console().navigator.messagesRequested(filter, tr("Queue %1").arg(models::visibleLine(queues.poisonQueue)));
}

void PipelinesPage::askToRaise()
{
    const records::PipelineTask *task = currentTask();
    const records::Pipeline *pipeline = m_feed.chosen();
    if (task == nullptr || pipeline == nullptr)
        return;
    const bool sends = pipeline->connection.isValid();
    Question question;
    question.name = QStringLiteral("confirmRaise");
    question.title = tr("Raise event again");
    question.text = tr("Raise the event of task %1 again?").arg(models::visibleLine(task->reportId));
    question.consequences =
        sends ? tr("The task becomes due now, and its event is put into the queue %1. If the first event still exists, "
                   "the step may run twice.")
                    .arg(models::visibleLine(task->nextAction))
              : tr("The task becomes due now. No event is sent, because the pipeline has no connection.");
    question.action = tr("Raise event");
    askQuestion(question, this, [this, of = pipeline->id, shown = *task] { m_feed.raise(of, shown); });
}

void PipelinesPage::addPipeline()
{
    auto *dialog = new PipelineDialog(console(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &PipelineDialog::added, this, [this](core::PipelineId id) {
        m_feed.chooseAdded(id);
        Q_EMIT added();
    });
    dialog->open();
}

void PipelinesPage::askToRemove()
{
    const records::Pipeline *pipeline = m_feed.chosen();
    if (pipeline == nullptr)
        return;
    Question question;
    question.name = QStringLiteral("removePipeline");
    question.title = tr("Remove pipeline");
    question.text = tr("Remove the pipeline %1?").arg(models::visibleLine(pipeline->name));
    question.consequences = tr("Redrive forgets where its database is, and its password. The database is not touched.");
    question.action = tr("Remove pipeline");
    askQuestion(question, this, [this, id = pipeline->id] { m_feed.remove(id); });
}

} // namespace views

#include "moc_pipelinespage.cpp"
