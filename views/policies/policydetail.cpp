#include "views/policies/policydetail.h"

#include "backend/recovery/files/policyfile.h"
#include "models/common/roles.h"
#include "models/common/visibletext.h"
#include "models/policies/policywords.h"
#include "views/common/lists/datatable.h"
#include "views/common/lists/emptystate.h"
#include "views/common/theme/styleproperty.h"
#include "views/policies/attempttimelineview.h"

#include <QPushButton>
#include <QVBoxLayout>

namespace views {

namespace {

QString toneName(models::Tone tone)
{
    switch (tone) {
    case models::Tone::Warn:
        return QStringLiteral("warn");
    case models::Tone::Bad:
        return QStringLiteral("bad");
    case models::Tone::Muted:
        return QStringLiteral("muted");
    case models::Tone::Normal:
    case models::Tone::Ok:
    case models::Tone::Accent:
        return {};
    }
    Q_UNREACHABLE();
}

} // namespace

PolicyDetail::PolicyDetail(const Console &console, QWidget *parent)
    : QWidget(parent)
    , m_console(console)
    , m_situation(new PlainLabel)
    , m_sentence(new PlainLabel)
    , m_timeline(new AttemptTimelineView(console.theme))
    , m_results(new PlainLabel)
    , m_table(new DataTable(console.theme, -1))
    , m_list(new ListOrState(m_table))
    , m_assign(new QPushButton(tr("Assign…")))
    , m_unassign(new QPushButton(tr("Unassign")))
    , m_obstacle(new QPushButton(tr("Show operation")))
{
    setObjectName(QStringLiteral("policyDetail"));
    setAttribute(Qt::WA_StyledBackground);
    m_timeline->setCompact(true);
    m_situation->setObjectName(QStringLiteral("policySituation"));
    m_sentence->setObjectName(QStringLiteral("policySentence"));
    m_results->setObjectName(QStringLiteral("muted"));
    m_sentence->setProperty("tone", QStringLiteral("muted"));
    for (PlainLabel *label : {m_situation, m_sentence})
        label->setWordWrap(true);
    m_table->setObjectName(QStringLiteral("assignmentsTable"));
    m_table->setAccessibleName(tr("What the policy is assigned to"));
    m_table->setModel(&m_model);
    m_list->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored); // has the room that is left
    m_list->setMinimumHeight(60); // the head and one row
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setWidths({220, 60, 56, 96, 96, 0}, models::AssignmentsModel::Why, 120);
    m_assign->setObjectName(QStringLiteral("policyAssign"));
    m_assign->setToolTip(tr("Assign this policy to a queue, a group or a rule"));
    m_unassign->setObjectName(QStringLiteral("policyUnassign"));
    m_obstacle->setObjectName(QStringLiteral("policyObstacle"));
    m_obstacle->hide();
    m_situation->setContentsMargins(10, 8, 10, 0);
    m_sentence->setContentsMargins(10, 3, 10, 3);
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(6);
    buttons->setContentsMargins(10, 0, 10, 6);
    buttons->addWidget(m_results, 1);
    buttons->addWidget(m_obstacle);
    buttons->addWidget(m_assign);
    buttons->addWidget(m_unassign);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_situation);
    layout->addWidget(m_sentence);
    layout->addWidget(m_timeline);
    layout->addLayout(buttons);
    layout->addWidget(m_list, 1);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &PolicyDetail::updateButtons);
    connect(m_assign, &QPushButton::clicked, this, &PolicyDetail::assignmentWanted);
    connect(m_obstacle, &QPushButton::clicked, this,
            [this] { Q_EMIT m_console.navigator.operationRequested(m_waitsFor); });
    connect(m_unassign, &QPushButton::clicked, this, &PolicyDetail::unassign);
}

void PolicyDetail::show(const api::PolicyView *policy)
{
    setVisible(policy != nullptr);
    if (policy == nullptr)
        return;
    showText(*policy);
    const api::Snapshot &snapshot = m_console.session.snapshot();
    const bool isPaused = policy->state == api::PolicyState::Paused || snapshot.engine == api::EngineState::Paused;
    m_model.show(policy->assignments, snapshot.at, m_console.filter.zone(), isPaused);
    showObstacle(*policy);
    if (m_model.rowCount() > 0)
        m_list->showList();
    else
        m_list->showState(tr("Assigned to nothing"), tr("Choose the failures that this policy retries by itself."));
    updateButtons();
}

void PolicyDetail::showText(const api::PolicyView &policy)
{
    const models::Tone tone = models::toneOf(policy);
    m_situation->setText(models::policySituation(policy, m_console.session.snapshot(), m_console.filter.zone()));
    setStyleProperty(m_situation, "tone", toneName(tone == models::Tone::Muted ? models::Tone::Normal : tone));
    m_sentence->setText(models::visibleLine(policy.sentence) + QStringLiteral(". ")
                        + models::visibleLine(policy.ending));
    m_results->setText(models::policyResults(policy));
    if (policy.file == m_file)
        return;
    m_file = policy.file;
    if (const core::Result<recovery::Policy> parts = recovery::policyFrom(policy.file))
        m_timeline->show(models::timelineOf(recovery::planAttempts(*parts)), policy.sentence);
}

void PolicyDetail::showObstacle(const api::PolicyView &policy)
{
    m_waitsFor = {};
    for (const api::AssignmentView &one : policy.assignments) {
        if (one.waitsFor.isValid() && !m_waitsFor.isValid())
            m_waitsFor = one.waitsFor;
    }
    m_obstacle->setVisible(m_waitsFor.isValid());
    if (m_waitsFor.isValid())
        m_obstacle->setText(tr("Show operation %1").arg(models::formatNumber(m_waitsFor.value)));
}

void PolicyDetail::setTimelineShown(bool shown)
{
    m_timeline->setVisible(shown);
}

void PolicyDetail::updateButtons()
{
    const QString refusal = m_console.session.refusal(models::Verb::Retry);
    const bool any = m_table->selectedCount() > 0;
    m_assign->setEnabled(refusal.isEmpty());
    m_assign->setToolTip(
        plainToolTip(refusal.isEmpty() ? tr("Assign this policy to a queue, a group or a rule") : refusal));
    m_unassign->setEnabled(any && refusal.isEmpty());
    m_unassign->setToolTip(plainToolTip(refusal.isEmpty() && !any ? tr("Select an assignment first.") : refusal));
}

void PolicyDetail::unassign()
{
    for (const int row : m_table->selectedRowNumbers())
        m_console.session.unassignPolicy(m_model.rows().at(row).id);
}

} // namespace views

#include "moc_policydetail.cpp"
