#pragma once

class QCoreApplication;

namespace views {

// Makes resources/ available under ":/". May be called any number of times.
void initResources();

// Installs the plural forms of the English texts ("1 message", "2 messages"). Call once, before the first window.
void installPlurals(QCoreApplication &application);

} // namespace views
