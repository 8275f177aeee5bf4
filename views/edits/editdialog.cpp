#include "views/edits/editdialog.h"

#include "backend/api/requests/queries.h"
#include "models/common/formatters.h"
#include "models/common/visibletext.h"
#include "models/detail/bodytext.h"
#include "views/common/lists/emptystate.h"
#include "views/common/theme/styleproperty.h"
#include "views/common/widgets/badge.h"
#include "views/common/widgets/dialogfoot.h"
#include "views/common/widgets/dialogframe.h"
#include "views/common/widgets/elidedlabel.h"
#include "views/common/widgets/question.h"
#include "views/edits/bodyeditor.h"
#include "views/edits/differenceview.h"
#include "views/edits/headerstable.h"

#include <QKeyEvent>
#include <QPushButton>
#include <QScreen>
#include <QSplitter>
#include <QVBoxLayout>

namespace views {

namespace {

constexpr int dialogWidth = 1160;
constexpr int dialogHeight = 700;

QVBoxLayout *column(QWidget *whole)
{
    auto *layout = new QVBoxLayout(whole);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    return layout;
}

} // namespace

EditDialog::EditDialog(models::ConsoleSession &session, const Theme &theme, const models::ActionScope &scope,
                       QWidget *parent)
    : QDialog(parent)
    , m_session(session)
    , m_scope(scope)
    , m_edit(session, scope.filter, scope.filter.messages.value(0))
{
    setObjectName(QStringLiteral("editDialog"));
    setModal(true);
    setWindowTitle(tr("Edit and retry 1 message"));
    frameDialog(*this, {makeHead(), makeBody(theme), makeFoot()});
    fitDialog(*this, dialogWidth, dialogHeight);
    m_edit.setBodySource([this] { return m_editor->text(); });
    connect(m_editor, &QPlainTextEdit::textChanged, &m_edit, &models::MessageEdit::bodyTouched);
    connect(&m_edit, &models::MessageEdit::stateChanged, this, &EditDialog::present);
    connect(&m_edit, &models::MessageEdit::changed, this, &EditDialog::refresh);
    connect(&m_edit, &models::MessageEdit::checked, this, [this] {
        showDifference();
        refresh();
    });
    connect(&session, &models::ConsoleSession::engineChanged, this, &EditDialog::refresh);
    connect(&session, &models::ConsoleSession::connectionsChanged, this, &EditDialog::refresh);
    m_edit.read();
    askForName();
}

// The views of the message must be gone before m_edit, which they read.
EditDialog::~EditDialog()
{
    delete m_whole;
}

QWidget *EditDialog::makeHead()
{
    auto *head = new QWidget(this);
    head->setObjectName(QStringLiteral("dialogHead"));
    auto *title = new PlainLabel(windowTitle(), head);
    title->setProperty("strong", true);
    m_name = new ElidedLabel({}, head);
    m_name->setObjectName(QStringLiteral("editName"));
    m_name->setProperty("tone", QStringLiteral("muted"));
    m_badge = new Badge(head);
    const api::ConnectionView *view = m_session.connection(m_scope.connection);
    m_badge->setVisible(view != nullptr);
    if (view != nullptr)
        m_badge->show(view->connection.environment);
    auto *row = new QHBoxLayout(head);
    row->setContentsMargins(16, 10, 16, 10);
    row->setSpacing(14);
    row->addWidget(title);
    row->addWidget(m_name, 1);
    row->addWidget(m_badge);
    return head;
}

QWidget *EditDialog::makeBody(const Theme &theme)
{
    auto *body = new QWidget(this);
    body->setObjectName(QStringLiteral("dialogBody"));
    m_headers = new HeadersTable(*m_edit.headers(), theme);
    auto *left = new QSplitter(Qt::Vertical);
    left->addWidget(m_headers);
    left->addWidget(makeText());
    left->setChildrenCollapsible(false);
    left->setStretchFactor(0, 2);
    left->setStretchFactor(1, 3);
    auto *both = new QSplitter(Qt::Horizontal);
    both->addWidget(left);
    both->addWidget(makeDifference(theme));
    both->setChildrenCollapsible(false);
    both->setSizes({dialogWidth * 6 / 10, dialogWidth * 4 / 10});
    for (QSplitter *splitter : {left, both})
        splitter->setHandleWidth(10);
    m_whole = new ListOrState(both, body);
    auto *layout = column(body);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->addWidget(m_whole);
    return body;
}

QWidget *EditDialog::makeText()
{
    auto *whole = new QWidget;
    auto *title = new PlainLabel(tr("Body"), whole);
    title->setProperty("strong", true);
    m_bodyText = new ElidedLabel({}, whole);
    m_bodyText->setObjectName(QStringLiteral("editBodyWords"));
    m_bodyText->setProperty("tone", QStringLiteral("muted"));
    m_editor = new BodyEditor;
    m_text = new ListOrState(m_editor, whole);
    auto *head = new QHBoxLayout;
    head->setSpacing(10);
    head->addWidget(title);
    head->addWidget(m_bodyText, 1);
    auto *layout = column(whole);
    layout->addLayout(head);
    layout->addWidget(m_text, 1);
    return whole;
}

QWidget *EditDialog::makeDifference(const Theme &theme)
{
    auto *whole = new QWidget;
    auto *title = new PlainLabel(tr("Changes"), whole);
    title->setProperty("strong", true);
    title->setMinimumHeight(m_headers->headHeight()); // aligns the two lists
    m_difference = new DifferenceView(theme);
    m_changes = new ListOrState(m_difference, whole);
    auto *layout = column(whole);
    layout->addWidget(title);
    layout->addWidget(m_changes, 1);
    return whole;
}

DialogFoot *EditDialog::makeFoot()
{
    auto *foot = new DialogFoot(this);
    m_words = foot->addAnswer(QStringLiteral("editWords"));
    const QPushButton *cancel = foot->addLeave(QStringLiteral("editCancel"), tr("Cancel"));
    m_go = foot->addPrimary(QStringLiteral("editGo"), tr("Plan the retry…"),
                            DialogFoot::Act::NeedsItsButton); // Enter belongs to the cell that is being edited
    connect(cancel, &QPushButton::clicked, this, &EditDialog::reject);
    connect(m_go, &QPushButton::clicked, this, &EditDialog::goOn);
    return foot;
}

void EditDialog::askForName()
{
    m_session.ask(this, api::MessageRowQuery{m_scope.filter.messages},
                  [this](const core::Result<QList<records::FailedMessage>> &rows) {
                      if (!rows || rows->isEmpty())
                          return;
                      const records::FailedMessage &row = rows->constFirst();
                      QStringList parts;
                      for (const QString &part :
                           {row.messageType, row.messageId.isEmpty() ? row.uniqueId : row.messageId,
                            tr("from %1").arg(models::shortQueueName(row.queue))}) {
                          if (!part.isEmpty())
                              parts.append(models::visibleLine(part, 120));
                      }
                      m_name->setText(parts.join(QStringLiteral(" · ")));
                  });
}

void EditDialog::present()
{
    switch (m_edit.state()) {
    case models::MessageEdit::State::Reading:
        m_whole->showState(tr("Reading the message…"), {});
        break;
    case models::MessageEdit::State::Failed:
        m_whole->showState(tr("This message cannot be edited"), m_edit.problem());
        break;
    case models::MessageEdit::State::Ready: {
        const models::BodyForm &body = m_edit.body();
        const QString why = m_edit.bodyNotEditable();
        const QSignalBlocker quiet(m_editor);
        m_editor->setLineWrapMode(body.isLinedUp() ? QPlainTextEdit::NoWrap : QPlainTextEdit::WidgetWidth);
        m_editor->setPlainText(why.isEmpty() ? body.text() : QString());
        if (why.isEmpty())
            m_text->showList();
        else
            m_text->showState(tr("The body is sent unchanged"), models::visibleLine(why));
        const QByteArray &bytes = m_edit.original().before.body;
        QStringList parts;
        if (why.isEmpty())
            parts = {models::textOf(models::bodyText(bytes, models::BodyView::AsIs).kind),
                     models::formatSize(bytes.size())};
        if (body.isLinedUp())
            parts.append(tr("shown in lines, sent on one line"));
        m_bodyText->setText(parts.join(QStringLiteral(" · ")));
        m_whole->showList();
        m_headers->focusList();
        break;
    }
    }
    showDifference();
    refresh();
}

void EditDialog::showDifference()
{
    if (m_edit.difference().isEmpty()) {
        m_difference->clear();
        m_changes->showState(tr("No changes yet"), tr("Your changes appear here, line by line."));
        return;
    }
    m_difference->present(m_edit.difference(), m_edit.headers()->revealed(), m_edit.original().additions());
    m_changes->showList();
}

void EditDialog::refresh()
{
    QString why = m_session.refusal(models::Verb::Edit, m_scope.connection);
    if (why.isEmpty())
        why = m_session.refusal(models::Verb::Retry, m_scope.connection);
    const bool isReady = m_edit.state() == models::MessageEdit::State::Ready;
    if (why.isEmpty() && isReady)
        why = m_edit.problem();
    QString tone = QStringLiteral("bad");
    QString words = why;
    if (why.isEmpty() && !m_edit.warning().isEmpty()) {
        tone = QStringLiteral("warn");
        words = m_edit.warning();
    } else if (why.isEmpty()) {
        tone = QStringLiteral("muted");
        words = m_edit.isChanged() ? tr("The stored message stays unchanged. Redrive sends the changed copy.")
                                   : tr("Change a header or the body first.");
    }
    m_words->setText(isReady ? words : QString());
    setStyleProperty(m_words, "tone", tone);
    m_go->setEnabled(isReady && why.isEmpty() && m_edit.isChanged());
    m_go->setToolTip(plainToolTip(m_go->isEnabled() ? QString() : words));
}

void EditDialog::goOn()
{
    m_headers->finishTyping();
    if (m_go->isEnabled())
        Q_EMIT planWanted(m_edit.edit());
}

void EditDialog::reject()
{
    if (!m_edit.isChanged()) {
        QDialog::reject();
        return;
    }
    Question question;
    question.name = QStringLiteral("discardQuestion");
    question.title = tr("Discard changes");
    question.text = tr("Discard your changes to this message?");
    question.consequences = tr("Only the changes in this window are lost. The stored message stays unchanged.");
    question.action = tr("Discard changes");
    question.leave = tr("Keep editing");
    askQuestion(question, this, [this] { QDialog::reject(); });
}

void EditDialog::keyPressEvent(QKeyEvent *event)
{
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && event->modifiers() == Qt::ControlModifier) {
        goOn();
        return;
    }
    QDialog::keyPressEvent(event);
}

} // namespace views

#include "moc_editdialog.cpp"
