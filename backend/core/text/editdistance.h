#pragma once

#include <QString>
#include <QStringList>

namespace core {

// How many characters must be changed, added or removed to turn one text into the other. The time grows with the
// product of the two lengths.
[[nodiscard]] int editDistance(const QString &one, const QString &other);

// The one of `words` that a person probably meant: at most two slips, and less than half of the word. Empty if there is
// none, or if the name is longer than 24 characters, which is no typing mistake.
[[nodiscard]] QString nearestOf(const QString &name, const QStringList &words);

} // namespace core
