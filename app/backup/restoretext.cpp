#include "app/backup/restoretext.h"

#include "app/commandline/text.h"
#include "app/text.h"
#include "backend/store/backup/storerestore.h"

#include <QDateTime>
#include <QTimeZone>

namespace app {

static QString moment(const std::optional<core::TimePoint> &at)
{
    return at ? QDateTime::fromMSecsSinceEpoch(core::toMs(*at), QTimeZone::utc())
                    .toString(QStringLiteral("yyyy-MM-dd HH:mm:ss 'UTC'"))
              : Text::tr("an unknown time");
}

QString restoreMeaning(const store::StoreRestore &restore, const QString &file)
{
    const store::RestoreFacts &facts = restore.facts();
    QString text =
        Text::tr(
            "%1 holds %2. The last entry of its activity log is from %3. Messages whose state will be unknown, because "
            "they were not resolved or archived then: %4. No retry sends them until they are taken again or you decide "
            "their state.")
            .arg(file, commandline::Text::messages(facts.backup.messages), moment(facts.backup.lastEntry),
                 QString::number(facts.counts.unknown));
    if (facts.counts.ended > 0)
        text += QLatin1Char(' ') + Text::tr("Unfinished retries that the restore ends: %1.").arg(facts.counts.ended);
    if (!restore.kept().isEmpty()) {
        const QString present =
            facts.present ? commandline::Text::messages(facts.present->messages) : Text::tr("unreadable");
        text += QLatin1Char(' ') + Text::tr("The current store (%1) is kept as %2.").arg(present, restore.kept());
    }
    return text;
}

} // namespace app
