#include "views/common/widgets/decisionbar.h"

#include "models/session/decisiontext.h"
#include "views/common/widgets/scopemenu.h"

#include <QHBoxLayout>
#include <QPushButton>

namespace views {

DecisionBar::DecisionBar(const Console &console, QWidget *parent)
    : QWidget(parent)
    , m_console(console)
    , m_layout(new QHBoxLayout(this))
{
    setObjectName(QStringLiteral("filterRow"));
    setAttribute(Qt::WA_StyledBackground);
    m_layout->setContentsMargins(8, 5, 8, 5);
    m_layout->addStretch(1);
    setVisible(false);
    connect(&console.session, &models::ConsoleSession::engineChanged, this, &DecisionBar::update);
    connect(&console.session, &models::ConsoleSession::connectionsChanged, this, &DecisionBar::update);
}

void DecisionBar::setStatus(std::optional<records::MessageStatus> status)
{
    if (m_status == status)
        return;
    m_status = status;
    for (const auto &[decision, button] : std::as_const(m_buttons))
        delete button;
    m_buttons.clear();
    const QList<api::Decision> decisions = status ? models::decisionsOn(*status) : QList<api::Decision>{};
    for (const api::Decision decision : decisions) {
        auto *button = new QPushButton;
        button->setObjectName(QStringLiteral("decide%1").arg(int(decision)));
        button->setIcon(m_console.theme.icon(iconOf(decision)));
        button->setFocusPolicy(Qt::TabFocus); // so that a click leaves the keyboard focus in the list
        connect(button, &QPushButton::clicked, this, [this, decision = decision] { ask(decision); });
        m_layout->insertWidget(int(m_buttons.size()), button);
        m_buttons.append({decision, button});
    }
    setVisible(!m_buttons.isEmpty());
    update();
}

void DecisionBar::setScope(const models::ActionScope &scope)
{
    m_scope = scope;
    update();
}

void DecisionBar::update()
{
    for (const auto &[decision, button] : std::as_const(m_buttons)) {
        QString refusal = m_console.session.refusal(models::verbFor(decision), m_scope.connection);
        if (m_scope.isEmpty())
            refusal = tr("Select groups or messages first.");
        const QString text = models::decisionEntry(decision, *m_status)
                             + (m_scope.isEmpty() ? QString() : QStringLiteral("  ") + models::scopeText(m_scope));
        if (!refusal.isEmpty() && button->hasFocus())
            Q_EMIT keysLeft();
        button->setText(withoutMnemonics(text));
        button->setEnabled(refusal.isEmpty());
        button->setToolTip(plainToolTip(refusal));
    }
}

void DecisionBar::ask(api::Decision decision)
{
    m_console.session.listForDecision(m_scope, *m_status, decision);
}

} // namespace views

#include "moc_decisionbar.cpp"
