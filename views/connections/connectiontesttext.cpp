#include "views/connections/connectiontesttext.h"

#include "models/common/formatters.h"
#include "views/connections/connectiondialog.h"

namespace views {

namespace {

QString missingQueuesText(const api::ConnectionTest &found)
{
    QStringList others;
    for (const api::ConnectionTest::Queue &queue : found.otherQueues)
        others.append(queue.depth ? ConnectionDialog::tr("%1 (%2)").arg(queue.name, models::formatNumber(*queue.depth))
                                  : queue.name);
    const QString missing =
        ConnectionDialog::tr("Queues not found on the broker: %1.").arg(found.missingQueues.join(QStringLiteral(", ")));
    if (others.isEmpty())
        return missing;
    return missing + QLatin1Char(' ')
           + ConnectionDialog::tr("Queues with failed messages or a similar name: %1.")
                 .arg(others.join(QStringLiteral(", ")));
}

} // namespace

QString testText(const api::ConnectionTest &found)
{
    QStringList lines{found.product};
    if (!found.can.isEmpty())
        lines.append(ConnectionDialog::tr("Allowed: %1").arg(found.can.join(QStringLiteral(", "))));
    if (!found.notKnown.isEmpty())
        lines.append(ConnectionDialog::tr("Unknown: %1. %2")
                         .arg(found.notKnown.join(QStringLiteral(", ")), found.notKnownReason));
    if (!found.missing.isEmpty())
        lines.append(ConnectionDialog::tr("Missing: %1").arg(found.missing.join(QStringLiteral("; "))));
    if (!found.guarantee.isEmpty())
        lines.append(found.guarantee);
    if (!found.missingQueues.isEmpty())
        lines.append(missingQueuesText(found));
    if (!found.candidates.isEmpty())
        lines.append(
            ConnectionDialog::tr("Dead letters arrive in %1 queues that are not named: choose error queues from "
                                 "them.",
                                 nullptr, int(found.candidates.size()))
                .arg(models::formatNumber(found.candidates.size())));
    return lines.join(QLatin1Char('\n'));
}

QString testTone(const api::ConnectionTest &found)
{
    const bool lacks = !found.missing.isEmpty() || !found.missingQueues.isEmpty();
    return lacks ? QStringLiteral("warn") : QStringLiteral("ok");
}

} // namespace views
