// What a store in PostgreSQL has for the processes that share it: who works for it, and what they ask of each other
// (store/shared/). A store in a file has a lock and a socket instead. And who may do what with it: roles.
#pragma once

#include <QString>
#include <QStringList>

namespace store::schema {

// Tables with row security: a role sees and writes requests and askers in its own name (session_user), and changes no
// request that was taken. The owner of the tables is not bound by it.
[[nodiscard]] QStringList controlTables();

// The SQL with which an administrator gives rights on an existing store: redrive_engine may do all, redrive_support may read
// and ask, redrive_viewer may read. It creates what is missing and may run again at any time.
[[nodiscard]] QString roles(const QString &schemaName);

} // namespace store::schema
