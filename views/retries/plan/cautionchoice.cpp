#include "views/retries/plan/cautionchoice.h"

#include "models/common/formatters.h"
#include "views/common/widgets/plaintext.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QSpinBox>

namespace views {

namespace {

constexpr int wholePercent = 100;
constexpr int mostMessages = 1'000'000'000;

QString stepsText(const records::Ramp &ramp)
{
    QStringList steps;
    for (const qint64 step : ramp.steps)
        steps.append(models::formatNumber(step));
    return steps.join(QStringLiteral(" → "));
}

} // namespace

CautionChoice::CautionChoice(QWidget *parent)
    : QWidget(parent)
    , m_steps(new QCheckBox(this))
    , m_pause(new QCheckBox(tr("Pause when"), this))
    , m_amount(new QSpinBox(this))
    , m_unit(new QComboBox(this))
{
    m_steps->setObjectName(QStringLiteral("cautionSteps"));
    m_steps->setText(tr("Ramp: %1 → ten times more each").arg(stepsText(records::defaultRamp())));
    m_steps->setToolTip(plainToolTip(
        tr("Ramp: the retry sends in growing steps. The next step starts when all messages of the previous step "
           "were processed, or when none came back during the quiet period and no more messages wait at the "
           "destinations than before.\nQuiet period: how long the retry waits after each step for messages "
           "to come back.")));
    m_pause->setObjectName(QStringLiteral("cautionPause"));
    m_pause->setToolTip(
        plainToolTip(tr("Stop rule: the retry pauses when this many of its messages come back, that is, fail again. "
                        "To see them, Redrive keeps taking messages from the error queues while the retry runs.")));
    m_amount->setObjectName(QStringLiteral("cautionAmount"));
    m_amount->setRange(1, wholePercent);
    m_amount->setValue(int(records::defaultStop().amount));
    m_amount->setGroupSeparatorShown(true);
    m_amount->setAccessibleName(tr("Limit of messages that come back"));
    m_unit->setObjectName(QStringLiteral("cautionUnit"));
    m_unit->addItem(tr("% of sent messages"), true);
    m_unit->addItem(tr("messages"), false);
    m_unit->setAccessibleName(tr("Unit of the limit"));
    auto *steps = new QHBoxLayout;
    steps->addWidget(m_steps);
    steps->addStretch(1);
    auto *pause = new QHBoxLayout;
    pause->setSpacing(10);
    for (QWidget *part :
         {static_cast<QWidget *>(m_pause), static_cast<QWidget *>(m_amount), static_cast<QWidget *>(m_unit)})
        pause->addWidget(part);
    pause->addWidget(new PlainLabel(tr("come back"), this));
    pause->addStretch(1);
    auto *rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(4);
    rows->addLayout(steps);
    rows->addLayout(pause);
    connect(m_steps, &QCheckBox::toggled, this, &CautionChoice::tell);
    connect(m_pause, &QCheckBox::toggled, this, &CautionChoice::tell);
    connect(m_amount, &QSpinBox::valueChanged, this, [this] {
        m_pause->setChecked(true);
        tell();
    });
    connect(m_unit, &QComboBox::activated, this, [this] {
        m_amount->setMaximum(m_unit->currentData().toBool() ? wholePercent : mostMessages);
        m_pause->setChecked(true);
        tell();
    });
}

void CautionChoice::tell()
{
    const bool steps = m_steps->isChecked();
    if (steps)
        m_pause->setChecked(true);
    m_pause->setEnabled(!steps);
    const records::StopWhen stop{m_amount->value(), m_unit->currentData().toBool()};
    Q_EMIT changed(steps ? std::optional(records::defaultRamp()) : std::nullopt,
                   m_pause->isChecked() ? std::optional(stop) : std::nullopt);
}

} // namespace views

#include "moc_cautionchoice.cpp"
