#include "views/policies/policydialog.h"

#include "backend/api/requests/policies.h"
#include "backend/records/editing/jsonnode.h"
#include "backend/recovery/facts/deliverycounters.h"
#include "backend/recovery/files/policyfile.h"
#include "backend/recovery/files/policytext.h"
#include "models/common/visibletext.h"
#include "views/common/filereader.h"
#include "views/common/filewriter.h"
#include "views/common/theme/styleproperty.h"
#include "views/common/theme/theme.h"
#include "views/common/widgets/dialogfoot.h"
#include "views/common/widgets/dialogframe.h"
#include "views/common/widgets/plaintext.h"
#include "views/policies/attempttimelineview.h"
#include "views/policies/policyform.h"

#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

namespace views {

namespace {

constexpr QSize policyDialogSize{860, 690};
constexpr int mostInstances = 1000;
enum Tab { FieldsTab, JsonTab };

QString policyFileKinds()
{
    return PolicyDialog::tr("Policy files (*.json);;All files (*)");
}

} // namespace

PolicyDialog::PolicyDialog(models::ConsoleSession &session, const Theme &theme, const QString &name, QWidget *parent)
    : QDialog(parent)
    , m_session(session)
    , m_name(name)
{
    setObjectName(QStringLiteral("policyDialog"));
    setModal(true);
    setWindowTitle(name.isEmpty() ? tr("Add policy") : tr("Edit policy %1").arg(models::visibleLine(name)));
    frameDialog(*this, {makeHead(theme), makeBody(theme), makeFoot()});
    fitDialog(*this, policyDialogSize.width(), policyDialogSize.height());
    fill();
    connect(m_form, &PolicyForm::edited, this, &PolicyDialog::preview);
    connect(m_json, &QPlainTextEdit::textChanged, this, &PolicyDialog::preview);
    connect(m_tabs, &QTabBar::currentChanged, this, &PolicyDialog::tabChosen);
    preview();
}

QWidget *PolicyDialog::makeHead(const Theme &theme)
{
    auto *head = new QWidget(this);
    head->setObjectName(QStringLiteral("dialogHead"));
    m_sentence = new PlainLabel({}, head);
    m_sentence->setObjectName(QStringLiteral("policySentence"));
    m_sentence->setWordWrap(true);
    m_sentence->setProperty("strong", true);
    m_timeline = new AttemptTimelineView(theme, head);
    m_ending = new PlainLabel({}, head);
    m_ending->setObjectName(QStringLiteral("policyEnding"));
    m_ending->setWordWrap(true);
    m_ending->setProperty("tone", QStringLiteral("muted"));
    auto *column = new QVBoxLayout(head);
    column->setContentsMargins(16, 12, 16, 10);
    column->setSpacing(4);
    column->addWidget(m_sentence);
    column->addWidget(m_timeline);
    column->addWidget(m_ending);
    column->addLayout(makeInstances(head));
    return head;
}

QLayout *PolicyDialog::makeInstances(QWidget *parent)
{
    m_instances = new QSpinBox(parent);
    m_instances->setObjectName(QStringLiteral("policyInstances"));
    m_instances->setAccessibleName(tr("Instances of the consumer, for the preview"));
    m_instances->setToolTip(plainToolTip(tr(
        "For retries that a consumer makes itself: how many instances take from the queue. Redrive counts for all.")));
    m_instances->setRange(1, mostInstances);
    m_bounds = new PlainLabel({}, parent);
    m_bounds->setObjectName(QStringLiteral("policyBounds"));
    m_bounds->setWordWrap(true);
    m_bounds->setProperty("tone", QStringLiteral("muted"));
    connect(m_instances, &QSpinBox::valueChanged, this, &PolicyDialog::preview);
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(new PlainLabel(tr("Instances of the consumer"), parent));
    row->addWidget(m_instances);
    row->addWidget(m_bounds, 1);
    return row;
}

QWidget *PolicyDialog::makeBody(const Theme &theme)
{
    auto *body = new QWidget(this);
    body->setObjectName(QStringLiteral("dialogBody"));
    auto *strip = new QWidget(body);
    strip->setObjectName(QStringLiteral("tabStrip"));
    m_tabs = new QTabBar(strip);
    m_tabs->setObjectName(QStringLiteral("policyTabs"));
    m_tabs->setAccessibleName(tr("Ways to edit the policy"));
    m_tabs->setExpanding(false);
    m_tabs->addTab(tr("Fields"));
    m_tabs->addTab(tr("JSON"));
    auto *stripRow = new QHBoxLayout(strip);
    stripRow->setContentsMargins(6, 0, 0, 0);
    stripRow->addWidget(m_tabs, 1);
    m_form = new PolicyForm(theme);
    auto *area = new QScrollArea;
    area->setObjectName(QStringLiteral("policyArea"));
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setWidgetResizable(true);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidget(m_form);
    m_json = new QPlainTextEdit;
    m_json->setObjectName(QStringLiteral("plain"));
    m_json->setAccessibleName(tr("Policy as JSON"));
    m_json->setFont(Theme::monoFont());
    m_json->setTabChangesFocus(true);
    m_json->document()->setDocumentMargin(12);
    m_stack = new QStackedWidget;
    m_stack->addWidget(area);
    m_stack->addWidget(m_json);
    auto *column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(strip);
    column->addWidget(m_stack, 1);
    return body;
}

DialogFoot *PolicyDialog::makeFoot()
{
    auto *foot = new DialogFoot(this);
    const QPushButton *open = foot->addPlain(QStringLiteral("policyOpen"), tr("Open file…"));
    const QPushButton *write = foot->addPlain(QStringLiteral("policyWrite"), tr("Save as file…"));
    m_answer = foot->addAnswer(QStringLiteral("policyAnswer"));
    const QPushButton *cancel = foot->addLeave(QStringLiteral("policyCancel"), tr("Cancel"));
    m_save = foot->addPrimary(QStringLiteral("policySave"), tr("Save policy"), DialogFoot::Act::CanBeUndone);
    connect(open, &QPushButton::clicked, this, &PolicyDialog::openFile);
    connect(write, &QPushButton::clicked, this, &PolicyDialog::saveFile);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_save, &QPushButton::clicked, this, &PolicyDialog::save);
    return foot;
}

void PolicyDialog::fill()
{
    recovery::Policy policy;
    const api::PolicyView *view = m_session.policy(m_name);
    if (view != nullptr) {
        const core::Result<recovery::Policy> stored = recovery::policyFrom(view->file);
        policy = stored ? *stored : recovery::Policy();
        m_form->lockName(
            tr("A policy keeps its name. To get another name, save it as a file and add it as a new one."));
    } else {
        policy.name = freeName();
    }
    m_form->show(policy);
    m_form->selectName();
}

// "standard", or the first of "standard 2", "standard 3" that is free.
QString PolicyDialog::freeName() const
{
    const QString first = tr("standard");
    QString name = first;
    for (int i = 2; m_session.policy(name) != nullptr; ++i)
        name = tr("%1 %2").arg(first).arg(i);
    return name;
}

core::Result<recovery::Policy> PolicyDialog::policy() const
{
    const QByteArray file = m_stack->currentIndex() == FieldsTab ? m_form->file() : m_json->toPlainText().toUtf8();
    TRY(const recovery::Policy policy, recovery::policyFrom(file));
    TRY(checkName(policy));
    return policy;
}

// A policy of the same name would be replaced without a word.
core::Result<> PolicyDialog::checkName(const recovery::Policy &policy) const
{
    const QString path = QStringLiteral("name");
    if (!m_name.isEmpty() && policy.name != m_name)
        return records::wrongAt(path, tr("This dialog edits %1. Keep its name.").arg(models::visibleLine(m_name)));
    if (m_name.isEmpty() && m_session.policy(policy.name) != nullptr)
        return records::wrongAt(path, tr("There is a policy of this name. Choose another name."));
    return {};
}

void PolicyDialog::tabChosen(int tab)
{
    const core::Result<recovery::Policy> typed = policy();
    if (tab == JsonTab)
        m_json->setPlainText(QString::fromUtf8(typed ? recovery::toJson(*typed) : m_form->file()));
    else if (typed)
        m_form->show(*typed);
    m_stack->setCurrentIndex(tab);
    preview();
}

void PolicyDialog::preview()
{
    const core::Result<recovery::Policy> typed = policy();
    m_save->setEnabled(typed.has_value() && !m_saving.isPending());
    // The fields cannot show a text that is no policy.
    m_tabs->setTabEnabled(FieldsTab, typed.has_value() || m_stack->currentIndex() == FieldsTab);
    if (typed)
        showPreview(*typed);
    else
        showError(typed.error().message);
}

void PolicyDialog::showPreview(const recovery::Policy &policy)
{
    const QString sentence = recovery::sentenceOf(policy);
    const recovery::AttemptPlan plan = recovery::planAttempts(policy, m_instances->value());
    const models::AttemptTimeline line = models::timelineOf(plan);
    m_bounds->setText(plan.instances == 1 ? QString() : recovery::textOf(boundsOf(plan, brokers()), plan.instances));
    m_timeline->show(line, sentence);
    m_sentence->setText(sentence);
    QStringList words{recovery::endingOf(policy)};
    if (models::isSpread(line))
        words.append(tr("Each bar shows from when to when a retry can come."));
    if (line.isLogarithmic)
        words.append(tr("The scale of the time line is logarithmic."));
    m_ending->setText(models::visibleLine(words.join(QLatin1Char(' '))));
    m_form->showError({});
    say({}, QStringLiteral("muted"));
}

// Those on which the policy is used; all, if it is assigned to nothing.
QList<records::BrokerKind> PolicyDialog::brokers() const
{
    const api::PolicyView *view = m_session.policy(m_name);
    const QList<records::BrokerKind> used =
        view == nullptr ? QList<records::BrokerKind>() : api::brokersOf(*view, m_session.snapshot());
    return used.isEmpty() ? recovery::allBrokers() : used;
}

void PolicyDialog::showError(const QString &message)
{
    m_timeline->setOutdated(true);
    const bool isFields = m_stack->currentIndex() == FieldsTab;
    const bool isAtField = m_form->showError(isFields ? message : QString()) && isFields;
    say(isAtField ? tr("Correct the marked field to save the policy.") : models::visibleLine(message),
        QStringLiteral("bad"));
}

void PolicyDialog::say(const QString &text, const QString &tone)
{
    m_answer->setText(text);
    setStyleProperty(m_answer, "tone", tone);
}

void PolicyDialog::save()
{
    const core::Result<recovery::Policy> typed = policy();
    if (!typed || m_saving.isPending())
        return;
    m_save->setEnabled(false);
    const QString name = typed->name;
    const api::SetPolicy command{recovery::toJson(*typed)};
    m_saving.ask(command, [this, name](const core::Result<QString> &done) {
        m_save->setEnabled(true);
        if (!done) {
            say(models::visibleLine(done.error().message), QStringLiteral("bad"));
            return;
        }
        Q_EMIT saved(name);
        accept();
    });
}

void PolicyDialog::showFile(const QByteArray &file)
{
    m_tabs->setCurrentIndex(JsonTab);
    m_json->setPlainText(QString::fromUtf8(file));
    if (policy())
        m_tabs->setCurrentIndex(FieldsTab);
}

void PolicyDialog::openFile()
{
    FileReader::ask(this, tr("Open policy file"), policyFileKinds(), records::longestJsonFile,
                    [this](const core::Result<QByteArray> &file) {
                        if (file)
                            showFile(*file);
                        else
                            say(models::visibleLine(file.error().message), QStringLiteral("bad"));
                    });
}

void PolicyDialog::saveFile()
{
    const core::Result<recovery::Policy> typed = policy();
    const QByteArray file = typed ? recovery::toJson(*typed) : m_json->toPlainText().toUtf8();
    const QString proposed = (typed ? typed->name : tr("policy")) + QStringLiteral(".json");
    FileWriter::askForPath(
        this, tr("Save policy file"), proposed, policyFileKinds(),
        [this, file](const QString &path) { FileWriter::save(m_session, this, path, [file] { return file; }); });
}

} // namespace views

#include "moc_policydialog.cpp"
