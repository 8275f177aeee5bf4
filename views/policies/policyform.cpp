#include "views/policies/policyform.h"

#include "backend/core/time/durationtext.h"
#include "backend/recovery/files/policycheck.h"
#include "backend/recovery/files/policyfile.h"
#include "views/common/widgets/formgrid.h"
#include "views/common/widgets/plaintext.h"
#include "views/policies/formfield.h"
#include "views/policies/ruleseditor.h"

#include <QCheckBox>
#include <QComboBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace views {

using recovery::Exhausted;
using recovery::Jitter;
using recovery::Schedule;

namespace {

constexpr int spanWidth = 84;
constexpr int columnGap = 28;
constexpr int rowGap = 9; // as between the rows of a column

// In the order of the enums: the words of the file.
const QStringList kindWords{QStringLiteral("linear"), QStringLiteral("exponential"), QStringLiteral("list"),
                            QStringLiteral("cadence")};
const QStringList jitterKinds{QStringLiteral("none"), QStringLiteral("full"), QStringLiteral("equal")};
const QStringList waitWords{QStringLiteral("store"), QStringLiteral("broker")};
const QStringList builtInWords{QStringLiteral("redrive"), QStringLiteral("nservicebus")};
const QStringList endKinds{QStringLiteral("leave"), QStringLiteral("move"), QStringLiteral("dead-letter"),
                           QStringLiteral("notify")};

QString spanText(const std::optional<core::Milliseconds> &span)
{
    return span ? core::durationWord(*span) : QString();
}

void insertText(QJsonObject &object, const char *name, const QString &text)
{
    if (!text.trimmed().isEmpty())
        object.insert(QLatin1StringView(name), text.trimmed());
}

} // namespace

PolicyForm::PolicyForm(const Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_columns(new QHBoxLayout)
    , m_rules(new RulesEditor(theme))
    , m_subtypesNote(new PlainLabel)
{
    setObjectName(QStringLiteral("policyForm"));
    setAttribute(Qt::WA_StyledBackground);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(12);
    m_columns->setSpacing(columnGap);
    const auto column = [this] {
        auto *side = new QWidget;
        auto *grid = new FormGrid(side);
        grid->setContentsMargins(0, 0, 0, 0);
        m_columns->addWidget(side, 1, Qt::AlignTop);
        return grid;
    };
    FormGrid *left = column();
    makeRetries(left);
    makeSchedule(left);
    makeLimits(column());
    layout->addLayout(m_columns);
    layout->addWidget(m_rules);
    layout->addWidget(makeBuiltIn());
    m_subtypesNote->setProperty("tone", QStringLiteral("muted"));
    m_subtypesNote->setWordWrap(true);
    layout->addWidget(m_subtypesNote);
    layout->addStretch(1);
    connect(m_rules, &RulesEditor::edited, this, &PolicyForm::tell);
    connect(m_kind, &QComboBox::activated, this, &PolicyForm::kindChosen);
    for (const QLineEdit *line : {m_delays, m_every, m_offset, m_cycle, m_plus})
        connect(line, &QLineEdit::textEdited, this, &PolicyForm::takeDelayedByDefault);
    connect(m_hasBackstop, &QCheckBox::clicked, this, &PolicyForm::takeDelayedByDefault);
    show(recovery::Policy());
}

int PolicyForm::widthOfColumns(QBoxLayout::Direction direction) const
{
    int sum = 0;
    int widest = 0;
    for (int i = 0; i < m_columns->count(); ++i) {
        const int one = m_columns->itemAt(i)->minimumSize().width();
        sum += one + (i == 0 ? 0 : columnGap);
        widest = std::max(widest, one);
    }
    const QMargins margins = layout()->contentsMargins();
    return (direction == QBoxLayout::LeftToRight ? sum : widest) + margins.left() + margins.right();
}

QSize PolicyForm::minimumSizeHint() const
{
    int width = widthOfColumns(QBoxLayout::TopToBottom);
    const QMargins margins = layout()->contentsMargins();
    for (int i = 0; i < layout()->count(); ++i) {
        if (layout()->itemAt(i) != m_columns)
            width = std::max(width, layout()->itemAt(i)->minimumSize().width() + margins.left() + margins.right());
    }
    return {width, QWidget::minimumSizeHint().height()};
}

void PolicyForm::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    const bool isWide = width() >= widthOfColumns(QBoxLayout::LeftToRight);
    m_columns->setSpacing(isWide ? columnGap : rowGap);
    m_columns->setDirection(isWide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

// ---- making the fields ----

QLineEdit *PolicyForm::addLine(const QString &objectName, const QString &name, const QString &hint)
{
    auto *line = new QLineEdit;
    line->setObjectName(objectName);
    line->setAccessibleName(name);
    line->setPlaceholderText(hint);
    connect(line, &QLineEdit::textChanged, this, &PolicyForm::tell);
    return line;
}

QSpinBox *PolicyForm::addNumber(const QString &objectName, const QString &name, int least, int most)
{
    auto *number = new QSpinBox;
    number->setObjectName(objectName);
    number->setAccessibleName(name);
    number->setRange(least, most);
    number->setGroupSeparatorShown(true);
    connect(number, &QSpinBox::valueChanged, this, &PolicyForm::tell);
    return number;
}

QComboBox *PolicyForm::addChoice(const QString &objectName, const QString &name, const QStringList &entries)
{
    auto *choice = new QComboBox;
    choice->setObjectName(objectName);
    choice->setAccessibleName(name);
    choice->addItems(entries);
    connect(choice, &QComboBox::currentIndexChanged, this, &PolicyForm::tell);
    return choice;
}

QCheckBox *PolicyForm::addSwitch(const QString &objectName, const QString &text)
{
    auto *box = new QCheckBox(text);
    box->setObjectName(objectName);
    connect(box, &QCheckBox::toggled, this, &PolicyForm::tell);
    return box;
}

FormField *PolicyForm::addField(FormGrid *grid, const QString &label, const QString &path,
                                const QList<QWidget *> &parts)
{
    auto *field = new FormField(path, parts);
    grid->addRow(label, field);
    m_fields.append({grid, field});
    return field;
}

void PolicyForm::makeRetries(FormGrid *grid)
{
    m_name = addLine(QStringLiteral("policyName"), tr("Name"), {});
    addField(grid, tr("Name"), QStringLiteral("name"), {m_name});
    m_immediate = addNumber(QStringLiteral("immediate"), tr("Retries at once"), 0, recovery::limits::immediate);
    m_immediate->setToolTip(plainToolTip(tr("Retries without delay. Each delayed retry is followed by as many.")));
    addField(grid, tr("At once"), QStringLiteral("immediate"), {m_immediate, new PlainLabel(tr("retries"))});
    m_delayed = addNumber(QStringLiteral("delayed"), tr("Delayed retries"), 0, recovery::limits::attempts - 1);
    addField(grid, tr("Delayed"), QStringLiteral("delayed"), {m_delayed, new PlainLabel(tr("retries"))});
}

void PolicyForm::makeSchedule(FormGrid *grid)
{
    m_kind = addChoice(QStringLiteral("scheduleKind"), tr("Kind of the schedule"),
                       {tr("Linear: 10 s, 20 s, 30 s"), tr("Exponential: 5 s, 10 s, 20 s"), tr("List of delays"),
                        tr("Cadence: at fixed turns")});
    addField(grid, tr("Schedule"), QStringLiteral("schedule.kind"), {m_kind});
    m_first = addLine(QStringLiteral("scheduleFirst"), tr("First delay"), tr("10s"));
    addField(grid, tr("First delay"), QStringLiteral("schedule.first"), {m_first});
    m_factor = addLine(QStringLiteral("scheduleFactor"), tr("Factor"), tr("2"));
    addField(grid, tr("Factor"), QStringLiteral("schedule.factor"), {m_factor});
    m_cap = addLine(QStringLiteral("scheduleCap"), tr("Longest delay"), tr("no limit"));
    addField(grid, tr("Longest delay"), QStringLiteral("schedule.cap"), {m_cap});
    m_delays = addLine(QStringLiteral("scheduleDelays"), tr("Delays"), tr("10s, 1m, 5m"));
    addField(grid, tr("Delays"), QStringLiteral("schedule.delays"), {m_delays});
    m_every = addLine(QStringLiteral("scheduleEvery"), tr("Time between turns"), tr("24h"));
    addField(grid, tr("Every"), QStringLiteral("schedule.every"), {m_every});
    m_offset = addLine(QStringLiteral("scheduleOffset"), tr("Offset of the turns from midnight UTC"), tr("0s"));
    m_offset->setToolTip(plainToolTip(tr("The turns are counted from midnight UTC plus this offset.")));
    addField(grid, tr("Offset"), QStringLiteral("schedule.offset"), {m_offset});
    m_jitter = addChoice(QStringLiteral("jitter"), tr("Jitter"),
                         {tr("None"), tr("Full: 0 to the delay"), tr("Equal: half to the delay"), tr("Plus or minus")});
    m_jitter->setToolTip(
        plainToolTip(tr("Spreads delayed retries, so that messages that failed together do not come back together.")));
    m_percent = addNumber(QStringLiteral("jitterPercent"), tr("Jitter in percent"), 1, 100);
    m_percent->setSuffix(tr(" %"));
    addField(grid, tr("Jitter"), QStringLiteral("jitter"), {m_jitter, m_percent});
    m_waitAt = addChoice(QStringLiteral("waitAt"), tr("Where delayed messages wait"),
                         {tr("In Redrive"), tr("At the broker, if it can")});
    m_waitAt->setToolTip(plainToolTip(tr(
        "Redrive must run when a message that waits in it is due. What waits at the broker is delivered at its time, "
        "also when Redrive does not run or the policy is paused. Service Bus can hold messages, SQS for up to 15 "
        "minutes. For other brokers (RabbitMQ), and for longer delays, Redrive waits.")));
    addField(grid, tr("Wait"), QStringLiteral("wait_at"), {m_waitAt});
    m_counter =
        addLine(QStringLiteral("counter"), tr("Header in which the application counts its retries"), tr("none"));
    m_counter->setToolTip(plainToolTip(
        tr("If the application counts its own retries in a header, for example X-Custom-Retry-Count: these count as "
           "attempts, and each retry of this policy goes on counting there. A retry by a person sets it to 0.")));
    addField(grid, tr("Counter"), QStringLiteral("counter"), {m_counter});
}

void PolicyForm::makeLimits(FormGrid *grid)
{
    m_gap = addLine(QStringLiteral("longestGap"), tr("Longest time between two delayed retries"), tr("24h"));
    m_gap->setToolTip(plainToolTip(tr("A longer time between two delayed retries ends them.")));
    addField(grid, tr("Longest gap"), QStringLiteral("longest_gap"), {m_gap});
    m_hasBackstop = addSwitch(QStringLiteral("hasBackstop"), tr("3 times"));
    m_hasBackstop->setAccessibleName(tr("No retry later than 3 times this, plus a rest, after the first failure"));
    m_hasBackstop->setToolTip(plainToolTip(m_hasBackstop->accessibleName()));
    m_cycle = addLine(QStringLiteral("backstopCycle"),
                      tr("A third of the time after which no retry comes, without the rest"), tr("24h"));
    m_plus = addLine(QStringLiteral("backstopPlus"), tr("Rest of the time after which no retry comes"), tr("3h"));
    addField(grid, tr("No retry after"), QStringLiteral("backstop"),
             {m_hasBackstop, m_cycle, new PlainLabel(tr("plus")), m_plus});
    m_hasLimit = addSwitch(QStringLiteral("hasRateLimit"), tr("After"));
    m_hasLimit->setAccessibleName(tr("Rate limit: after failures in a row, one message at a time"));
    m_hasLimit->setToolTip(plainToolTip(
        tr("After so many retries in a row that came back, one message at a time is tried until one succeeds.")));
    m_after = addNumber(QStringLiteral("limitAfter"), tr("Failures in a row before the rate limit"), 1,
                        recovery::limits::rateLimitAfter);
    m_wait = addLine(QStringLiteral("limitWait"), tr("Time between two probes"), tr("5s"));
    addField(grid, tr("Rate limit"), QStringLiteral("rate_limit"),
             {m_hasLimit, m_after, new PlainLabel(tr("failures, wait")), m_wait});
    m_stop = addLine(QStringLiteral("stopWhen"), tr("Stop rule"), tr("50%"));
    m_stop->setToolTip(plainToolTip(tr(
        "Pauses the policy when this share, or this number, of a retry came back. \"never\": it goes on. Empty: 50%, "
        "or never with a rate limit.")));
    addField(grid, tr("Stop when"), QStringLiteral("stop_when"), {m_stop, new PlainLabel(tr("came back"))});
    m_end = addChoice(QStringLiteral("exhaustedDo"), tr("What happens to a message that is given up"),
                      {tr("Leave it unresolved"), tr("Move it to a queue"), tr("Put it back where it was taken"),
                       tr("Leave it and warn")});
    addField(grid, tr("In the end"), QStringLiteral("exhausted.do"), {m_end});
    m_queue = addLine(QStringLiteral("exhaustedQueue"), tr("Queue for messages that are given up"), tr("parking"));
    m_queue->setToolTip(
        plainToolTip(tr("Where to move it. If it is put back: for messages whose queue takes nothing, such "
                        "as a dead-letter queue of Azure Service Bus. May be empty then.")));
    addField(grid, tr("To queue"), QStringLiteral("exhausted.queue"), {m_queue});
    for (QLineEdit *line : {m_cycle, m_plus, m_wait}) {
        line->setMinimumWidth(spanWidth * 2 / 3);
        line->setMaximumWidth(spanWidth);
    }
    m_stop->setMaximumWidth(spanWidth);
    m_after->setMaximumWidth(spanWidth);
}

QWidget *PolicyForm::makeBuiltIn()
{
    m_builtIn = addChoice(QStringLiteral("builtInRules"), tr("Which rules decide when no rule fits"),
                          {tr("Redrive: invalid data is permanent, a conflict transient"),
                           tr("NServiceBus: only a message that cannot be deserialized is permanent")});
    m_builtIn->setToolTip(plainToolTip(
        tr("What no rule names is transient: it is retried at once, then after the delays. Exceptions of .NET and Java "
           "count with their subtypes.")));
    auto *side = new QWidget;
    auto *grid = new FormGrid(side);
    grid->setContentsMargins(0, 0, 0, 0);
    addField(grid, tr("No rule fits"), QStringLiteral("built_in_rules"), {m_builtIn});
    return side;
}

// ---- showing a policy ----

void PolicyForm::show(const recovery::Policy &policy)
{
    m_showing = true;
    m_name->setText(policy.name);
    m_immediate->setValue(policy.immediate);
    m_delayed->setValue(policy.delayed);
    showSchedule(policy.schedule);
    m_jitter->setCurrentIndex(int(policy.jitter.kind));
    m_waitAt->setCurrentIndex(int(policy.waitAt));
    m_counter->setText(policy.counter);
    m_percent->setValue(policy.jitter.kind == Jitter::Kind::Percent ? policy.jitter.percent : 10);
    showLimits(policy);
    m_rules->setRules(policy.rules);
    m_builtIn->setCurrentIndex(int(policy.builtIn));
    m_subtypes = {};
    for (auto type = policy.subtypes.cbegin(); type != policy.subtypes.cend(); ++type)
        m_subtypes.insert(type.key(), QJsonArray::fromStringList(*type));
    m_subtypesNote->setText(
        m_subtypes.isEmpty()
            ? QString()
            : tr("The policy adds subtypes to %1 exception types. Edit them as JSON.", nullptr, int(m_subtypes.size()))
                  .arg(m_subtypes.size()));
    m_subtypesNote->setVisible(!m_subtypes.isEmpty());
    m_showing = false;
    updateRows();
}

void PolicyForm::showSchedule(const Schedule &schedule)
{
    m_kind->setCurrentIndex(int(schedule.kind));
    m_shownKind = schedule.kind;
    m_first->setText(spanText(schedule.first));
    m_factor->setText(QString::number(schedule.factor, 'g', QLocale::FloatingPointShortest));
    m_cap->setText(spanText(schedule.cap));
    QStringList delays;
    for (const core::Milliseconds delay : schedule.delays)
        delays.append(core::durationWord(delay));
    m_delays->setText(delays.join(QStringLiteral(", ")));
    m_every->setText(schedule.every.count() > 0 ? core::durationWord(schedule.every) : QString());
    m_offset->setText(schedule.offset.count() > 0 ? core::durationWord(schedule.offset) : QString());
}

void PolicyForm::showLimits(const recovery::Policy &policy)
{
    m_gap->setText(spanText(policy.longestGap));
    m_hasBackstop->setChecked(policy.backstop.has_value());
    m_cycle->setText(policy.backstop ? core::durationWord(policy.backstop->cycle) : QString());
    m_plus->setText(policy.backstop ? core::durationWord(policy.backstop->plus) : QString());
    const recovery::RateLimit limit = policy.rateLimit.value_or(recovery::RateLimit());
    m_hasLimit->setChecked(policy.rateLimit.has_value());
    m_after->setValue(limit.after);
    m_wait->setText(core::durationWord(limit.wait));
    m_stop->setText(!policy.stopWhen               ? QString()
                    : policy.stopWhen->amount == 0 ? QStringLiteral("never")
                                                   : records::toString(*policy.stopWhen));
    m_end->setCurrentIndex(int(policy.exhausted.what));
    m_queue->setText(policy.exhausted.queue);
}

void PolicyForm::lockName(const QString &why)
{
    m_name->setReadOnly(true);
    m_name->setToolTip(plainToolTip(why));
}

void PolicyForm::selectName()
{
    m_name->setFocus();
    m_name->selectAll();
}

void PolicyForm::tell()
{
    if (m_showing)
        return;
    updateRows();
    Q_EMIT edited();
}

void PolicyForm::updateRows()
{
    const auto kind = Schedule::Kind(m_kind->currentIndex());
    const bool delayed = m_delayed->value() > 0 || kind == Schedule::Kind::List || kind == Schedule::Kind::Cadence;
    const bool grows = kind == Schedule::Kind::Linear || kind == Schedule::Kind::Exponential;
    const auto end = Exhausted::Do(m_end->currentIndex());
    const std::pair<QWidget *, bool> rows[] = {
        {m_kind, true},
        {m_first, delayed && grows},
        {m_factor, delayed && kind == Schedule::Kind::Exponential},
        {m_cap, delayed && kind == Schedule::Kind::Exponential},
        {m_delays, kind == Schedule::Kind::List},
        {m_every, kind == Schedule::Kind::Cadence},
        {m_offset, kind == Schedule::Kind::Cadence},
        {m_jitter, delayed && kind != Schedule::Kind::Cadence},
        {m_waitAt, delayed},
        {m_queue, end == Exhausted::Do::Move || end == Exhausted::Do::DeadLetter},
    };
    for (const auto &[input, visible] : rows) {
        for (const auto &[grid, field] : std::as_const(m_fields)) {
            if (field->focusProxy() == input)
                grid->setRowVisible(field, visible);
        }
    }
    m_percent->setVisible(Jitter::Kind(m_jitter->currentIndex()) == Jitter::Kind::Percent);
    m_cycle->setEnabled(m_hasBackstop->isChecked());
    m_plus->setEnabled(m_hasBackstop->isChecked());
    m_after->setEnabled(m_hasLimit->isChecked());
    m_wait->setEnabled(m_hasLimit->isChecked());
}

// Each kind has its own jitter, unless a person chose another one.
void PolicyForm::kindChosen()
{
    const auto kind = Schedule::Kind(m_kind->currentIndex());
    if (m_jitter->currentIndex() == int(recovery::jitterByDefault(m_shownKind).kind))
        m_jitter->setCurrentIndex(int(recovery::jitterByDefault(kind).kind));
    m_shownKind = kind;
    takeDelayedByDefault();
}

void PolicyForm::takeDelayedByDefault()
{
    const auto kind = Schedule::Kind(m_kind->currentIndex());
    if (kind != Schedule::Kind::List && kind != Schedule::Kind::Cadence)
        return;
    const core::Result<recovery::Policy> policy =
        recovery::policyFrom(QJsonDocument(json(false)).toJson(QJsonDocument::Compact));
    if (policy)
        m_delayed->setValue(policy->delayed);
}

// ---- the file ----

QByteArray PolicyForm::file() const
{
    return QJsonDocument(json(true)).toJson(QJsonDocument::Indented);
}

QJsonObject PolicyForm::json(bool withDelayed) const
{
    QJsonObject object{{QStringLiteral("name"), m_name->text()}, {QStringLiteral("immediate"), m_immediate->value()}};
    const auto kind = Schedule::Kind(m_kind->currentIndex());
    const bool ownCount = kind == Schedule::Kind::List || kind == Schedule::Kind::Cadence;
    if (withDelayed)
        object.insert(QStringLiteral("delayed"), m_delayed->value());
    if (m_delayed->value() > 0 || ownCount)
        object.insert(QStringLiteral("schedule"), scheduleJson());
    const auto jitter = Jitter::Kind(m_jitter->currentIndex());
    if (kind != Schedule::Kind::Cadence)
        object.insert(QStringLiteral("jitter"), jitter == Jitter::Kind::Percent
                                                    ? QString::number(m_percent->value()) + QLatin1Char('%')
                                                    : jitterKinds.value(int(jitter)));
    if (m_waitAt->currentIndex() > 0)
        object.insert(QStringLiteral("wait_at"), waitWords.value(m_waitAt->currentIndex()));
    insertText(object, "counter", m_counter->text());
    addLimits(object);
    QJsonArray rules;
    for (const recovery::ClassRule &rule : m_rules->rules()) {
        constexpr std::array names{"exception", "message", "http_status", "dead_letter_reason"};
        constexpr std::array classes{"transient", "delayed", "permanent"};
        const bool isStatus = rule.by == recovery::ClassRule::By::HttpStatus;
        rules.append(QJsonObject{{QLatin1StringView(names.at(size_t(rule.by))),
                                  isStatus ? QJsonValue(rule.httpStatus) : QJsonValue(rule.pattern)},
                                 {QStringLiteral("as"), QLatin1StringView(classes.at(size_t(rule.as)))}});
    }
    if (!rules.isEmpty())
        object.insert(QStringLiteral("classify"), rules);
    if (m_builtIn->currentIndex() > 0)
        object.insert(QStringLiteral("built_in_rules"), builtInWords.value(m_builtIn->currentIndex()));
    if (!m_subtypes.isEmpty())
        object.insert(QStringLiteral("subtypes"), m_subtypes);
    return object;
}

QJsonObject PolicyForm::scheduleJson() const
{
    const auto kind = Schedule::Kind(m_kind->currentIndex());
    QJsonObject schedule{{QStringLiteral("kind"), kindWords.value(int(kind))}};
    switch (kind) {
    case Schedule::Kind::Exponential: {
        bool isNumber = false;
        const double factor = m_factor->text().trimmed().toDouble(&isNumber);
        if (!m_factor->text().trimmed().isEmpty())
            schedule.insert(QStringLiteral("factor"),
                            isNumber ? QJsonValue(factor) : QJsonValue(m_factor->text().trimmed()));
        insertText(schedule, "cap", m_cap->text());
        schedule.insert(QStringLiteral("first"), m_first->text().trimmed());
        break;
    }
    case Schedule::Kind::Linear:
        schedule.insert(QStringLiteral("first"), m_first->text().trimmed());
        break;
    case Schedule::Kind::List: {
        QJsonArray delays;
        static const QRegularExpression between(QStringLiteral("[,;\\s]+"));
        for (const QString &delay : m_delays->text().split(between, Qt::SkipEmptyParts))
            delays.append(delay);
        schedule.insert(QStringLiteral("delays"), delays);
        break;
    }
    case Schedule::Kind::Cadence:
        schedule.insert(QStringLiteral("every"), m_every->text().trimmed());
        insertText(schedule, "offset", m_offset->text());
        break;
    }
    return schedule;
}

void PolicyForm::addLimits(QJsonObject &object) const
{
    insertText(object, "longest_gap", m_gap->text());
    if (m_hasBackstop->isChecked()) {
        QJsonObject backstop;
        insertText(backstop, "cycle", m_cycle->text());
        insertText(backstop, "plus", m_plus->text());
        object.insert(QStringLiteral("backstop"), backstop);
    }
    if (m_hasLimit->isChecked())
        object.insert(QStringLiteral("rate_limit"), QJsonObject{{QStringLiteral("after"), m_after->value()},
                                                                {QStringLiteral("wait"), m_wait->text().trimmed()}});
    insertText(object, "stop_when", m_stop->text());
    const auto end = Exhausted::Do(m_end->currentIndex());
    QJsonObject exhausted{{QStringLiteral("do"), endKinds.value(int(end))}};
    if (end == Exhausted::Do::Move || (end == Exhausted::Do::DeadLetter && !m_queue->text().trimmed().isEmpty()))
        exhausted.insert(QStringLiteral("queue"), m_queue->text());
    object.insert(QStringLiteral("exhausted"), exhausted);
}

bool PolicyForm::showError(const QString &message)
{
    static const QRegularExpression form(QStringLiteral("^([a-z_]+(?:[.\\[][^:]*)?): (.*)$"),
                                         QRegularExpression::DotMatchesEverythingOption);
    const QRegularExpressionMatch match = form.match(message);
    const QString path = match.captured(1);
    const QString sentence = match.captured(2);
    bool shown = message.isEmpty();
    for (const auto &[grid, field] : std::as_const(m_fields)) {
        const bool isHere = !shown && match.hasMatch() && field->isAt(path) && field->isVisibleTo(this);
        field->setWrong(isHere ? sentence : QString());
        shown = shown || isHere;
    }
    const bool isRule = path.startsWith(QLatin1String("classify"));
    m_rules->setWrong(isRule ? path : QString(), isRule ? sentence : QString());
    return shown || isRule;
}

} // namespace views

#include "moc_policyform.cpp"
