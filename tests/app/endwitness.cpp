// Loaded into a program (LD_PRELOAD): each of its threads takes a while to give back what libraries keep for it, and
// when main() has returned, before the exit handlers run, the number of its threads is written to the file that
// REDRIVE_END_WITNESS names. Built without sanitizers, and without Qt.
#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <dlfcn.h>
#include <memory>
#include <poll.h>
#include <pthread.h>

namespace {

using Main = int (*)(int, char **, char **);
using Routine = void *(*)(void *);

Main theMain = nullptr;

struct Start
{
    Routine routine;
    void *argument;
};

void giveBackSlowly(void *)
{
    static_cast<void>(poll(nullptr, 0, 100));
}

pthread_key_t slowKey()
{
    static const pthread_key_t key = [] {
        pthread_key_t made{};
        pthread_key_create(&made, giveBackSlowly);
        return made;
    }();
    return key;
}

void *run(void *argument)
{
    const std::unique_ptr<Start> start(static_cast<Start *>(argument));
    pthread_setspecific(slowKey(), &theMain);
    return start->routine(start->argument);
}

int threads()
{
    int number = 0;
    DIR *const tasks = opendir("/proc/self/task");
    while (const dirent *const entry = tasks == nullptr ? nullptr : readdir(tasks))
        number += entry->d_name[0] != '.' ? 1 : 0;
    if (tasks != nullptr)
        closedir(tasks);
    return number;
}

int mainAndThen(int argc, char **argv, char **environment)
{
    const int code = theMain(argc, argv, environment);
    if (const char *const path = std::getenv("REDRIVE_END_WITNESS")) {
        if (std::FILE *const file = std::fopen(path, "w")) {
            std::fprintf(file, "%d", threads());
            std::fclose(file);
        }
    }
    return code;
}

template<typename Function>
Function next(const char *name)
{
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

} // namespace

extern "C" int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, Routine routine, void *argument)
{
    static const auto create = next<decltype(&pthread_create)>("pthread_create");
    return create(thread, attributes, run, new Start{routine, argument});
}

extern "C" int __libc_start_main(Main main, int argc, char **argv, void (*init)(), void (*fini)(), void (*loader)(),
                                 void *stackEnd)
{
    theMain = main;
    static const auto start = next<decltype(&__libc_start_main)>("__libc_start_main");
    return start(mainAndThen, argc, argv, init, fini, loader, stackEnd);
}
