#include "app/rehearsalparts.h"

#include "app/brokers.h"
#include "backend/store/sqlite/sqlitestore.h"

namespace app {

rehearsal::WorldParts rehearsalParts()
{
    rehearsal::WorldParts parts;
    parts.openStore = [](core::Random &random) { return store::openSqliteStore(QStringLiteral(":memory:"), random); };
    parts.makeBroker = [](sandbox::Simulation &simulation) { return simulatedBroker(simulation); };
    return parts;
}

} // namespace app
