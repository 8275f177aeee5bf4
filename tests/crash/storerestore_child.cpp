// Makes a backup the store, to be killed at it: storerestore_child BACKUP STORE.
#include "backend/core/random.h"
#include "backend/core/time/systemclock.h"
#include "backend/store/backup/storerestore.h"

#include <QCoreApplication>

#include <cstdio>

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const QStringList words = QCoreApplication::arguments();
    core::SystemRandom random;
    core::SystemClock clock;
    auto prepared =
        store::StoreRestore::prepare({words.value(1), words.value(2), QStringLiteral("ada"), clock.now()}, random, {});
    if (prepared) {
        std::puts("prepared");
        std::fflush(stdout);
    }
    const core::Result<> done = prepared ? prepared->install() : core::fail(prepared.error());
    if (!done)
        std::fprintf(stderr, "%s\n", qPrintable(done.error().message));
    return done ? 0 : 1;
}
