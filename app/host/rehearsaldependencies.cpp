#include "app/host/rehearsaldependencies.h"

#include "app/brokers.h"
#include "backend/store/sqlite/sqlitestore.h"

namespace app {

rehearsal::EnvironmentDependencies rehearsalDependencies()
{
    rehearsal::EnvironmentDependencies dependencies;
    dependencies.openStore = [](core::Random &random) {
        return store::openSqliteStore(QStringLiteral(":memory:"), random);
    };
    dependencies.makeBroker = [](sandbox::Simulation &simulation) { return simulatedBroker(simulation); };
    return dependencies;
}

} // namespace app
