// Linked into every test program of a build with sanitizers, which would report as a leak what a thread has not yet given
// back when the exit handlers come: core::waitForOtherThreads() says why. The programs themselves call it in main().
#include "backend/core/otherthreads.h"

#include <QCoreApplication>

static void atTheEnd()
{
    qAddPostRoutine(core::waitForOtherThreads);
}

Q_COREAPP_STARTUP_FUNCTION(atTheEnd)
