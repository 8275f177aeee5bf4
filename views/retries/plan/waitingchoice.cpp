#include "views/retries/plan/waitingchoice.h"

#include "views/common/widgets/plaintext.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QSpinBox>

namespace views {

namespace {

constexpr int largest = 1'000'000'000;
constexpr int usual = 5000;

} // namespace

WaitingChoice::WaitingChoice(QWidget *parent)
    : QWidget(parent)
    , m_on(new QCheckBox(tr("Only while fewer than"), this))
    , m_most(new QSpinBox(this))
{
    m_on->setObjectName(QStringLiteral("waitingOn"));
    m_on->setToolTip(tr("When consumers are slow, the retry waits until fewer messages wait at the destination"));
    m_most->setObjectName(QStringLiteral("waitingMost"));
    m_most->setRange(1, largest);
    m_most->setGroupSeparatorShown(true);
    m_most->setValue(usual);
    m_most->setAccessibleName(tr("Limit of messages waiting at a destination"));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(10);
    row->addWidget(m_on);
    row->addWidget(m_most);
    row->addWidget(new PlainLabel(tr("messages wait at the destination"), this));
    row->addStretch(1);
    connect(m_on, &QCheckBox::toggled, this, &WaitingChoice::tell);
    connect(m_most, &QSpinBox::valueChanged, this, [this] {
        m_on->setChecked(true);
        tell();
    });
}

void WaitingChoice::tell()
{
    Q_EMIT changed(m_on->isChecked() ? std::optional<qint64>(m_most->value()) : std::nullopt);
}

} // namespace views

#include "moc_waitingchoice.cpp"
