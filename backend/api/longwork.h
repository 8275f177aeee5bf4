// How far a command is that takes long, and ending it. Such a command has a ticket, which whoever asks for it chooses:
// a text that nobody else has. What has no ticket cannot be asked about.
#pragma once

#include "backend/api/request.h"

#include <optional>

namespace api {

struct WorkProgress
{
    qint64 done = 0; // messages
    std::optional<qint64> of{}; // nothing: not known
    bool isAbout = false; // `of` is what was counted last, and it changes

    REDRIVE_FIELDS(done, of, isAbout)
    friend bool operator==(const WorkProgress &, const WorkProgress &) = default;
};

// How far the command with this ticket is. NotFound: none with this ticket is running.
struct AskWork
{
    using Answer = WorkProgress;
    static constexpr RequestRules rules{"AskWork", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const { return {}; }
    [[nodiscard]] QString activity() const { return {}; }

    QString ticket;

    REDRIVE_FIELDS(ticket)
};

// Returns at once; the command itself answers after its slice, as its request says. NotFound: none with this ticket is
// running.
struct CancelWork
{
    using Answer = void;
    static constexpr RequestRules rules{"CancelWork", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const { return {}; }
    [[nodiscard]] QString activity() const { return {}; }

    QString ticket;

    REDRIVE_FIELDS(ticket)
};

} // namespace api
