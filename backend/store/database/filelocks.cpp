#include "backend/store/database/filelocks.h"

#include <cstdarg>
#include <cstdio>
#include <fcntl.h>
#include <map>
#include <memory>
#include <mutex>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace store {

namespace {

// The open file description that has the locks of this process on one file. It is not SQLite's own, because SQLite takes a
// lock through one connection and drops it through another.
class LockOwner final
{
public:
    LockOwner() = default;
    ~LockOwner()
    {
        if (m_file >= 0)
            ::close(m_file);
    }
    LockOwner(const LockOwner &) = delete;
    LockOwner &operator=(const LockOwner &) = delete;

    // `descriptor` is one of SQLite's for this file.
    [[nodiscard]] int file(int descriptor)
    {
        if (m_file < 0)
            m_file = openAgain(descriptor);
        return m_file;
    }

private:
    // For writing where that is allowed: the first connection may be read-only, and a later one may write.
    static int openAgain(int descriptor)
    {
        char path[32];
        std::snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
        const int file = ::open(path, O_RDWR | O_CLOEXEC);
        return file >= 0 ? file : ::fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
    }

    int m_file = -1; // until the first lock
};

// Which owner stands for which of SQLite's descriptors. An owner lives as long as one of them is open: SQLite keeps a
// descriptor open while its process has a lock on the file.
class LockOwners final
{
public:
    void opened(int descriptor)
    {
        struct stat facts = {};
        if (::fstat(descriptor, &facts) != 0)
            return;
        const std::lock_guard<std::mutex> guard(m_mutex);
        std::weak_ptr<LockOwner> &known = m_ofFile[{facts.st_dev, facts.st_ino}];
        std::shared_ptr<LockOwner> owner = known.lock();
        if (!owner)
            known = owner = std::make_shared<LockOwner>();
        m_ofDescriptor[descriptor] = std::move(owner);
    }
    void closed(int descriptor)
    {
        const std::lock_guard<std::mutex> guard(m_mutex);
        if (m_ofDescriptor.erase(descriptor) > 0)
            std::erase_if(m_ofFile, [](const auto &file) { return file.second.expired(); });
    }
    // -1: SQLite opened this file before it was told to come here.
    [[nodiscard]] int ownerOf(int descriptor)
    {
        const std::lock_guard<std::mutex> guard(m_mutex);
        const auto found = m_ofDescriptor.find(descriptor);
        return found == m_ofDescriptor.end() ? -1 : found->second->file(descriptor);
    }

private:
    std::mutex m_mutex;
    std::map<int, std::shared_ptr<LockOwner>> m_ofDescriptor;
    std::map<std::pair<dev_t, ino_t>, std::weak_ptr<LockOwner>> m_ofFile;
};

LockOwners &owners()
{
    static auto *const all = new LockOwners; // outlives connections that are closed while the program exits
    return *all;
}

using OpenCall = int (*)(const char *, int, int);
using CloseCall = int (*)(int);
using ControlCall = int (*)(int, int, ...);
OpenCall sqliteOpen = nullptr;
CloseCall sqliteClose = nullptr;
ControlCall sqliteControl = nullptr;

int openAndKnow(const char *path, int flags, int mode)
{
    const int descriptor = sqliteOpen(path, flags, mode);
    if (descriptor >= 0)
        owners().opened(descriptor);
    return descriptor;
}

int closeAndForget(int descriptor)
{
    owners().closed(descriptor); // first, because another thread may get the same number
    return sqliteClose(descriptor);
}

int descriptionCommand(int command)
{
    switch (command) {
    case F_GETLK:
        return F_OFD_GETLK;
    case F_SETLK:
        return F_OFD_SETLK;
    case F_SETLKW:
        return F_OFD_SETLKW;
    default:
        return -1;
    }
}

int lockByDescription(int descriptor, int command, ...)
{
    va_list rest;
    va_start(rest, command);
    void *const argument = va_arg(rest, void *);
    va_end(rest);
    const int asDescription = descriptionCommand(command);
    const int owner = asDescription < 0 ? -1 : owners().ownerOf(descriptor);
    if (owner < 0)
        return sqliteControl(descriptor, command, argument);
    static_cast<struct flock *>(argument)->l_pid = 0; // the kernel demands it
    return ::fcntl(owner, asDescription, argument);
}

template<typename Function>
Function systemCall(sqlite3_vfs *files, const char *name)
{
    return reinterpret_cast<Function>(files->xGetSystemCall(files, name));
}

template<typename Function>
void replaceCall(sqlite3_vfs *files, const char *name, Function by)
{
    files->xSetSystemCall(files, name, reinterpret_cast<sqlite3_syscall_ptr>(by));
}

} // namespace

void keepLocksUntilSqliteDropsThem()
{
    static std::once_flag once;
    std::call_once(once, [] {
        sqlite3_vfs *const files = sqlite3_vfs_find("unix"); // its system calls serve the default, too
        sqliteOpen = systemCall<OpenCall>(files, "open");
        sqliteClose = systemCall<CloseCall>(files, "close");
        sqliteControl = systemCall<ControlCall>(files, "fcntl");
        replaceCall(files, "close", &closeAndForget);
        replaceCall(files, "fcntl", &lockByDescription);
        replaceCall(files, "open", &openAndKnow);
    });
}

} // namespace store
