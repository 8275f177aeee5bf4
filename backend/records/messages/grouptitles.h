// Words in titles of failure groups by which other parts know what a title says. A title is the identity of its group, so they are
// never translated and never change.
#pragma once

#include <QStringView>

namespace records {

// Ends the title of a failure without a stack trace: "TimeoutException: No stacktrace".
inline constexpr QStringView noStackEnding = u": No stacktrace";

} // namespace records
