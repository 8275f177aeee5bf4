#include "views/messages/decisionquestion.h"

#include "backend/core/limits.h"
#include "models/common/formatters.h"
#include "models/session/decisiontext.h"
#include "views/common/widgets/badge.h"
#include "views/common/widgets/dialogfoot.h"
#include "views/common/widgets/dialogframe.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace views {

DecisionQuestion::DecisionQuestion(models::ConsoleSession &session, const api::DecideMessages &command, qint64 count,
                                   QWidget *parent)
    : QDialog(parent)
    , m_session(session)
    , m_command(command)
    , m_count(count)
    , m_isProduction(session.isProduction(command.filter.connection))
    , m_mustType(m_isProduction && command.decision == api::Decision::Delete && count >= core::limits::confirmFromCount)
{
    constexpr int width = 480;
    const models::DecisionText words = models::decisionText(command, count);
    setObjectName(QStringLiteral("decisionQuestion"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(words.verb);
    frameDialog(*this, {makeHead(words.question), makeBody(words.consequences), makeFoot(words.action)});
    fitDialog(*this, width);
    refresh();
}

QWidget *DecisionQuestion::makeHead(const QString &question)
{
    auto *head = new QWidget(this);
    head->setObjectName(QStringLiteral("dialogHead"));
    auto *text = new PlainLabel(question, head);
    text->setObjectName(QStringLiteral("decisionText"));
    text->setProperty("strong", true);
    text->setWordWrap(true);
    auto *row = new QHBoxLayout(head);
    row->setContentsMargins(16, 10, 16, 10);
    row->addWidget(text, 1);
    if (m_isProduction) {
        auto *badge = new Badge(head);
        badge->show(records::Environment::Production);
        row->addWidget(badge, 0, Qt::AlignTop);
    }
    return head;
}

QWidget *DecisionQuestion::makeBody(const QString &consequences)
{
    auto *body = new QWidget(this);
    body->setObjectName(QStringLiteral("dialogBody"));
    auto *text = new PlainLabel(consequences, body);
    text->setObjectName(QStringLiteral("decisionConsequences"));
    text->setWordWrap(true);
    auto *column = new QVBoxLayout(body);
    column->setContentsMargins(16, 14, 16, 14);
    column->setSpacing(12);
    column->addWidget(text);
    column->addStretch(1);
    if (!m_mustType)
        return body;
    m_typed = new QLineEdit(body);
    m_typed->setObjectName(QStringLiteral("decisionTyped"));
    m_typed->setAccessibleName(tr("Type the number of messages to confirm"));
    m_typed->setMaximumWidth(130);
    connect(m_typed, &QLineEdit::textChanged, this, &DecisionQuestion::refresh);
    auto *row = new QHBoxLayout;
    row->addWidget(new PlainLabel(tr("Type %1 to confirm").arg(models::formatNumber(m_count)), body));
    row->addWidget(m_typed);
    row->addStretch(1);
    column->addLayout(row);
    return body;
}

DialogFoot *DecisionQuestion::makeFoot(const QString &action)
{
    auto *foot = new DialogFoot(this);
    foot->addStretch();
    QPushButton *leave = foot->addLeave(QStringLiteral("decisionLeave"), tr("Cancel"));
    m_go = foot->addPrimary(QStringLiteral("decisionGo"), withoutMnemonics(action),
                            models::canBeUndone(m_command.decision) ? DialogFoot::Act::CanBeUndone
                                                                    : DialogFoot::Act::CannotBeUndone);
    connect(leave, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_go, &QPushButton::clicked, this, [this] {
        m_session.decide(m_command);
        accept();
    });
    if (m_typed == nullptr)
        foot->focusDefault();
    return foot;
}

void DecisionQuestion::refresh()
{
    const bool isTyped = m_typed == nullptr || models::typedNumber(m_typed->text()) == m_count;
    m_go->setEnabled(isTyped);
    m_go->setToolTip(plainToolTip(isTyped ? QString() : m_typed->accessibleName()));
}

void DecisionQuestion::keyPressEvent(QKeyEvent *event)
{
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isEnter && m_typed != nullptr && m_typed->hasFocus())
        event->accept();
    else
        QDialog::keyPressEvent(event);
}

} // namespace views

#include "moc_decisionquestion.cpp"
