#pragma once

#include <QString>

// What the processes of the embedded kill test agree on.
namespace crashsetup {

inline const QString keyName = QStringLiteral("RootManageSharedAccessKey");
inline const QString key = QStringLiteral("guest"); // as RabbitConsole keeps it
inline const QString errorQueue = QStringLiteral("error");
inline const QString destination = QStringLiteral("billing");
constexpr int lockMs = 1000; // a dead program's locks end soon
constexpr int manyDeliveries = 2000; // so that kills make no dead letters

} // namespace crashsetup
