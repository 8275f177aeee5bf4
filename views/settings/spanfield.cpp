#include "views/settings/spanfield.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QSpinBox>

#include <array>

namespace views {

namespace {

constexpr core::Milliseconds longest = std::chrono::hours(24 * 3650);
constexpr std::array<core::Milliseconds, 4> units{std::chrono::seconds(1), std::chrono::minutes(1),
                                                  std::chrono::hours(1), std::chrono::hours(24)};

} // namespace

DurationField::DurationField(const QString &name, const QString &none, core::Milliseconds least, QWidget *parent)
    : QWidget(parent)
    , m_least(least)
    , m_count(new QSpinBox(this))
    , m_unit(new QComboBox(this))
    , m_none(new QCheckBox(none, this))
{
    for (const core::Milliseconds unit : units)
        m_unit->addItem(QString(), qint64(unit.count()));
    m_count->setObjectName(QStringLiteral("spanCount"));
    m_count->setGroupSeparatorShown(true);
    m_count->setAccessibleName(tr("%1: duration").arg(name));
    m_unit->setObjectName(QStringLiteral("spanUnit"));
    m_unit->setAccessibleName(tr("%1: time unit").arg(name));
    m_none->setObjectName(QStringLiteral("spanNone"));
    m_none->setAccessibleName(tr("%1: %2").arg(name, none));
    setFocusProxy(m_count);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(m_count);
    row->addWidget(m_unit);
    row->addWidget(m_none);
    row->addStretch(1);
    setSpan(least);
    connect(m_count, &QSpinBox::valueChanged, this, &DurationField::tell);
    connect(m_unit, &QComboBox::activated, this, [this] {
        bound();
        tell();
    });
    connect(m_none, &QCheckBox::toggled, this, &DurationField::tell);
}

// Allows only what the engine accepts.
void DurationField::bound()
{
    const qint64 unit = m_unit->currentData().toLongLong();
    const qint64 first = (m_least.count() + unit - 1) / unit;
    m_count->setRange(int(first), int(longest.count() / unit));
}

void DurationField::tell()
{
    m_count->setEnabled(!m_none->isChecked());
    m_unit->setEnabled(!m_none->isChecked());
    const bool one = m_count->value() == 1;
    const QStringList words{one ? tr("second") : tr("seconds"), one ? tr("minute") : tr("minutes"),
                            one ? tr("hour") : tr("hours"), one ? tr("day") : tr("days")};
    for (int i = 0; i < m_unit->count(); ++i)
        m_unit->setItemText(i, words.at(i));
    Q_EMIT changed();
}

std::optional<core::Milliseconds> DurationField::span() const
{
    if (m_none->isChecked())
        return std::nullopt;
    return core::Milliseconds{m_count->value() * m_unit->currentData().toLongLong()};
}

void DurationField::setSpan(std::optional<core::Milliseconds> span)
{
    m_none->setChecked(!span);
    if (span) {
        int unit = m_unit->count() - 1;
        while (unit > 0 && span->count() % m_unit->itemData(unit).toLongLong() != 0)
            --unit;
        m_unit->setCurrentIndex(unit);
        bound();
        m_count->setValue(int(span->count() / m_unit->currentData().toLongLong()));
    }
    tell();
}

} // namespace views

#include "moc_spanfield.cpp"
