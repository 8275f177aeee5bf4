#include "views/conventions/conventiondialog.h"

#include "backend/api/requests/conventions.h"
#include "backend/records/conventions/conventionfile.h"
#include "models/common/formatters.h"
#include "models/common/visibletext.h"
#include "models/conventions/conventionstart.h"
#include "views/common/lists/datatable.h"
#include "views/common/theme/styleproperty.h"
#include "views/common/theme/theme.h"
#include "views/common/widgets/dialogfoot.h"
#include "views/common/widgets/dialogframe.h"
#include "views/common/widgets/formgrid.h"
#include "views/common/widgets/plaintext.h"
#include "views/conventions/placepicker.h"
#include "views/conventions/trialview.h"
#include "views/conventions/valuequestion.h"

#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include <utility>

namespace views {

namespace {

constexpr QSize conventionDialogSize{1040, 760};
enum Tab { RulesTab, JsonTab };

PlainLabel *titleLabel(const QString &text, QWidget *parent)
{
    auto *label = new PlainLabel(text, parent);
    label->setProperty("strong", true);
    return label;
}

} // namespace

ConventionDialog::ConventionDialog(models::ConsoleSession &session, const Theme &theme,
                                   const records::Convention &convention, bool isNew,
                                   const std::optional<api::MessageDetail> &message, QWidget *parent)
    : QDialog(parent)
    , m_session(session)
    , m_convention(convention)
    , m_isNew(isNew)
    , m_trials(session, message ? message->message.id : core::MessageId(), models::messagesOf(convention, session))
    , m_hasMessage(message.has_value())
{
    setObjectName(QStringLiteral("conventionDialog"));
    setModal(true);
    setWindowTitle(isNew ? tr("New convention") : tr("Convention %1").arg(models::visibleLine(convention.name)));
    auto *body = new QSplitter(this);
    body->setObjectName(QStringLiteral("dialogBody"));
    body->setChildrenCollapsible(false);
    body->addWidget(makeLeft(theme));
    body->addWidget(makeRight(theme));
    body->setStretchFactor(1, 1);
    frameDialog(*this, {makeHead(), body, makeFoot()});
    fitDialog(*this, conventionDialogSize.width(), conventionDialogSize.height());
    if (message)
        m_places->show(message->envelope);
    connect(&m_trials, &models::ConventionTrials::changed, this, &ConventionDialog::readFirst);
    connect(&session, &models::ConsoleSession::engineChanged, this, &ConventionDialog::updateButtons);
    setConvention(convention);
}

QWidget *ConventionDialog::makeHead()
{
    auto *head = new QWidget(this);
    head->setObjectName(QStringLiteral("dialogHead"));
    m_name = new QLineEdit(m_convention.name, head);
    m_name->setObjectName(QStringLiteral("conventionName"));
    m_name->setMaxLength(records::longestConventionName);
    m_name->setReadOnly(!m_isNew);
    m_name->setToolTip(plainToolTip(m_isNew ? QString() : tr("A convention keeps its name: messages refer to it.")));
    m_note = new QLineEdit(head);
    m_note->setObjectName(QStringLiteral("conventionNote"));
    m_note->setPlaceholderText(tr("Why, for the next person"));
    auto *grid = new FormGrid(head);
    grid->setContentsMargins(16, 12, 16, 10);
    grid->addRow(tr("Name"), m_name);
    grid->addRow(tr("Note"), m_note);
    connect(m_name, &QLineEdit::textEdited, this, [this](const QString &text) {
        m_convention.name = text;
        update();
    });
    connect(m_note, &QLineEdit::textEdited, this, [this](const QString &text) {
        m_convention.note = text;
        update();
    });
    return head;
}

QWidget *ConventionDialog::makeLeft(const Theme &theme)
{
    auto *left = new QWidget(this);
    m_places = new PlacePicker(theme, left);
    auto *column = new QVBoxLayout(left);
    column->setContentsMargins(16, 12, 8, 12);
    column->addWidget(titleLabel(tr("Fields of the message"), left));
    column->addWidget(m_places, 1);
    connect(m_places, &PlacePicker::said, this, [this](models::PlaceUse use, const records::MessagePlace &place) {
        records::Convention changed = m_convention;
        models::say(changed, use, place);
        setConvention(changed);
    });
    return left;
}

QWidget *ConventionDialog::makeRight(const Theme &theme)
{
    auto *right = new QWidget(this);
    m_tabs = new QTabBar(right);
    m_tabs->setObjectName(QStringLiteral("conventionTabs"));
    m_tabs->setAccessibleName(tr("Ways to edit the convention"));
    m_tabs->setExpanding(false);
    m_tabs->addTab(tr("Rules"));
    m_tabs->addTab(tr("JSON"));
    m_json = new QPlainTextEdit(right);
    m_json->setObjectName(QStringLiteral("plain"));
    m_json->setAccessibleName(tr("Convention as JSON"));
    m_json->setFont(Theme::monoFont());
    m_json->setTabChangesFocus(true);
    m_stack = new QStackedWidget(right);
    m_stack->addWidget(makeRules(theme));
    m_stack->addWidget(m_json);
    auto *column = new QVBoxLayout(right);
    column->setContentsMargins(8, 6, 16, 12);
    column->setSpacing(8);
    column->addWidget(m_tabs);
    column->addWidget(m_stack, 3); // most conventions have about seven rules
    column->addWidget(new TrialView(theme, m_trials, right), 2);
    connect(m_tabs, &QTabBar::currentChanged, this, &ConventionDialog::tabChosen);
    connect(m_json, &QPlainTextEdit::textChanged, this, &ConventionDialog::update);
    return right;
}

QWidget *ConventionDialog::makeRules(const Theme &theme)
{
    constexpr int whatWidth = 170;
    auto *rules = new QWidget(this);
    m_table = new DataTable(theme, -1, rules);
    m_table->setObjectName(QStringLiteral("conventionLines"));
    m_table->setAccessibleName(tr("Rules of the convention"));
    m_table->setModel(&m_lines);
    m_table->setWidths({whatWidth, 0}, models::ConventionLines::Text);
    m_change = new QPushButton(tr("Change…"), rules);
    m_change->setObjectName(QStringLiteral("conventionChange"));
    m_remove = new QPushButton(tr("Remove rule"), rules);
    m_remove->setObjectName(QStringLiteral("conventionRemove"));
    auto *row = new QHBoxLayout;
    for (QPushButton *button : {m_change, m_remove}) {
        button->setAutoDefault(false);
        row->addWidget(button);
    }
    row->addStretch(1);
    auto *column = new QVBoxLayout(rules);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_table, 1);
    column->addLayout(row);
    connect(m_table, &DataTable::rowSelectionChanged, this, &ConventionDialog::updateButtons);
    connect(m_table, &DataTable::opened, this, &ConventionDialog::changeChosen);
    connect(m_change, &QPushButton::clicked, this, &ConventionDialog::changeChosen);
    connect(m_remove, &QPushButton::clicked, this, &ConventionDialog::removeChosen);
    return rules;
}

DialogFoot *ConventionDialog::makeFoot()
{
    auto *foot = new DialogFoot(this);
    m_answer = foot->addAnswer(QStringLiteral("conventionAnswer"));
    m_apply = foot->addPlain(QStringLiteral("conventionApply"));
    m_apply->setVisible(false);
    m_close = foot->addLeave(QStringLiteral("conventionClose"), tr("Cancel"));
    m_save = foot->addPrimary(QStringLiteral("conventionSave"), tr("Save convention"), DialogFoot::Act::CanBeUndone);
    connect(m_apply, &QPushButton::clicked, this, &ConventionDialog::apply);
    connect(m_close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_save, &QPushButton::clicked, this, &ConventionDialog::save);
    return foot;
}

void ConventionDialog::choosePlace(const records::MessagePlace &place)
{
    m_places->choose(place);
}

void ConventionDialog::setConvention(const records::Convention &convention)
{
    m_convention = convention;
    m_lines.show(convention);
    if (m_name->text() != convention.name)
        m_name->setText(convention.name);
    if (m_note->text() != convention.note)
        m_note->setText(convention.note);
    if (m_tabs->currentIndex() == JsonTab)
        m_json->setPlainText(QString::fromUtf8(records::toJson(convention)));
    update();
}

core::Result<records::Convention> ConventionDialog::convention() const
{
    if (m_stack->currentIndex() == JsonTab) {
        TRY(const records::Convention typed, records::conventionFrom(m_json->toPlainText().toUtf8()));
        if (!m_isNew && typed.name != m_convention.name)
            return core::fail(
                core::ErrorKind::Rejected,
                tr("name: This dialog edits %1. Keep its name.").arg(models::visibleLine(m_convention.name)));
        return typed;
    }
    TRY(records::checkConvention(m_convention));
    return m_convention;
}

void ConventionDialog::showFile(const QByteArray &file)
{
    m_tabs->setCurrentIndex(JsonTab);
    m_json->setPlainText(QString::fromUtf8(file));
    if (convention())
        m_tabs->setCurrentIndex(RulesTab);
}

void ConventionDialog::tabChosen(int tab)
{
    if (tab == JsonTab) {
        m_json->setPlainText(QString::fromUtf8(records::toJson(m_convention)));
        m_stack->setCurrentIndex(JsonTab);
        return;
    }
    const core::Result<records::Convention> typed = convention();
    m_stack->setCurrentIndex(RulesTab);
    setConvention(typed ? *typed : m_convention);
}

void ConventionDialog::update()
{
    const core::Result<records::Convention> now = convention();
    // The rules cannot show a text that is no convention.
    m_tabs->setTabEnabled(RulesTab, now.has_value() || m_stack->currentIndex() == RulesTab);
    m_apply->setVisible(false);
    m_close->setText(tr("Cancel"));
    if (now) {
        tell({}, QStringLiteral("muted"));
        m_trials.show(records::toJson(*now));
    } else {
        tell(models::visibleLine(now.error().message), QStringLiteral("bad"));
    }
    updateButtons();
}

void ConventionDialog::updateButtons()
{
    const core::Result<records::Convention> now = convention();
    const QString refusal = models::refusalToSet(now.value_or(m_convention), m_session);
    m_save->setEnabled(refusal.isEmpty() && !m_writing.isPending() && now.has_value());
    m_save->setToolTip(plainToolTip(refusal));
    m_apply->setEnabled(m_session.refusal(models::Verb::Retry, m_there.connection).isEmpty() && !m_writing.isPending());
    const QModelIndex chosen = m_table->chosenRow();
    m_remove->setEnabled(chosen.isValid());
    m_change->setEnabled(chosen.isValid() && m_lines.editable(chosen.row()).has_value());
}

void ConventionDialog::removeChosen()
{
    const QModelIndex chosen = m_table->chosenRow();
    if (chosen.isValid())
        setConvention(m_lines.without(chosen.row()));
}

void ConventionDialog::changeChosen()
{
    const QModelIndex chosen = m_table->chosenRow();
    const std::optional<QString> value = chosen.isValid() ? m_lines.editable(chosen.row()) : std::nullopt;
    if (!value)
        return;
    auto *question = new ValueQuestion(m_lines.rows().at(chosen.row()).what, *value, this);
    connect(question, &ValueQuestion::accepted, this, [this, question, row = chosen.row()] {
        if (row < m_lines.rows().size())
            setConvention(m_lines.with(row, question->value()));
    });
    question->open();
}

// Without a message of its own the dialog shows the fields of the first one that it is tried on.
void ConventionDialog::readFirst()
{
    const api::ConventionTrial *trial = m_trials.trial();
    if (trial == nullptr || std::exchange(m_hasMessage, true))
        return;
    const api::MessageDetailQuery question{trial->message};
    m_session.ask(this, question, [this](const core::Result<api::MessageDetail> &detail) {
        if (detail)
            m_places->show(detail->envelope);
    });
}

void ConventionDialog::save()
{
    const core::Result<records::Convention> typed = convention();
    if (!typed || m_writing.isPending())
        return;
    updateButtons();
    const api::SetConvention command{records::toJson(*typed), m_isNew};
    m_writing.ask(command, [this, convention = *typed](const core::Result<QString> &name) {
        updateButtons();
        if (!name)
            return tell(models::visibleLine(name.error().message), QStringLiteral("bad"));
        Q_EMIT saved();
        afterSave(convention);
    });
}

void ConventionDialog::afterSave(const records::Convention &convention)
{
    m_isNew = false;
    m_name->setReadOnly(true);
    setConvention(convention);
    m_close->setText(tr("Close"));
    tell(tr("Saved. It holds for messages that are taken from now on."), QStringLiteral("muted"));
    m_there = models::messagesOf(convention, m_session);
    api::MessageQuery question;
    question.filter = m_there;
    question.limit = 1;
    m_session.ask(this, question, [this](const core::Result<api::MessagePage> &page) {
        if (!page || page->total == 0)
            return;
        m_apply->setText(
            tr("Apply to %1 stored messages", nullptr, int(page->total)).arg(models::formatNumber(page->total)));
        m_apply->setVisible(true);
        m_apply->setFocus();
    });
}

void ConventionDialog::apply()
{
    if (m_writing.isPending())
        return;
    updateButtons();
    tell(tr("Reading the messages again…"), QStringLiteral("muted"));
    m_applying = std::make_unique<models::LongWork>(m_session, tr("Reading the messages again"));
    connect(m_applying.get(), &models::LongWork::changed, this,
            [this] { tell(m_applying->text(), QStringLiteral("muted")); });
    m_close->setText(tr("Cancel"));
    const api::ApplyConventions command{m_there, m_applying->ticket()};
    m_writing.ask(command, [this](const core::Result<api::Reread> &done) {
        m_applying.reset();
        m_close->setText(tr("Close"));
        updateButtons();
        if (!done) {
            const bool isWanted = done.error().kind == core::ErrorKind::Cancelled;
            return tell(models::visibleLine(done.error().message),
                        isWanted ? QStringLiteral("muted") : QStringLiteral("bad"));
        }
        m_apply->setVisible(false);
        m_close->setFocus();
        const QString result = tr("%1 messages read again, %2 now read otherwise.")
                                   .arg(models::formatNumber(done->read), models::formatNumber(done->changed));
        const QString skipped =
            tr("%1 in a retry or stored undecoded stay as they were.").arg(models::formatNumber(done->skipped));
        QStringList words{result};
        if (done->skipped > 0)
            words.append(skipped);
        if (done->unreadable.count > 0)
            words.append(tr("Not read: %1").arg(models::visibleLine(done->unreadable.text())));
        tell(words.join(QLatin1Char(' ')), done->unreadable.count > 0 ? QStringLiteral("warn") : QStringLiteral("ok"));
        const core::Result<records::Convention> now = convention();
        if (now)
            m_trials.show(records::toJson(*now));
    });
}

void ConventionDialog::reject()
{
    if (m_applying && !m_applying->isCancelling())
        m_applying->cancel();
    else
        QDialog::reject();
}

void ConventionDialog::tell(const QString &text, const QString &tone)
{
    m_answer->setText(text);
    setStyleProperty(m_answer, "tone", tone);
}

} // namespace views

#include "moc_conventiondialog.cpp"
