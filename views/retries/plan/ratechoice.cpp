#include "views/retries/plan/ratechoice.h"

#include "backend/records/rules/rate.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QRadioButton>
#include <QSpinBox>

namespace views {

namespace {

constexpr int secondsOfMinute = 60;

} // namespace

RateChoice::RateChoice(QWidget *parent)
    : QWidget(parent)
    , m_free(new QRadioButton(tr("As fast as the broker can"), this))
    , m_limited(new QRadioButton(tr("At most"), this))
    , m_count(new QSpinBox(this))
    , m_unit(new QComboBox(this))
{
    m_free->setObjectName(QStringLiteral("rateFree"));
    m_limited->setObjectName(QStringLiteral("rateLimited"));
    m_count->setObjectName(QStringLiteral("rateCount"));
    m_unit->setObjectName(QStringLiteral("rateUnit"));
    m_free->setChecked(true);
    m_count->setGroupSeparatorShown(true);
    m_count->setValue(20);
    m_count->setAccessibleName(tr("Most messages per second or minute"));
    m_unit->addItem(tr("per second"), secondsOfMinute);
    m_unit->addItem(tr("per minute"), 1);
    bound();
    m_unit->setAccessibleName(tr("Unit of the rate"));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(10);
    row->addWidget(m_free);
    row->addWidget(m_limited);
    row->addWidget(m_count);
    row->addWidget(m_unit);
    row->addStretch(1);
    const auto tell = [this] { Q_EMIT changed(perMinute()); };
    connect(m_free, &QRadioButton::toggled, this, tell);
    connect(m_count, &QSpinBox::valueChanged, this, [this, tell] {
        m_limited->setChecked(true);
        tell();
    });
    connect(m_unit, &QComboBox::activated, this, [this, tell] {
        bound();
        m_limited->setChecked(true);
        tell();
    });
}

// The engine accepts no higher rate, so every current rate fits.
void RateChoice::bound()
{
    m_count->setRange(1, int(records::mostPerMinute / m_unit->currentData().toInt()));
}

std::optional<qint64> RateChoice::perMinute() const
{
    if (m_free->isChecked())
        return std::nullopt;
    return qint64(m_count->value()) * m_unit->currentData().toInt();
}

void RateChoice::setPerMinute(std::optional<qint64> perMinute)
{
    if (!perMinute) {
        m_free->setChecked(true);
        return;
    }
    const bool whole = *perMinute % secondsOfMinute == 0;
    m_unit->setCurrentIndex(whole ? 0 : 1);
    bound();
    m_count->setValue(int(whole ? *perMinute / secondsOfMinute : *perMinute));
    m_limited->setChecked(true);
}

} // namespace views

#include "moc_ratechoice.cpp"
