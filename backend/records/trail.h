#pragma once

#include <QByteArray>
#include <QString>

namespace records {

// Whether the audit trail is as it was written. The seal of an entry is a SHA-256 over the seal before it and the entry's
// own fields, so each seals all before it. There is no secret in it: who can write the file can write the whole trail anew.
// That shows only by a seal that was noted earlier and kept elsewhere.
struct TrailCheck
{
    enum class Fault { None, Missing, Changed, NoSuchSeal };

    Fault fault = Fault::None;
    qint64 entries = 0; // so many are as they were written; the next one is missing or was changed
    QByteArray seal; // of the last of them; empty when there is none
};

[[nodiscard]] QString sentence(const TrailCheck &check); // for people
[[nodiscard]] QString toString(TrailCheck::Fault fault); // for JSON

} // namespace records
