#pragma once

#include <QByteArray>
#include <QString>

namespace records {

// The result of checking whether the activity log was changed after it was written. The seal of an entry is a SHA-256
// over the seal before it and the fields of the entry, so each seal covers all entries up to it. The seals contain no
// secret: whoever can write the file can rewrite the whole log. Only a seal that was noted earlier and kept elsewhere
// shows that.
struct TrailCheck
{
    enum class Fault { None, Missing, Changed, NoSuchSeal };

    Fault fault = Fault::None;
    qint64 entries = 0; // entries that are intact; with a fault, the next one is missing or was changed
    QByteArray seal; // of the last intact entry; empty if there is none
};

[[nodiscard]] QString sentence(const TrailCheck &check); // for people
[[nodiscard]] QString toString(TrailCheck::Fault fault); // for JSON

} // namespace records
