#include "views/retries/plan/plandialog.h"

#include "models/common/glossary.h"
#include "models/common/visibletext.h"
#include "models/retries/plantext.h"
#include "views/common/lists/datatable.h"
#include "views/common/theme/styleproperty.h"
#include "views/common/widgets/badge.h"
#include "views/common/widgets/dialogfoot.h"
#include "views/common/widgets/dialogframe.h"
#include "views/common/widgets/formgrid.h"
#include "views/common/widgets/growtofit.h"
#include "views/common/widgets/plaintext.h"
#include "views/retries/plan/beginchoice.h"
#include "views/retries/plan/cautionchoice.h"
#include "views/retries/plan/destinationpicker.h"
#include "views/retries/plan/dropschoice.h"
#include "views/retries/plan/editchoice.h"
#include "views/retries/plan/emptyheaderschoice.h"
#include "views/retries/plan/ratechoice.h"
#include "views/retries/plan/rememberchoice.h"
#include "views/retries/plan/sharechoice.h"
#include "views/retries/plan/waitingchoice.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QScreen>
#include <QSpinBox>

namespace views {

namespace {

constexpr int dialogWidth = 980;
constexpr int destinationsShown = 6; // the table scrolls beyond that
constexpr int largestLimit = 100'000'000;

QHBoxLayout *line(QWidget *whole)
{
    auto *layout = new QHBoxLayout(whole);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
    return layout;
}

} // namespace

PlanDialog::PlanDialog(models::ConsoleSession &session, const api::RetryDraft &request, const Theme &theme,
                       models::TimeZone zone, QWidget *parent)
    : QDialog(parent)
    , m_session(session)
    , m_plan(session, request)
    , m_theme(theme)
    , m_zone(zone)
{
    setObjectName(QStringLiteral("planDialog"));
    setModal(true);
    m_scroll = frameDialog(*this, {makeHead(), makeBody(), makeFoot()});
    fitDialog(*this, dialogWidth);
    connect(&m_plan, &models::RetryPlan::changed, this, &PlanDialog::refresh);
    connect(&m_plan, &models::RetryPlan::progressed, this, [this] { m_problem->setText(footText()); });
    connect(&m_plan, &models::RetryPlan::accepted, this, [this](core::OperationId operation) {
        Q_EMIT started(operation);
        accept();
    });
    m_plan.ask();
}

QWidget *PlanDialog::makeHead()
{
    auto *head = new QWidget(this);
    head->setObjectName(QStringLiteral("dialogHead"));
    m_title = new PlainLabel({}, head);
    m_title->setObjectName(QStringLiteral("planTitle"));
    m_title->setProperty("strong", true);
    m_badge = new Badge(head);
    auto *row = new QHBoxLayout(head);
    row->setContentsMargins(16, 10, 16, 10);
    row->addWidget(m_title, 1);
    row->addWidget(m_badge);
    return head;
}

QWidget *PlanDialog::makeBody()
{
    auto *body = new QWidget(this);
    body->setObjectName(QStringLiteral("dialogBody"));
    auto *column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    m_form = new FormGrid(nullptr);
    m_form->setContentsMargins(16, 12, 16, 12);
    column->addLayout(m_form);
    column->addStretch(1); // spare room goes below the rows, not between them
    addFacts();
    addChoices(body);
    return body;
}

// What the retry would send.
void PlanDialog::addFacts()
{
    m_frozen = addRow(tr("Frozen at"), QStringLiteral("planFrozen"));
    m_frozen->setToolTip(plainToolTip(models::explained(models::Term::Frozen)));
    m_leftOut = addRow(tr("Left out"), QStringLiteral("planLeftOut"));
    m_leftOut->setProperty("tone", QStringLiteral("warn"));
    m_emptyHeaders = new EmptyHeadersChoice(m_plan, m_session, this);
    m_form->addRow(tr("Empty headers"), m_emptyHeaders);
    m_form->addRow(tr("Destinations"), makeDestinations());
    m_evidence = addRow(tr("Why there"), QStringLiteral("planEvidence"));
    m_evidence->setProperty("tone", QStringLiteral("muted"));
    m_redirected = addRow(tr("Redirected"), QStringLiteral("planRedirected"));
    m_remember = new RememberChoice(m_plan, this);
    m_form->addRow(tr("Remember"), m_remember);
    m_warnings = addRow(tr("Warnings"), QStringLiteral("planWarnings"));
    m_warnings->setProperty("tone", QStringLiteral("warn"));
    m_drops = new DropsChoice(m_plan, this);
    m_form->addRow(tr("Dropped there"), m_drops);
    m_failed = addRow(tr("Failed"), QStringLiteral("planFailed"));
    if (m_plan.draft().kind != records::OperationKind::Retry)
        return;
    m_edit = new EditChoice(m_plan, m_session, m_theme, this);
    connect(m_edit, &EditChoice::resized, this, &PlanDialog::fitHeight);
    m_form->addRow(tr("Changes"), m_edit);
}

void PlanDialog::addChoices(QWidget *body)
{
    m_form->addRow(tr("How many"), makeHowMany());
    m_form->addRow(tr("How fast"), makeRate());
    m_form->addRow(tr("Start"), makeBegin());
    if (m_plan.draft().kind == records::OperationKind::Retry) {
        m_form->addRow(tr("Safeguards"), makeCaution());
        m_keepOrder = new QCheckBox(tr("Keep the order for each destination (slower)"), body);
        m_keepOrder->setObjectName(QStringLiteral("planKeepOrder"));
        connect(m_keepOrder, &QCheckBox::clicked, &m_plan, &models::RetryPlan::setKeepOrder);
        m_form->addRow(tr("Order"), m_keepOrder);
        auto *askEndpoints = new QCheckBox(tr("Ask the endpoints to confirm each message (NServiceBus)"), body);
        askEndpoints->setObjectName(QStringLiteral("planAskEndpoints"));
        askEndpoints->setChecked(m_plan.draft().plan.askEndpoints);
        askEndpoints->setToolTip(plainToolTip(
            tr("An endpoint confirms in the error queue from which the message was taken. Leave it off if "
               "another program reads that queue, such as ServiceControl or a second Redrive, or if the endpoints "
               "cannot send to it.")));
        connect(askEndpoints, &QCheckBox::clicked, &m_plan, &models::RetryPlan::setAskEndpoints);
        m_form->addRow(tr("Evidence"), askEndpoints);
    }
    m_form->addRow(tr("If a send is in doubt"), makeInDoubt());
    m_guarantee = addRow(tr("Guarantee"), QStringLiteral("planGuarantee"));
    m_guarantee->setProperty("box", true);
    m_looped = new QCheckBox(body);
    m_looped->setObjectName(QStringLiteral("planLooped"));
    connect(m_looped, &QCheckBox::toggled, this, [this](bool on) { m_plan.setIncludeLooped(on); });
    m_form->addRow(tr("Loop guard"), m_looped);
    m_duplicates = new QCheckBox(body);
    m_duplicates->setObjectName(QStringLiteral("planDuplicates"));
    m_duplicates->setToolTip(tr("What is sent of them is flagged in the retry, because its consumer may get it twice"));
    connect(m_duplicates, &QCheckBox::toggled, this, [this](bool on) { m_plan.setIncludeDuplicates(on); });
    m_form->addRow(tr("Possible duplicates"), m_duplicates);
    m_reason = new QLineEdit(body);
    m_reason->setObjectName(QStringLiteral("planReason"));
    m_reason->setPlaceholderText(tr("What was fixed, ticket number (stored with the operation)"));
    connect(m_reason, &QLineEdit::textChanged, this, [this](const QString &text) { m_plan.setReason(text); });
    m_form->addRow(tr("Reason"), m_reason);
    m_form->addRow(tr("Confirm"), makeConfirm(body));
}

QWidget *PlanDialog::makeConfirm(QWidget *body)
{
    m_confirm = new QWidget(body);
    m_confirmText = new PlainLabel({}, m_confirm);
    m_typed = new QLineEdit(m_confirm);
    m_typed->setObjectName(QStringLiteral("planTyped"));
    m_typed->setAccessibleName(tr("Type the number of messages to confirm"));
    m_typed->setMaximumWidth(130);
    connect(m_typed, &QLineEdit::textChanged, this, [this](const QString &text) { m_plan.setConfirmation(text); });
    QHBoxLayout *confirm = line(m_confirm);
    confirm->addWidget(m_confirmText);
    confirm->addWidget(m_typed);
    confirm->addStretch(1);
    return m_confirm;
}

void PlanDialog::openEdit()
{
    if (m_edit == nullptr)
        return;
    m_edit->open();
    m_scroll->ensureWidgetVisible(m_edit);
}

QWidget *PlanDialog::makeDestinations()
{
    m_table = new DataTable(m_theme, -1, this);
    m_table->setObjectName(QStringLiteral("planDestinations"));
    m_table->setModel(&m_destinations);
    m_table->setSelectionMode(QAbstractItemView::NoSelection);
    m_table->setFocusPolicy(Qt::NoFocus);
    m_table->setAccessibleName(tr("Destinations"));
    m_table->setWidths({0, 190, 96, 188, 106, 96}, models::PlanDestinations::Queue);
    m_table->setDispensable({models::PlanDestinations::KnownFrom}); // the row below the table says it, too
    m_pickers = new DestinationPickers(*m_table, m_destinations, m_plan);
    return m_table;
}

QWidget *PlanDialog::makeHowMany()
{
    m_howMany = new QWidget(this);
    m_all = new QRadioButton(tr("All"), m_howMany);
    m_all->setObjectName(QStringLiteral("planAll"));
    m_all->setChecked(true);
    m_first = new QRadioButton(tr("The first"), m_howMany);
    m_first->setObjectName(QStringLiteral("planFirst"));
    m_limit = new QSpinBox(m_howMany);
    m_limit->setObjectName(QStringLiteral("planLimit"));
    m_limit->setRange(1, largestLimit);
    m_limit->setGroupSeparatorShown(true);
    m_limit->setValue(100);
    m_limit->setKeyboardTracking(false);
    m_limit->setAccessibleName(tr("Number of messages to retry"));
    QHBoxLayout *row = line(m_howMany);
    row->addWidget(m_all);
    row->addWidget(m_first);
    row->addWidget(m_limit);
    row->addStretch(1);
    connect(m_all, &QRadioButton::toggled, this, &PlanDialog::applyLimit);
    connect(m_limit, &QSpinBox::valueChanged, this, [this] {
        m_first->setChecked(true);
        applyLimit();
    });
    return m_howMany;
}

QWidget *PlanDialog::makeRate()
{
    auto *both = new QWidget(this);
    auto *rate = new RateChoice(both);
    auto *waiting = new WaitingChoice(both);
    connect(rate, &RateChoice::changed, &m_plan, &models::RetryPlan::setPerMinute);
    connect(waiting, &WaitingChoice::changed, &m_plan, &models::RetryPlan::setMostWaiting);
    auto *rows = new QVBoxLayout(both);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(4);
    rows->addWidget(rate);
    rows->addWidget(waiting);
    m_share = new ShareChoice(both);
    connect(m_share, &ShareChoice::changed, &m_plan, &models::RetryPlan::setBrokerShare);
    rows->addWidget(m_share);
    return both;
}

QWidget *PlanDialog::makeBegin()
{
    auto *choice = new BeginChoice(m_zone, this);
    connect(choice, &BeginChoice::changed, &m_plan, &models::RetryPlan::setNotBefore);
    return choice;
}

QWidget *PlanDialog::makeCaution()
{
    auto *choice = new CautionChoice(this);
    connect(choice, &CautionChoice::changed, &m_plan, &models::RetryPlan::setCaution);
    return choice;
}

QWidget *PlanDialog::makeInDoubt()
{
    m_inDoubt = new QWidget(this);
    m_sendAgain = new QRadioButton(tr("Send again (may arrive twice)"), m_inDoubt);
    m_sendAgain->setObjectName(QStringLiteral("planSendAgain"));
    m_leave = new QRadioButton(tr("Leave it for me to settle"), m_inDoubt);
    m_leave->setObjectName(QStringLiteral("planLeave"));
    for (QRadioButton *one : {m_sendAgain, m_leave})
        one->setToolTip(plainToolTip(models::explained(models::Term::InDoubt)));
    QHBoxLayout *row = line(m_inDoubt);
    row->addWidget(m_leave);
    row->addWidget(m_sendAgain);
    row->addStretch(1);
    // clicked, not toggled: only a choice of the person counts, not what the dialog sets itself.
    connect(m_sendAgain, &QRadioButton::clicked, this, [this] { m_plan.setOnUnknown(records::OnUnknown::SendAgain); });
    connect(m_leave, &QRadioButton::clicked, this, [this] { m_plan.setOnUnknown(records::OnUnknown::LeaveInDoubt); });
    return m_inDoubt;
}

DialogFoot *PlanDialog::makeFoot()
{
    // Enter must never start a retry in Production. For other environments refresh() sets the default button.
    auto *foot = new DialogFoot(this);
    m_problem = foot->addAnswer(QStringLiteral("planProblem"));
    m_problem->setProperty("tone", QStringLiteral("muted"));
    const QPushButton *cancel = foot->addLeave(QStringLiteral("planCancel"), tr("Cancel"));
    m_rehearse = foot->addPlain(QStringLiteral("planRehearse"), tr("Rehearse…"));
    m_rehearse->setToolTip(tr("Try this retry with copies of the messages. Nothing is sent."));
    m_rehearse->setVisible(m_plan.draft().kind == records::OperationKind::Retry);
    m_again = foot->addPlain(QStringLiteral("planAgain"));
    m_go = foot->addPrimary(QStringLiteral("planGo"), {}, DialogFoot::Act::NeedsItsButton);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_rehearse, &QPushButton::clicked, this,
            [this] { Q_EMIT rehearsalWanted(m_plan.draft(), m_plan.preview().sentence); });
    connect(m_again, &QPushButton::clicked, this, [this] {
        if (m_plan.state() == models::RetryPlan::State::Refused)
            m_plan.ask();
        else
            m_plan.dryRun();
    });
    connect(m_go, &QPushButton::clicked, &m_plan, &models::RetryPlan::go);
    return foot;
}

QLabel *PlanDialog::addRow(const QString &label, const QString &name)
{
    auto *value = new PlainLabel({}, this);
    value->setObjectName(name);
    value->setWordWrap(true);
    value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_form->addRow(label, value);
    return value;
}

void PlanDialog::reject()
{
    if (!m_plan.cancel())
        QDialog::reject();
}

void PlanDialog::applyLimit()
{
    m_plan.setLimit(m_all->isChecked() ? std::nullopt : std::optional<qint64>(m_limit->value()));
}

void PlanDialog::refresh()
{
    refreshText();
    refreshChoices();
    fitHeight();
    const models::RetryPlan::State state = m_plan.state();
    const bool production = m_plan.preview().environment == records::Environment::Production;
    const bool refused = state == models::RetryPlan::State::Refused;
    m_again->setText(refused ? tr("Check again") : tr("Dry run"));
    m_again->setToolTip(refused ? tr("Check which messages can be sent now")
                                : tr("Count again what would be sent now. Nothing is sent."));
    m_rehearse->setEnabled(state == models::RetryPlan::State::Ready);
    m_again->setEnabled(refused || state == models::RetryPlan::State::Ready);
    m_go->setEnabled(m_plan.canGo());
    m_go->setDefault(!production && m_plan.canGo());
    setStyleProperty(m_problem, "tone", m_plan.problem().isEmpty() ? QStringLiteral("muted") : QStringLiteral("bad"));
    m_problem->setText(footText());
}

QString PlanDialog::footText() const
{
    switch (m_plan.state()) {
    case models::RetryPlan::State::Asking:
        return m_plan.progress().isEmpty() ? tr("Counting…") : m_plan.progress();
    case models::RetryPlan::State::Sending:
        return m_plan.progress().isEmpty() ? tr("Freezing the messages…") : m_plan.progress();
    case models::RetryPlan::State::Ready:
    case models::RetryPlan::State::Refused:
    case models::RetryPlan::State::Accepted:
        break;
    }
    if (!m_plan.problem().isEmpty())
        return models::visibleLine(m_plan.problem());
    const api::PlanPreview &preview = m_plan.preview();
    const records::Plan &plan = m_plan.draft().plan;
    // How fast a share of the broker lets it go nobody knows before.
    const QString duration =
        plan.brokerShare ? QString() : models::PlanText::duration(preview.frozenCount, m_plan.pace(), plan.perMinute);
    QStringList lines{duration, models::PlanText::steps(preview, plan)};
    if (const std::optional<core::TimePoint> at = m_plan.dryRunAt())
        lines.prepend(models::PlanText::dryRun(preview, *at, m_zone));
    lines.removeAll(QString());
    return lines.join(QLatin1Char('\n'));
}

void PlanDialog::refreshText()
{
    const api::PlanPreview &preview = m_plan.preview();
    const bool known = preview.asOf != core::TimePoint{}; // the first answer has come
    const bool edited = !m_plan.draft().plan.edit.isEmpty();
    const QString title = known ? models::PlanText::title(m_plan.draft().kind, preview.frozenCount, edited)
                                : models::PlanText::title(m_plan.draft().kind);
    m_title->setText(title);
    m_go->setText(title);
    setWindowTitle(title);
    m_badge->setVisible(known);
    if (known)
        m_badge->show(preview.environment);
    m_frozen->setText(known ? models::PlanText::frozen(preview, m_zone) : tr("Counting…"));
    const QStringList leftOut = models::PlanText::leftOut(preview, m_plan.draft().plan);
    m_leftOut->setText(leftOut.join(QLatin1Char('\n')));
    m_form->setRowVisible(m_leftOut, !leftOut.isEmpty());
    m_emptyHeaders->refresh();
    m_form->setRowVisible(m_emptyHeaders, m_emptyHeaders->hasWords());
    const QStringList warnings = models::PlanText::warnings(preview);
    m_warnings->setText(warnings.join(QLatin1Char('\n')));
    m_form->setRowVisible(m_warnings, !warnings.isEmpty());
    m_drops->refresh();
    m_form->setRowVisible(m_drops, m_drops->hasWords());
    m_failed->setText(models::PlanText::failedBetween(preview, m_zone));
    m_form->setRowVisible(m_failed, !m_failed->text().isEmpty());
    m_guarantee->setText(preview.guarantee);
    m_form->setRowVisible(m_guarantee, !preview.guarantee.isEmpty());
    const QString redirected = models::PlanText::redirected(preview);
    m_redirected->setText(redirected);
    m_form->setRowVisible(m_redirected, !redirected.isEmpty());
    m_remember->refresh();
    m_form->setRowVisible(m_remember, m_remember->hasChoices());
    const QStringList evidence = models::PlanText::evidence(preview);
    m_evidence->setText(evidence.join(QLatin1Char('\n')));
    m_form->setRowVisible(m_evidence, !evidence.isEmpty());
    m_destinations.setRows(models::PlanDestinations::rowsOf(preview));
    m_pickers->refresh();
    m_table->setColumnHidden(models::PlanDestinations::Consumers, !m_destinations.knowsConsumers());
    m_form->setRowVisible(m_table, m_destinations.rowCount() > 0);
    if (m_edit != nullptr)
        m_edit->refresh();
    fitDestinations();
}

// Messages that are left out unless a person wants them. Once chosen they are not left out any more: the box stays, with its words.
void PlanDialog::refreshInclusion(QCheckBox *box, const QString &leftOut)
{
    if (!leftOut.isEmpty())
        box->setText(tr("%1: retry them anyway").arg(leftOut));
    m_form->setRowVisible(box, !leftOut.isEmpty() || box->isChecked());
}

void PlanDialog::refreshChoices()
{
    const api::PlanPreview &preview = m_plan.preview();
    m_form->setRowVisible(m_inDoubt, preview.onUnknownApplies);
    const bool again = m_plan.draft().plan.onUnknown == records::OnUnknown::SendAgain;
    (again ? m_sendAgain : m_leave)->setChecked(true);
    refreshInclusion(m_looped, models::PlanText::loopGuard(preview));
    refreshInclusion(m_duplicates, models::PlanText::duplicates(preview));
    m_share->setObstacle(preview.cannotShareBroker);
    if (m_keepOrder != nullptr) {
        m_keepOrder->setEnabled(preview.cannotKeepOrder.isEmpty() || m_plan.draft().plan.keepOrder);
        m_keepOrder->setToolTip(plainToolTip(preview.cannotKeepOrder));
    }
    const auto count = m_plan.countToType();
    m_form->setRowVisible(m_confirm, count.has_value());
    if (count)
        m_confirmText->setText(tr("Type %1").arg(models::formatNumber(*count)));
}

void PlanDialog::fitDestinations()
{
    const int rows = std::min(m_destinations.rowCount(), destinationsShown);
    int height = m_table->horizontalHeader()->height() + 2 * m_table->frameWidth();
    for (int row = 0; row < rows; ++row)
        height += m_table->rowHeight(row);
    m_table->setFixedHeight(height);
}

// Rows come and go with the plan. The dialog is as high as its visible rows, and scrolls when the screen is too low.
void PlanDialog::fitHeight()
{
    if (m_scroll != nullptr) // the constructor is done
        fitToContent(*this);
}

void PlanDialog::keyPressEvent(QKeyEvent *event)
{
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    const bool production = m_plan.preview().environment == records::Environment::Production;
    if (enter && production) {
        event->accept();
        return;
    }
    QDialog::keyPressEvent(event);
}

} // namespace views

#include "moc_plandialog.cpp"
