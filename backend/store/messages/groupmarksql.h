#pragma once

#include "backend/records/messages/groupmark.h"

#include <QString>

namespace store {

class Statement;

// Pieces of SQL for lists of groups, about `group_mark k` at the moment `t.now`. Only this place defines what makes a
// mute loud, for the rows and for their order. `unresolved` is an SQL expression.
struct GroupMarkSql
{
    [[nodiscard]] static QString isMuted();
    [[nodiscard]] static QString isQuiet(const QString &unresolved);
    [[nodiscard]] static QString columns(const QString &unresolved); // the columns that read() expects
    [[nodiscard]] static records::GroupMarks read(const Statement &row, int first);
};

} // namespace store
