#include "views/settings/settingsdialog.h"

#include "models/common/formatters.h"
#include "models/common/visibletext.h"
#include "views/common/theme/styleproperty.h"
#include "views/common/widgets/dialogfoot.h"
#include "views/common/widgets/dialogframe.h"
#include "views/common/widgets/formgrid.h"
#include "views/common/widgets/growtofit.h"
#include "views/common/widgets/plaintext.h"
#include "views/settings/spanfield.h"

#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

namespace views {

namespace {

constexpr int dialogWidth = 560;
constexpr core::Milliseconds leastRetention = std::chrono::hours(1);
constexpr core::Milliseconds leastQuiet = std::chrono::minutes(1);
constexpr core::Milliseconds typingPause{250};

} // namespace

SettingsDialog::SettingsDialog(models::ConsoleSession &session, QWidget *parent)
    : QDialog(parent)
    , m_session(session)
    , m_typing(new QTimer(this))
{
    setObjectName(QStringLiteral("settingsDialog"));
    setModal(true);
    setWindowTitle(tr("Settings"));
    frameDialog(*this, {nullptr, makeBody(), makeFoot()});
    m_typing->setSingleShot(true);
    m_typing->setInterval(typingPause);
    connect(m_typing, &QTimer::timeout, this, &SettingsDialog::preview);
    say(tr("Reading the settings…"), QStringLiteral("muted"));
    updateSave();
    fitDialog(*this, dialogWidth);
    m_session.ask(this, api::ChangeSettings{}, [this](const core::Result<api::Settings> &settings) {
        if (settings)
            fill(*settings);
        else
            say(settings.error().message, QStringLiteral("bad"));
    });
}

QWidget *SettingsDialog::makeBody()
{
    auto *body = new QWidget(this);
    body->setObjectName(QStringLiteral("dialogBody"));
    m_form = new FormGrid(body);
    m_form->setContentsMargins(16, 14, 16, 14);
    addSection(tr("Message retention"),
               tr("The store deletes resolved and archived messages after this time, with their bodies and history. "
                  "All other messages stay."));
    const auto field = [this](const QString &label, const QString &none, core::Milliseconds least) {
        auto *span = new DurationField(label, none, least, this);
        connect(span, &DurationField::changed, this, [this] {
            updateSave();
            m_typing->start();
        });
        m_form->addRow(label, span);
        return span;
    };
    m_resolved = field(tr("Resolved messages"), tr("Keep forever"), leastRetention);
    m_archived = field(tr("Archived messages"), tr("Keep forever"), leastRetention);
    m_resolved->setObjectName(QStringLiteral("keepResolved"));
    m_archived->setObjectName(QStringLiteral("keepArchived"));
    addSection(tr("Quiet period"),
               tr("A sent message is resolved when it does not come back for this time. Only the time in which Redrive "
                  "watches its error queues counts."));
    for (const api::ConnectionView &view : m_session.snapshot().connections) {
        DurationField *span = field(models::visibleLine(view.connection.name), tr("Never"), leastQuiet);
        span->setObjectName(QStringLiteral("quiet%1").arg(view.connection.id.value));
        m_quiet.append({view.connection.id, span});
    }
    if (m_quiet.isEmpty())
        addSection({}, tr("No connection yet."));
    return body;
}

void SettingsDialog::addSection(const QString &title, const QString &words)
{
    for (const QString &text : {title, words}) {
        if (text.isEmpty())
            continue;
        auto *label = new PlainLabel(text, this);
        label->setWordWrap(true);
        if (text == title)
            label->setProperty("strong", true);
        else
            label->setProperty("tone", QStringLiteral("muted"));
        m_form->addWidget(label, m_form->count() == 0 ? 0 : m_form->rowCount(), 0, 1, 2);
    }
}

DialogFoot *SettingsDialog::makeFoot()
{
    m_foot = new DialogFoot(this);
    m_answer = m_foot->addAnswerAbove(QStringLiteral("settingsAnswer"), 2);
    m_foot->addStretch();
    const QPushButton *cancel = m_foot->addLeave(QStringLiteral("settingsCancel"), tr("Cancel"));
    m_save = m_foot->addPrimary(QStringLiteral("settingsSave"), tr("Save settings"), DialogFoot::Act::CanBeUndone);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_save, &QPushButton::clicked, this, &SettingsDialog::save);
    return m_foot;
}

void SettingsDialog::fill(const api::Settings &settings)
{
    m_kept = settings;
    m_resolved->setSpan(settings.retention.resolved);
    m_archived->setSpan(settings.retention.archived);
    for (const records::QuietRule &rule : settings.quiet) {
        for (const auto &[id, span] : std::as_const(m_quiet)) {
            if (id == rule.connection)
                span->setSpan(rule.after);
        }
    }
    m_known = true;
    m_typing->stop();
    showDue(settings);
    updateSave();
}

records::RetentionPolicy SettingsDialog::retention() const
{
    return {m_resolved->span(), m_archived->span()};
}

std::deque<api::ChangeSettings> SettingsDialog::changes() const
{
    std::deque<api::ChangeSettings> commands;
    if (!m_known)
        return commands;
    api::ChangeSettings one;
    if (retention() != m_kept.retention) {
        one.retention = retention();
        commands.push_back(one);
        one.retention.reset();
    }
    for (const records::QuietRule &before : m_kept.quiet) {
        for (const auto &[id, span] : m_quiet) {
            const records::QuietRule now{id, span->span()};
            if (id != before.connection || now == before)
                continue;
            one.quiet = now;
            commands.push_back(one);
        }
    }
    return commands;
}

void SettingsDialog::preview()
{
    if (!m_known || m_saving.isPending())
        return;
    api::ChangeSettings question;
    question.wouldKeep = retention();
    m_previewing.ask(question, [this](const core::Result<api::Settings> &wouldBe) {
        if (wouldBe)
            showDue(*wouldBe);
        else
            say(wouldBe.error().message, QStringLiteral("bad"));
    });
}

void SettingsDialog::showDue(const api::Settings &wouldBe)
{
    const bool some = wouldBe.resolvedDue + wouldBe.archivedDue > 0;
    m_foot->setAct(some ? DialogFoot::Act::CannotBeUndone : DialogFoot::Act::CanBeUndone);
    const QString words =
        tr("With these settings the store deletes messages now: %1 resolved, %2 archived. This cannot be undone.");
    say(some ? words.arg(models::formatNumber(wouldBe.resolvedDue), models::formatNumber(wouldBe.archivedDue))
             : tr("With these settings the store deletes no message now."),
        some ? QStringLiteral("warn") : QStringLiteral("muted"));
}

void SettingsDialog::save()
{
    if (m_saving.isPending())
        return;
    m_previewing.drop();
    m_toSend = changes();
    sendNext();
    updateSave();
}

// Sends one command at a time: an error leaves the refused value in its field, and m_kept knows what was saved.
void SettingsDialog::sendNext()
{
    if (m_toSend.empty()) {
        accept();
        return;
    }
    const api::ChangeSettings command = m_toSend.front();
    m_toSend.pop_front();
    m_saving.ask(command, [this](const core::Result<api::Settings> &settings) {
        if (settings) {
            m_kept = *settings;
            sendNext();
            return;
        }
        say(settings.error().message, QStringLiteral("bad"));
        updateSave();
    });
}

void SettingsDialog::updateSave()
{
    m_save->setEnabled(!m_saving.isPending() && !changes().empty());
}

void SettingsDialog::say(const QString &text, const QString &tone)
{
    m_answer->setText(models::visibleLines(text));
    setStyleProperty(m_answer, "tone", tone);
    growToFit(*this);
}

} // namespace views

#include "moc_settingsdialog.cpp"
