#pragma once

class QCoreApplication;

namespace views {

// Makes resources/ reachable under ":/". Any number of times.
void initResources();

// The plural forms of the English texts: "1 message", "2 messages". Once, before the first window.
void installPlurals(QCoreApplication &application);

} // namespace views
