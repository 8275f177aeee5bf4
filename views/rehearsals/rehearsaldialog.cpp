#include "views/rehearsals/rehearsaldialog.h"

#include "models/common/visibletext.h"
#include "views/common/lists/datatable.h"
#include "views/common/theme/styleproperty.h"
#include "views/common/widgets/dialogfoot.h"
#include "views/common/widgets/dialogframe.h"
#include "views/common/widgets/formgrid.h"
#include "views/common/widgets/growtofit.h"
#include "views/common/widgets/plaintext.h"
#include "views/settings/spanfield.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>

namespace views {

namespace {

constexpr int rehearsalWidth = 760;
constexpr int rehearsalHeight = 640;
constexpr int likelyShare = 30;
constexpr int mostCountsSeen = 9; // rows; the lists scroll
constexpr int mostRoundsSeen = 5;

} // namespace

RehearsalDialog::RehearsalDialog(const Console &console, const api::Rehearse &request, const QString &about,
                                 QWidget *parent)
    : QDialog(parent)
    , m_rehearsal(console.session, request)
{
    setObjectName(QStringLiteral("rehearsalDialog"));
    setModal(true);
    setWindowTitle(tr("Rehearsal"));
    frameDialog(*this, {makeHead(about), makeBody(console.theme), makeFoot()});
    connect(&m_rehearsal, &models::Rehearsal::changed, this, &RehearsalDialog::update);
    update();
    fitDialog(*this, rehearsalWidth, rehearsalHeight);
    m_fails->setFocus();
}

QWidget *RehearsalDialog::makeHead(const QString &about)
{
    auto *head = new QWidget(this);
    head->setObjectName(QStringLiteral("dialogHead"));
    auto *title = new PlainLabel(models::visibleLine(about), head);
    title->setObjectName(QStringLiteral("rehearsalTitle"));
    title->setProperty("strong", true);
    title->setWordWrap(true);
    auto *what = new PlainLabel(tr("Copies of the messages go through a separate simulation, with simulated time. "
                                   "No broker is called and nothing is sent."),
                                head);
    what->setWordWrap(true);
    what->setProperty("tone", QStringLiteral("muted"));
    auto *column = new QVBoxLayout(head);
    column->setContentsMargins(16, 10, 16, 10);
    column->addWidget(title);
    column->addWidget(what);
    return head;
}

QWidget *RehearsalDialog::makeBody(const Theme &theme)
{
    auto *body = new QWidget(this);
    body->setObjectName(QStringLiteral("dialogBody"));
    m_choices = new QWidget(body);
    m_form = new FormGrid(m_choices);
    m_form->addRow(tr("Services fail on"), makeFails());
    m_lasting = new DurationField(tr("How long the services fail"), tr("For good"), std::chrono::seconds(1));
    m_lasting->setSpan({});
    m_form->addRow(tr("For"), m_lasting);
    m_atMost = new QSpinBox;
    m_atMost->setObjectName(QStringLiteral("rehearsalAtMost"));
    m_atMost->setRange(1, api::Rehearse::most);
    m_atMost->setValue(api::Rehearse::defaultMost);
    m_atMost->setGroupSeparatorShown(true);
    m_form->addRow(tr("Copy at most"), m_atMost);
    m_mask = new QCheckBox(tr("Replace letters and digits in the bodies of the copies"));
    m_mask->setObjectName(QStringLiteral("rehearsalMask"));
    m_form->addRow(tr("Bodies"), m_mask);
    connect(m_lasting, &DurationField::changed, this, &RehearsalDialog::update);

    m_result = new QWidget(body);
    m_sentence = new PlainLabel({}, m_result);
    m_sentence->setObjectName(QStringLiteral("rehearsalSentence"));
    m_sentence->setWordWrap(true);
    m_sentence->setProperty("box", true);
    m_countTable = makeTable(theme, QStringLiteral("rehearsalCounts"), tr("Outcome of the rehearsal"));
    m_countTable->setModel(&m_counts);
    m_roundTable = makeTable(theme, QStringLiteral("rehearsalRounds"), tr("Rounds of retries"));
    m_roundTable->setModel(&m_rounds);
    auto *results = new QVBoxLayout(m_result);
    results->setContentsMargins(0, 0, 0, 0);
    results->addWidget(m_sentence);
    results->addWidget(m_countTable);
    results->addWidget(m_roundTable);
    results->addStretch(1);

    auto *column = new QVBoxLayout(body);
    column->setContentsMargins(16, 12, 16, 12);
    column->addWidget(m_choices);
    column->addWidget(m_result, 1);
    column->addStretch(0);
    return body;
}

QWidget *RehearsalDialog::makeFails()
{
    auto *both = new QWidget;
    m_fails = new QComboBox(both);
    m_fails->setObjectName(QStringLiteral("rehearsalFails"));
    m_fails->setAccessibleName(tr("Services fail on"));
    m_fails->addItem(tr("No message"), int(Fails::Nothing));
    m_fails->addItem(tr("Every message"), int(Fails::Everything));
    m_fails->addItem(tr("A share of the messages"), int(Fails::Share));
    m_fails->addItem(tr("Messages of a cause"), int(Fails::Cause));
    m_fails->setCurrentIndex(m_fails->findData(int(Fails::Share)));
    m_share = new QSpinBox(both);
    m_share->setObjectName(QStringLiteral("rehearsalShare"));
    m_share->setAccessibleName(tr("Share of the messages in percent"));
    m_share->setRange(1, 100);
    m_share->setValue(likelyShare);
    m_share->setSuffix(tr(" %"));
    m_cause = new QLineEdit(both);
    m_cause->setObjectName(QStringLiteral("rehearsalCause"));
    m_cause->setAccessibleName(tr("Type or text of the exception"));
    m_cause->setPlaceholderText(tr("Type or text of the exception, like *Timeout*"));
    auto *row = new QHBoxLayout(both);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_fails);
    row->addWidget(m_share);
    row->addWidget(m_cause, 1);
    row->addStretch(0);
    connect(m_fails, &QComboBox::currentIndexChanged, this, &RehearsalDialog::update);
    connect(m_cause, &QLineEdit::textChanged, this, &RehearsalDialog::update);
    return both;
}

DataTable *RehearsalDialog::makeTable(const Theme &theme, const QString &name, const QString &label)
{
    auto *table = new DataTable(theme, -1, m_result);
    table->setObjectName(name);
    table->setAccessibleName(label);
    table->setSelectionMode(QAbstractItemView::NoSelection);
    table->setFocusPolicy(Qt::TabFocus);
    return table;
}

DialogFoot *RehearsalDialog::makeFoot()
{
    auto *foot = new DialogFoot(this);
    m_answer = foot->addAnswer(QStringLiteral("rehearsalAnswer"));
    m_cancel = foot->addLeave(QStringLiteral("rehearsalCancel"), tr("Cancel"));
    m_start = foot->addPrimary(QStringLiteral("rehearsalStart"), tr("Start rehearsal"), DialogFoot::Act::CanBeUndone);
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        if (m_rehearsal.state() == models::Rehearsal::State::Running)
            m_rehearsal.cancel();
        else
            reject();
    });
    connect(m_start, &QPushButton::clicked, this, &RehearsalDialog::begin);
    return foot;
}

api::RehearsalFaults RehearsalDialog::faults() const
{
    api::RehearsalFaults faults;
    const auto fails = Fails(m_fails->currentData().toInt());
    if (fails == Fails::Nothing)
        return faults;
    faults.lasting = m_lasting->span();
    if (fails == Fails::Cause)
        faults.cause = m_cause->text().trimmed();
    else
        faults.share = api::RehearsalFaults::wholeShare / 100 * (fails == Fails::Share ? m_share->value() : 100);
    return faults;
}

QString RehearsalDialog::missing() const
{
    const bool needsCause = Fails(m_fails->currentData().toInt()) == Fails::Cause;
    return needsCause && m_cause->text().trimmed().isEmpty() ? tr("Enter the type or the text of the exception.")
                                                             : QString();
}

void RehearsalDialog::begin()
{
    m_rehearsal.start(faults(), m_mask->isChecked(), m_atMost->value());
}

void RehearsalDialog::update()
{
    const models::Rehearsal::State state = m_rehearsal.state();
    const bool runs = state == models::Rehearsal::State::Running;
    const auto fails = Fails(m_fails->currentData().toInt());
    m_share->setVisible(fails == Fails::Share);
    m_cause->setVisible(fails == Fails::Cause);
    m_form->setRowVisible(m_lasting, fails != Fails::Nothing);
    m_choices->setEnabled(!runs);
    m_cancel->setText(runs ? tr("Cancel rehearsal") : tr("Close"));
    m_start->setText(state == models::Rehearsal::State::Ended ? tr("Rehearse again") : tr("Start rehearsal"));
    m_start->setEnabled(!runs && missing().isEmpty());
    m_result->setVisible(state == models::Rehearsal::State::Ended);
    const bool failed = state == models::Rehearsal::State::Failed;
    m_answer->setText(runs ? m_rehearsal.progress() : failed ? models::visibleLine(m_rehearsal.problem()) : missing());
    setStyleProperty(m_answer, "tone", failed ? QStringLiteral("bad") : QStringLiteral("muted"));
    if (state == models::Rehearsal::State::Ended)
        showReport();
}

void RehearsalDialog::showReport()
{
    const api::RehearsalReport &report = m_rehearsal.report();
    m_sentence->setText(models::visibleLine(api::textOf(report).sentence));
    m_counts.showCounts(report);
    m_rounds.showRounds(report);
    m_countTable->setWidths({0, 220}, 0);
    m_roundTable->setWidths({0, 110, 110, 90, 90}, 0);
    m_countTable->showRows(mostCountsSeen);
    m_roundTable->showRows(mostRoundsSeen);
    m_roundTable->setVisible(!report.rounds.isEmpty());
    growToFit(*this);
}

} // namespace views

#include "moc_rehearsaldialog.cpp"
