#include "backend/records/trail.h"

#include "backend/records/text.h"

namespace records {

QString sentence(const TrailCheck &check)
{
    switch (check.fault) {
    case TrailCheck::Fault::None:
        return check.entries == 0
                   ? Text::tr("The activity log has no entry yet.")
                   : Text::tr("The activity log is as it was written, up to entry %1.").arg(check.entries);
    case TrailCheck::Fault::Missing:
        return Text::tr("The activity log is not whole: entry %1 is missing.").arg(check.entries + 1);
    case TrailCheck::Fault::Changed:
        return Text::tr("The activity log was changed: entry %1 is not as it was written.").arg(check.entries + 1);
    case TrailCheck::Fault::NoSuchSeal:
        return Text::tr(
            "No entry of the activity log has the seal that was given: the log was written anew, or the seal is "
            "that of another store.");
    }
    Q_UNREACHABLE();
}

QString toString(TrailCheck::Fault fault)
{
    switch (fault) {
    case TrailCheck::Fault::None:
        return QStringLiteral("none");
    case TrailCheck::Fault::Missing:
        return QStringLiteral("missing");
    case TrailCheck::Fault::Changed:
        return QStringLiteral("changed");
    case TrailCheck::Fault::NoSuchSeal:
        return QStringLiteral("no such seal");
    }
    Q_UNREACHABLE();
}

} // namespace records
