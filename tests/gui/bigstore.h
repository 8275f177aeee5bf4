// A store with so many failed messages that whatever does not scale shows.
#pragma once

#include "backend/records/connection.h"

#include <QString>

namespace bigstore {

inline constexpr int causes = 640; // groups: seven hold nearly everything, the others a few each
inline constexpr int heavyEvery =
    5000; // of these, one has a body of 300 KB in one line, a long stack trace, 300 headers

// Fills a new store: one connection, whose work queues are those of the demo shop, and `messages` failed messages.
// Also writes the file of an embedded broker that has the shop's queues, all empty. Ends the program when it cannot.
void fill(const QString &storePath, const QString &brokerFile, int messages);

[[nodiscard]] records::Connection connection(quint16 port);
[[nodiscard]] QString brokerKey();

} // namespace bigstore
