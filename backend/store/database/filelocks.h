#pragma once

namespace store {

// SQLite's locks are those of POSIX, which belong to a process and a file: whoever in this process closes the file, by any
// descriptor, drops them all (fcntl(2)), while SQLite believes that it has them. A file dialog that looks at a file to choose
// its icon is enough. Another program then removes a log that is in use.
//
// After this call, SQLite in this process takes its locks as open file description locks (Linux), which only SQLite itself
// can drop. All connections of the process to one file still share them, as SQLite expects, and other programs respect them
// as before. Holds for files that SQLite opens afterwards; further calls do nothing. Any thread.
void keepLocksUntilSqliteDropsThem();

} // namespace store
