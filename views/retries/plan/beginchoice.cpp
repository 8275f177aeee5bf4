#include "views/retries/plan/beginchoice.h"

#include <QDateTimeEdit>
#include <QHBoxLayout>
#include <QRadioButton>

namespace views {

namespace {

constexpr int minutesAhead = 60;

// The next whole hour: what a person most often means.
QDateTime soon(Qt::TimeSpec spec)
{
    const QDateTime now = QDateTime::currentDateTime().toTimeSpec(spec);
    const QDateTime hour(now.date(), QTime(now.time().hour(), 0), spec);
    return hour.addSecs(minutesAhead * 60);
}

} // namespace

BeginChoice::BeginChoice(models::TimeZone zone, QWidget *parent)
    : QWidget(parent)
    , m_now(new QRadioButton(tr("Now"), this))
    , m_later(new QRadioButton(tr("Not before"), this))
    , m_time(new QDateTimeEdit(this))
{
    const bool utc = zone == models::TimeZone::Utc;
    m_now->setObjectName(QStringLiteral("beginNow"));
    m_later->setObjectName(QStringLiteral("beginLater"));
    m_time->setObjectName(QStringLiteral("beginTime"));
    m_now->setChecked(true);
    m_time->setTimeSpec(utc ? Qt::UTC : Qt::LocalTime);
    m_time->setDisplayFormat(utc ? QStringLiteral("yyyy-MM-dd HH:mm 'UTC'") : QStringLiteral("yyyy-MM-dd HH:mm"));
    m_time->setDateTime(soon(m_time->timeSpec()));
    m_time->setAccessibleName(tr("Start time"));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(10);
    row->addWidget(m_now);
    row->addWidget(m_later);
    row->addWidget(m_time);
    row->addStretch(1);
    connect(m_now, &QRadioButton::toggled, this, &BeginChoice::tell);
    connect(m_time, &QDateTimeEdit::dateTimeChanged, this, [this] {
        m_later->setChecked(true);
        tell();
    });
}

void BeginChoice::tell()
{
    Q_EMIT changed(m_now->isChecked() ? std::nullopt
                                      : std::optional(core::fromMs(m_time->dateTime().toMSecsSinceEpoch())));
}

} // namespace views

#include "moc_beginchoice.cpp"
