#include "backend/store/query/questions/conventionqueries.h"

#include "backend/api/requests/conventionview.h"
#include "backend/store/database/database.h"
#include "backend/store/query/querytable.h"

namespace store {

static Result<QList<api::ConventionView>> readConventions(Database &database)
{
    QList<api::ConventionView> all;
    Statement rows =
        database.sql(QStringLiteral("SELECT name, definition, set_by, set_at,"
                                    " (SELECT count(*) FROM message_convention m WHERE m.convention = convention.name)"
                                    " FROM convention ORDER BY name"));
    TRY(rows.each([&] { all.append({rows.text(0), rows.blob(1), rows.text(2), rows.time(3), rows.integer(4)}); }));
    return all;
}

void addConventionQueries(QueryTable &table)
{
    table.on<api::ConventionQuery>(QueryLane::Visible, [](QueryContext &context, const api::ConventionQuery &) {
        return readConventions(context.database);
    });
}

} // namespace store
