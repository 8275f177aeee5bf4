#pragma once

#include "backend/api/requests/queries.h"

#include <QHash>

namespace store {

// Where the groups stand in a page: for statements that answer for all of them.
[[nodiscard]] inline QHash<core::GroupId, qsizetype> placesOf(const QList<api::GroupRow> &groups)
{
    QHash<core::GroupId, qsizetype> places;
    for (qsizetype place = 0; place < groups.size(); ++place)
        places.insert(groups.at(place).id, place);
    return places;
}

} // namespace store
