#include "backend/api/groupcause.h"

#include "backend/records/messages/grouptitles.h"

namespace api {

QString causeOf(const GroupRow &group)
{
    constexpr qsizetype longest = 200;
    if (!group.title.endsWith(records::noStackEnding))
        return group.title;
    const QString type = group.title.chopped(records::noStackEnding.size());
    const QString text = group.example.left(longest).simplified();
    return text.isEmpty() ? type : QStringLiteral("%1: %2").arg(type, text);
}

} // namespace api
