#include "views/retries/plan/destinationpicker.h"

#include "models/common/visibletext.h"
#include "views/common/lists/datatable.h"
#include "views/common/widgets/plaintext.h"

#include <QCompleter>
#include <QConcatenateTablesProxyModel>
#include <QKeyEvent>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QWheelEvent>

#include <algorithm>

namespace views {

namespace {

constexpr int asItWouldGo = 0; // the first entry
constexpr int readableCharacters = 16; // of a name, in a table with little room

QStandardItem *entryFor(const QString &queue)
{
    auto *entry = new QStandardItem(models::visibleLine(queue));
    entry->setData(queue, Qt::UserRole);
    return entry;
}

// As QComboBox::insertSeparator() makes it.
QStandardItem *separator()
{
    auto *entry = new QStandardItem;
    entry->setData(QStringLiteral("separator"), Qt::AccessibleDescriptionRole);
    entry->setFlags(Qt::NoItemFlags);
    return entry;
}

} // namespace

DestinationPicker::DestinationPicker(QString origin, QStandardItemModel *entries, QWidget *parent)
    : WideComboBox(parent)
    , m_origin(std::move(origin))
    , m_first(new QStandardItemModel(this))
{
    setObjectName(QStringLiteral("destinationPicker"));
    setFocusPolicy(Qt::StrongFocus); // the wheel scrolls the table, not the choice
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMaxVisibleItems(16);
    setInsertPolicy(QComboBox::NoInsert);
    m_first->appendRow(new QStandardItem(tr("where the message failed")));
    auto *all = new QConcatenateTablesProxyModel(this);
    all->addSourceModel(m_first);
    all->addSourceModel(entries);
    setModel(all);
    setCurrentIndex(-1);
    setAccessibleName(m_origin.isEmpty()
                          ? tr("Queue for messages without a known destination")
                          : tr("Queue for messages that failed at %1").arg(models::visibleLine(m_origin)));
    connect(this, &QComboBox::activated, this, [this](int index) {
        if (index == asItWouldGo)
            Q_EMIT chosen(m_origin, std::nullopt);
        else
            Q_EMIT chosen(m_origin, itemData(index).toString());
    });
}

void DestinationPicker::offer(const QStringList &choices)
{
    if (choices == m_choices)
        return;
    const QSignalBlocker quiet(this);
    m_choices = choices;
    m_first->removeRows(1, m_first->rowCount() - 1);
    for (const QString &queue : choices) {
        QStandardItem *entry = entryFor(queue);
        entry->setToolTip(tr("The exchange of these messages leads there, too"));
        m_first->appendRow(entry);
    }
    if (!choices.isEmpty())
        m_first->appendRow(separator());
}

void DestinationPicker::showQueue(const QString &queue, bool mayType)
{
    const QSignalBlocker quiet(this);
    m_shown = queue;
    if (mayType && !isEditable())
        letType();
    else if (!mayType)
        setEditable(false);
    const int entry = queue.isEmpty() ? -1 : findData(queue, Qt::UserRole, Qt::MatchExactly | Qt::MatchCaseSensitive);
    setCurrentIndex(entry);
    const QString words = queue.isEmpty() ? tr("choose a queue") : models::visibleLine(queue);
    setPlaceholderText(words);
    setMinimumContentsLength(std::min(int(words.size()), readableCharacters));
    if (!mayType)
        return;
    setEditText(entry < 0 ? queue : itemText(entry));
    lineEdit()->setPlaceholderText(words);
}

void DestinationPicker::letType()
{
    setEditable(true);
    completer()->setCompletionMode(QCompleter::PopupCompletion); // never completes text that the person did not type
    lineEdit()->installEventFilter(this);
    connect(lineEdit(), &QLineEdit::editingFinished, this, &DestinationPicker::takeTyped);
}

// On Enter, or when the focus leaves: the queue may be one that is not listed.
void DestinationPicker::takeTyped()
{
    const QString typed = currentText().trimmed();
    if (typed.isEmpty() || typed == models::visibleLine(m_shown) || typed == itemText(asItWouldGo))
        return;
    m_shown = typed;
    Q_EMIT chosen(m_origin, typed);
}

void DestinationPicker::wheelEvent(QWheelEvent *event)
{
    event->ignore();
}

// Enter opens the box: it must not start the retry.
void DestinationPicker::keyPressEvent(QKeyEvent *event)
{
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (!enter) {
        QComboBox::keyPressEvent(event);
        return;
    }
    event->accept();
    if (!isEditable())
        showPopup();
}

void DestinationPicker::focusInEvent(QFocusEvent *event)
{
    WideComboBox::focusInEvent(event);
    reveal();
}

bool DestinationPicker::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::FocusIn)
        reveal();
    return QComboBox::eventFilter(watched, event);
}

// The table takes no focus, so a person who comes here by keyboard would not see the row.
void DestinationPicker::reveal()
{
    for (QWidget *above = parentWidget(); above != nullptr; above = above->parentWidget()) {
        auto *table = qobject_cast<QAbstractItemView *>(above);
        if (table == nullptr)
            continue;
        table->scrollTo(table->indexAt(mapTo(table->viewport(), rect().center())));
        return;
    }
}

DestinationPickers::DestinationPickers(DataTable &table, models::PlanDestinations &rows, models::RetryPlan &plan)
    : QObject(&table)
    , m_table(table)
    , m_rows(rows)
    , m_plan(plan)
    , m_entries(new QStandardItemModel(0, 1, this))
{
}

void DestinationPickers::refresh()
{
    if (m_plan.state() == models::RetryPlan::State::Asking)
        return; // the answer to the last choice is still to come: the boxes already show that choice
    const bool release = m_plan.draft().kind == records::OperationKind::Release;
    const api::PlanPreview &preview = m_plan.preview();
    // A release goes back, and offers a choice only for what cannot.
    const bool isClosed = std::any_of(preview.missingDestinations.cbegin(), preview.missingDestinations.cend(),
                                      [](const api::PlannedDestination &one) { return !one.cannotSend.isEmpty(); });
    const bool isChosen = !release || isClosed || !m_plan.draft().plan.redirects.isEmpty();
    m_table.setColumnHidden(models::PlanDestinations::GoesTo, !isChosen);
    if (!isChosen)
        return;
    fillEntries();
    const int rows = std::min(m_rows.rowCount(), records::mostRedirects); // no plan takes more
    for (int row = 0; row < rows; ++row)
        refreshRow(row);
}

void DestinationPickers::fillEntries()
{
    if (m_targets == m_plan.preview().targets)
        return;
    m_targets = m_plan.preview().targets;
    m_entries->setRowCount(0);
    for (const QString &queue : std::as_const(m_targets))
        m_entries->appendRow(entryFor(queue));
}

void DestinationPickers::refreshRow(int row)
{
    const api::PlannedDestination &planned = m_rows.rows().at(row);
    const QModelIndex index = m_rows.index(row, models::PlanDestinations::GoesTo);
    auto *picker = qobject_cast<DestinationPicker *>(m_table.indexWidget(index));
    if (picker == nullptr) {
        picker = new DestinationPicker(planned.origin(), m_entries, m_table.viewport());
        connect(picker, &DestinationPicker::chosen, &m_plan, &models::RetryPlan::sendTo, Qt::QueuedConnection);
        m_table.setIndexWidget(index, picker);
    }
    const api::PlanPreview &preview = m_plan.preview();
    picker->offer(planned.choices);
    picker->showQueue(m_plan.chosenFor(planned.origin()).value_or(planned.destination.queue),
                      !preview.targetsNotKnown.isEmpty());
    picker->setEnabled(preview.cannotRedirect.isEmpty());
    const QString why = preview.cannotRedirect.isEmpty() ? preview.targetsNotKnown : preview.cannotRedirect;
    picker->setToolTip(plainToolTip(models::visibleLine(why)));
}

} // namespace views

#include "moc_destinationpicker.cpp"
