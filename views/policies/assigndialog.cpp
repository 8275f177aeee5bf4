#include "views/policies/assigndialog.h"

#include "backend/api/requests/policies.h"
#include "backend/recovery/files/rulefile.h"
#include "models/common/formatters.h"
#include "models/common/visibletext.h"
#include "models/policies/policywords.h"
#include "views/common/lists/widecombobox.h"
#include "views/common/theme/styleproperty.h"
#include "views/common/widgets/dialogfoot.h"
#include "views/common/widgets/dialogframe.h"
#include "views/common/widgets/formgrid.h"
#include "views/common/widgets/growtofit.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace views {

using Of = recovery::Scope::Of;

namespace {

constexpr int assignWidth = 560;
constexpr int mostGroups = 200;

} // namespace

AssignDialog::AssignDialog(const Console &console, const QString &policy, const recovery::Scope &scope,
                           const QString &words, QWidget *parent)
    : QDialog(parent)
    , m_console(console)
{
    setObjectName(QStringLiteral("assignDialog"));
    setModal(true);
    setWindowTitle(tr("Assign a policy"));
    frameDialog(*this, {nullptr, makeBody(), makeFoot()});
    fillPolicies(policy);
    propose(scope, words);
    connect(m_policy, &QComboBox::currentIndexChanged, this, &AssignDialog::update);
    connect(m_of, &QComboBox::currentIndexChanged, this, &AssignDialog::update);
    connect(m_connection, &QComboBox::currentIndexChanged, this, &AssignDialog::fillQueues);
    connect(m_queue, &QComboBox::editTextChanged, this, &AssignDialog::update);
    connect(m_group, &QComboBox::currentIndexChanged, this, &AssignDialog::update);
    connect(m_existing, &QComboBox::currentIndexChanged, this, &AssignDialog::showExisting);
    for (const auto &[place, line] : std::as_const(m_patterns))
        connect(line, &QLineEdit::textChanged, this, &AssignDialog::update);
    readGroups();
    update();
    fitDialog(*this, assignWidth);
    m_policy->setFocus();
}

QWidget *AssignDialog::makeBody()
{
    auto *body = new QWidget(this);
    body->setObjectName(QStringLiteral("dialogBody"));
    m_form = new FormGrid(body);
    m_form->setContentsMargins(16, 14, 16, 14);
    m_policy = addChoice(QStringLiteral("assignPolicyName"), tr("Policy"));
    m_sentence = new PlainLabel;
    m_sentence->setObjectName(QStringLiteral("assignSentence"));
    m_sentence->setWordWrap(true);
    m_sentence->setProperty("tone", QStringLiteral("muted"));
    m_form->addRow(QString(), m_sentence);
    m_of = addChoice(QStringLiteral("assignOf"), tr("For"));
    m_of->addItem(tr("A queue"), int(Of::Queue));
    m_of->addItem(tr("A failure group"), int(Of::Group));
    m_of->addItem(tr("A rule"), int(Of::Rule));
    makeQueueRows();
    m_group = addChoice(QStringLiteral("assignGroup"), tr("Group"));
    m_group->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    makeRuleRows();
    m_existing = addChoice(QStringLiteral("assignExisting"), tr("Messages"));
    m_existing->addItem(tr("Only new failures"), false);
    m_existing->addItem(QString(), true);
    m_existingNote = new PlainLabel;
    m_existingNote->setObjectName(QStringLiteral("assignExistingNote"));
    m_existingNote->setWordWrap(true);
    m_form->addRow(QString(), m_existingNote);
    auto *order =
        new PlainLabel(tr("The most specific assignment wins: a group before a rule, a rule before a queue."));
    order->setWordWrap(true);
    order->setProperty("tone", QStringLiteral("muted"));
    m_form->addRow(QString(), order);
    return body;
}

QComboBox *AssignDialog::addChoice(const QString &objectName, const QString &label)
{
    auto *choice = new WideComboBox;
    choice->setObjectName(objectName);
    choice->setAccessibleName(label);
    m_form->addRow(label, choice);
    return choice;
}

void AssignDialog::makeQueueRows()
{
    m_connection = addChoice(QStringLiteral("assignConnection"), tr("Connection"));
    m_queue = addChoice(QStringLiteral("assignQueue"), tr("Queue"));
    m_queue->setEditable(true);
    m_queue->setInsertPolicy(QComboBox::NoInsert);
    m_queue->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_queue->lineEdit()->setPlaceholderText(tr("The queue where the messages were found"));
}

void AssignDialog::makeRuleRows()
{
    using recovery::Rule;
    const std::pair<QString Rule::*, QString> places[] = {
        {&Rule::queue, tr("Found in queue")},     {&Rule::destination, tr("Goes back to")},
        {&Rule::exception, tr("Exception type")}, {&Rule::message, tr("Exception message")},
        {&Rule::messageType, tr("Message type")}, {&Rule::endpoint, tr("Endpoint")}};
    for (const auto &[place, label] : places) {
        auto *line = new QLineEdit;
        line->setObjectName(QStringLiteral("rulePattern%1").arg(m_patterns.size()));
        line->setAccessibleName(label);
        line->setPlaceholderText(tr("any"));
        line->setToolTip(tr("An asterisk stands for any characters, a question mark for one."));
        m_form->addRow(label, line);
        m_patterns.append({place, line});
    }
}

DialogFoot *AssignDialog::makeFoot()
{
    auto *foot = new DialogFoot(this);
    m_answer = foot->addAnswer(QStringLiteral("assignAnswer"));
    const QPushButton *cancel = foot->addLeave({}, tr("Cancel"));
    m_rehearse = foot->addPlain(QStringLiteral("assignRehearse"), tr("Rehearse…"));
    m_assign = foot->addPrimary(QStringLiteral("assign"), tr("Assign policy"), DialogFoot::Act::CanBeUndone);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_rehearse, &QPushButton::clicked, this,
            [this] { Q_EMIT rehearsalWanted(m_policy->currentData().toString(), scope()); });
    connect(m_assign, &QPushButton::clicked, this, [this] {
        if (m_policy->count() > 0)
            return assign();
        reject();
        Q_EMIT policyWanted();
    });
    return foot;
}

void AssignDialog::fillPolicies(const QString &policy)
{
    for (const api::PolicyView &one : m_console.session.snapshot().policies)
        m_policy->addItem(models::visibleLine(one.name), one.name);
    m_policy->setCurrentIndex(std::max(0, m_policy->findData(policy)));
    m_policy->setEnabled(m_policy->count() > 0);
}

void AssignDialog::propose(const recovery::Scope &scope, const QString &words)
{
    m_wanted = scope.group;
    if (scope.of == Of::Group && !words.isEmpty())
        m_group->addItem(models::visibleLine(words), scope.group.value);
    m_of->setCurrentIndex(m_of->findData(int(scope.of)));
    fillConnections(scope.connection);
    fillQueues();
    if (!scope.queue.isEmpty())
        m_queue->setEditText(scope.queue);
}

void AssignDialog::fillConnections(core::ConnectionId chosen)
{
    for (const api::ConnectionView &view : m_console.session.snapshot().connections)
        m_connection->addItem(models::visibleLine(view.connection.name), view.connection.id.value);
    m_connection->addItem(tr("All connections"), 0); // for a rule only
    const bool isProposed = chosen.isValid() || Of(m_of->currentData().toInt()) == Of::Rule;
    m_connection->setCurrentIndex(isProposed ? std::max(0, m_connection->findData(chosen.value)) : 0);
}

// Offers the queues with failed messages; the user may type any other name.
void AssignDialog::fillQueues()
{
    const QString typed = m_queue->currentText();
    const core::ConnectionId connection{m_connection->currentData().toLongLong()};
    m_queue->clear();
    for (const api::QueueView &queue : m_console.session.snapshot().queues) {
        if (queue.connection == connection && (queue.holdsFailed || queue.unresolved > 0))
            m_queue->addItem(models::visibleLine(queue.name), queue.name);
    }
    if (!typed.isEmpty() && m_queue->findText(typed, Qt::MatchExactly | Qt::MatchCaseSensitive) >= 0)
        m_queue->setEditText(typed);
    update();
}

// The groups with the most messages; the context menu of a group proposes any other.
void AssignDialog::readGroups()
{
    api::GroupQuery query;
    query.limit = mostGroups;
    m_console.session.ask(this, query, [this](const core::Result<api::GroupPage> &page) {
        if (!page)
            return;
        for (const api::GroupRow &row : page->rows) {
            if (m_group->findData(row.id.value) < 0)
                m_group->addItem(models::visibleLine(row.title), row.id.value);
        }
        if (m_wanted.isValid())
            m_group->setCurrentIndex(std::max(0, m_group->findData(m_wanted.value)));
        update();
    });
}

recovery::Scope AssignDialog::scope() const
{
    recovery::Scope scope;
    scope.of = Of(m_of->currentData().toInt());
    if (scope.of == Of::Group) {
        scope.group = core::GroupId{m_group->currentData().toLongLong()};
        return scope;
    }
    scope.connection = core::ConnectionId{m_connection->currentData().toLongLong()};
    if (scope.of == Of::Queue) {
        // A list entry shows a cleaned name and holds the real one; typed text is the name itself.
        const int entry = m_queue->findText(m_queue->currentText(), Qt::MatchExactly | Qt::MatchCaseSensitive);
        scope.queue = entry < 0 ? m_queue->currentText().trimmed() : m_queue->itemData(entry).toString();
        return scope;
    }
    for (const auto &[place, line] : m_patterns)
        scope.rule.*place = line->text().trimmed();
    return scope;
}

QString AssignDialog::refusal() const
{
    const recovery::Scope chosen = scope();
    const QString noRetry = m_console.session.refusal(models::Verb::Retry, chosen.connection);
    if (!noRetry.isEmpty())
        return noRetry;
    switch (chosen.of) {
    case Of::Queue:
        if (!chosen.connection.isValid())
            return tr("A queue belongs to one connection. Choose it.");
        return chosen.queue.isEmpty() ? tr("Choose a queue.") : QString();
    case Of::Group:
        return chosen.group.isValid() ? QString() : tr("There is no failure group yet.");
    case Of::Rule: {
        const core::Result<> checked = recovery::checkRule(chosen.rule);
        return checked ? QString() : models::visibleLine(checked.error().message);
    }
    }
    Q_UNREACHABLE();
}

// Asks how many messages of the store the choice is about, once for each choice.
void AssignDialog::countExisting(bool isComplete)
{
    const api::PreviewAssignment question{m_policy->currentData().toString(), scope()};
    const bool isAsked = m_asked && m_asked->policy == question.policy && m_asked->scope == question.scope;
    if (isComplete && isAsked)
        return;
    m_there.reset();
    m_asked.reset();
    m_counting.drop();
    if (isComplete) {
        m_asked = question;
        m_counting.ask(question, [this](const core::Result<api::AssignmentPreview> &there) {
            m_there = there ? std::optional(*there) : std::nullopt;
            if (!there) {
                m_asked.reset(); // the next choice asks again
                say(models::visibleLine(there.error().message), QStringLiteral("bad"));
            }
            showExisting();
        });
    }
    showExisting();
}

void AssignDialog::showExisting()
{
    const int also = m_existing->findData(true);
    m_existing->setItemText(
        also, m_there ? tr("Also the messages in the store: %1").arg(models::formatNumber(m_there->existing))
                      : tr("Also the messages in the store"));
    const bool isChosen = m_existing->currentData().toBool();
    QStringList notes;
    if (isChosen && m_counting.isPending())
        notes.append(tr("Counting…"));
    if (isChosen && m_there && m_there->existing > 0)
        notes.append(m_there->firstRetry
                         ? tr("The first retry is due at %1.")
                               .arg(models::formatListTime(*m_there->firstRetry, m_console.session.snapshot().at,
                                                           m_console.filter.zone()))
                         : tr("The policy retries none of these."));
    if (isChosen && m_there && m_there->inOtherRetries > 0)
        notes.append(tr("Frozen in other retries and not sent yet: %1. What the policy sends first, they skip.")
                         .arg(models::formatNumber(m_there->inOtherRetries)));
    m_existingNote->setText(notes.join(u' '));
    m_form->setRowVisible(m_existingNote, !notes.isEmpty());
    m_assign->setEnabled(m_isComplete && !m_assigning.isPending() && (m_there || !isChosen));
    growToFit(*this);
}

// A queue that nobody subscribed gives the policy nothing to do.
QString AssignDialog::hint() const
{
    const recovery::Scope chosen = scope();
    if (chosen.of != Of::Queue)
        return {};
    for (const api::QueueView &queue : m_console.session.snapshot().queues) {
        if (queue.connection == chosen.connection && queue.name == chosen.queue && !queue.subscribed)
            return tr("Redrive does not keep taking from %1, so new failures reach the policy only after somebody "
                      "takes "
                      "them. Subscribe the queue to change that.")
                .arg(models::visibleLine(queue.name));
    }
    return {};
}

void AssignDialog::update()
{
    const auto of = Of(m_of->currentData().toInt());
    m_form->setRowVisible(m_connection, of != Of::Group);
    m_form->setRowVisible(m_queue, of == Of::Queue);
    m_form->setRowVisible(m_group, of == Of::Group);
    for (const auto &[place, line] : std::as_const(m_patterns))
        m_form->setRowVisible(line, of == Of::Rule);
    const api::PolicyView *policy = m_console.session.policy(m_policy->currentData().toString());
    m_sentence->setText(policy == nullptr ? tr("There is no policy yet.") : models::visibleLine(policy->sentence));
    m_assign->setText(policy == nullptr ? tr("Add policy…") : tr("Assign policy"));
    const QString reason = policy == nullptr ? QString() : refusal();
    m_isComplete = reason.isEmpty();
    countExisting(policy != nullptr && reason.isEmpty());
    m_rehearse->setEnabled(policy != nullptr && of != Of::Rule && reason.isEmpty());
    m_rehearse->setToolTip(of == Of::Rule ? tr("Choose a queue or a group to rehearse the policy with its messages.")
                                          : tr("Try this policy with copies of the messages. Nothing is sent."));
    if (reason.isEmpty())
        say(policy == nullptr ? QString() : hint(), QStringLiteral("warn"));
    else
        say(reason, QStringLiteral("muted"));
}

void AssignDialog::assign()
{
    if (m_assigning.isPending())
        return;
    m_assign->setEnabled(false);
    const QString name = m_policy->currentData().toString();
    const api::AssignPolicy command{name, scope(), m_existing->currentData().toBool()};
    m_assigning.ask(command, [this, name](const core::Result<core::AssignmentId> &done) {
        m_assign->setEnabled(m_isComplete);
        if (!done) {
            say(models::visibleLine(done.error().message), QStringLiteral("bad"));
            return;
        }
        Q_EMIT m_console.session.succeeded(tr("Assigned the policy %1.").arg(models::visibleLine(name)));
        accept();
    });
}

void AssignDialog::say(const QString &text, const QString &tone)
{
    m_answer->setText(text);
    setStyleProperty(m_answer, "tone", tone);
    growToFit(*this);
}

} // namespace views

#include "moc_assigndialog.cpp"
