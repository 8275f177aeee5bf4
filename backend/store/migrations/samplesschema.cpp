#include "backend/store/migrations/schema.h"

namespace store::schema {

QStringList samples()
{
    return {QStringLiteral("CREATE TABLE run_sample ("
                           " operation INTEGER NOT NULL,"
                           " at INTEGER NOT NULL," // start of the second; of a rolled-up minute 1 ms later: its own key
                           " span INTEGER NOT NULL," // ms it stands for: 1000 or 60000
                           " staged INTEGER NOT NULL,"
                           " sent INTEGER NOT NULL,"
                           " came_back INTEGER NOT NULL,"
                           " depth INTEGER,"
                           " PRIMARY KEY (operation, at)"
                           ") STRICT, WITHOUT ROWID"),
            QStringLiteral("CREATE INDEX sample_fine ON run_sample (at) WHERE span = 1000"),
            QStringLiteral("CREATE INDEX sample_age ON run_sample (at)")};
}

} // namespace store::schema
