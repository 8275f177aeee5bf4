#include "views/detail/policystrip.h"

#include "models/common/visibletext.h"
#include "models/policies/policywords.h"

#include <QHBoxLayout>
#include <QPushButton>

namespace views {

using recovery::HeldState;

PolicyStrip::PolicyStrip(const Console &console, QWidget *parent)
    : QWidget(parent)
    , m_console(console)
    , m_name(new PlainLabel)
    , m_words(new PlainLabel)
    , m_show(new QPushButton(tr("Show policy")))
    , m_retry(new QPushButton(tr("Retry now")))
    , m_exclude(new QPushButton)
{
    setObjectName(QStringLiteral("policyStrip"));
    setAttribute(Qt::WA_StyledBackground);
    m_name->setObjectName(QStringLiteral("policyHolds"));
    m_name->setProperty("strong", true);
    m_words->setObjectName(QStringLiteral("policyStanding"));
    m_show->setObjectName(QStringLiteral("policyShow"));
    m_retry->setObjectName(QStringLiteral("policyRetry"));
    m_exclude->setObjectName(QStringLiteral("policyExclude"));
    m_exclude->setText(tr("Take out of the policy"));
    for (PlainLabel *label : {m_name, m_words})
        label->setWordWrap(true);
    auto *head = new QHBoxLayout;
    head->addWidget(m_name, 1);
    head->addWidget(m_show, 0, Qt::AlignTop);
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(6);
    buttons->addWidget(m_retry);
    buttons->addWidget(m_exclude);
    buttons->addStretch(1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 7, 10, 7);
    layout->setSpacing(5);
    layout->addLayout(head);
    layout->addWidget(m_words);
    layout->addLayout(buttons);
    setVisible(false);
    connect(m_show, &QPushButton::clicked, this, [this] { Q_EMIT m_console.navigator.policyRequested(m_policy); });
    connect(m_retry, &QPushButton::clicked, this, &PolicyStrip::retryWanted);
    connect(m_exclude, &QPushButton::clicked, this,
            [this] { m_console.session.excludeFromPolicy({m_message}, m_excludes); });
}

void PolicyStrip::present(const api::MessageDetail &detail, const QString &noRetry)
{
    const std::optional<api::PolicyStanding> &standing = detail.policy;
    const QString words =
        standing ? models::standingText(*standing, m_console.session.snapshot(), m_console.filter.zone()) : QString();
    setVisible(!words.isEmpty());
    if (words.isEmpty())
        return;
    m_message = detail.message.id;
    m_policy = standing->policy;
    m_name->setText(tr("Policy %1").arg(models::visibleLine(standing->policy, 60)));
    m_words->setText(words);
    updateButtons(detail, noRetry);
}

void PolicyStrip::updateButtons(const api::MessageDetail &detail, const QString &noRetry)
{
    const bool isOut = detail.policy->state == HeldState::Excluded;
    m_excludes = !isOut;
    m_exclude->setText(isOut ? tr("Return to the policy") : tr("Take out of the policy"));
    m_exclude->setVisible(isOut || models::canBeExcluded(*detail.policy));
    // Taking out needs no right, as pausing.
    const QString noExclude = isOut ? m_console.session.refusal(models::Verb::Retry, detail.message.connection)
                                    : m_console.session.refusal(models::Verb::Pause);
    m_exclude->setEnabled(noExclude.isEmpty());
    m_exclude->setToolTip(plainToolTip(!noExclude.isEmpty() ? noExclude
                                       : isOut              ? tr("The policy decides about this message again")
                                                            : tr("The policy does not retry this message any more")));
    m_retry->setEnabled(noRetry.isEmpty());
    m_retry->setToolTip(plainToolTip(noRetry.isEmpty() ? tr("Retry this message without waiting") : noRetry));
}

} // namespace views

#include "moc_policystrip.cpp"
