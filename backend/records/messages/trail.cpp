#include "backend/records/messages/trail.h"

#include "backend/records/text.h"

namespace records {

QString sentence(const TrailCheck &check)
{
    switch (check.fault) {
    case TrailCheck::Fault::None:
        return check.entries == 0 ? Text::tr("The activity log has no entries yet.")
                                  : Text::tr("The activity log is intact up to entry %1.").arg(check.entries);
    case TrailCheck::Fault::Missing:
        return Text::tr("Entry %1 of the activity log is missing.").arg(check.entries + 1);
    case TrailCheck::Fault::Changed:
        return Text::tr("Entry %1 of the activity log was changed after it was written.").arg(check.entries + 1);
    case TrailCheck::Fault::NoSuchSeal:
        return Text::tr("No entry of the activity log has the given seal. The log was rewritten, or the seal belongs "
                        "to another store.");
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
