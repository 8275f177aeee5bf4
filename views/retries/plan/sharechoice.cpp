#include "views/retries/plan/sharechoice.h"

#include "backend/records/retries/retry.h"
#include "views/common/widgets/plaintext.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QSpinBox>

namespace views {

namespace {

constexpr int usualShare = 20;

} // namespace

ShareChoice::ShareChoice(QWidget *parent)
    : QWidget(parent)
    , m_on(new QCheckBox(tr("Gently: at most"), this))
    , m_percent(new QSpinBox(this))
    , m_of(new PlainLabel(tr("of the broker's time, less when it is overloaded"), this))
{
    m_on->setObjectName(QStringLiteral("shareOn"));
    m_percent->setObjectName(QStringLiteral("sharePercent"));
    m_percent->setRange(1, records::mostBrokerShare);
    m_percent->setSuffix(tr(" %"));
    m_percent->setValue(usualShare);
    m_percent->setAccessibleName(tr("Share of the broker's time, in percent"));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(10);
    row->addWidget(m_on);
    row->addWidget(m_percent);
    row->addWidget(m_of);
    row->addStretch(1);
    setObstacle({});
    connect(m_on, &QCheckBox::toggled, this, &ShareChoice::tell);
    connect(m_percent, &QSpinBox::valueChanged, this, [this] {
        m_on->setChecked(true);
        tell();
    });
}

void ShareChoice::setObstacle(const QString &why)
{
    const QString what =
        tr("Redrive rests between batches. It starts slowly, and slows down while more processes wait in the "
           "broker than it has processors, whoever caused them.");
    const QWidgetList parts{m_on, this}; // wherever in the row a person looks for the reason
    for (QWidget *part : parts)
        part->setToolTip(plainToolTip(why.isEmpty() ? what : why));
    m_on->setEnabled(why.isEmpty() || m_on->isChecked());
    m_percent->setEnabled(why.isEmpty());
    m_of->setEnabled(m_on->isEnabled());
}

void ShareChoice::tell()
{
    Q_EMIT changed(m_on->isChecked() ? std::optional<qint64>(m_percent->value()) : std::nullopt);
}

} // namespace views

#include "moc_sharechoice.cpp"
