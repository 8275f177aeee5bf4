#pragma once

#include "backend/core/time/clock.h"
#include "backend/recovery/classification.h"

#include <QList>
#include <QString>

#include <optional>

namespace sandbox {

// One fault of a scenario file.
struct Fault
{
    enum class Kind {
        BadJson, // the sender writes a body that cannot be read
        Outage, // every attempt from `from` to `to` after the start fails
        FailsFirst, // the first `times` attempts of a message fail
        Always, // every attempt of a message fails
        DiesBeforeQueueing, // documents: the request ends after a failure, before anybody else knows of it
        Contended, // documents: somebody else saves a document in the middle of the first `times` saves of a request
        DiesAfterHandling, // documents: the request ends after a message was processed, before its outbox says so
    };

    // Those that fail an attempt.
    [[nodiscard]] static QList<Kind> ofAttempts() { return {Kind::Outage, Kind::FailsFirst, Kind::Always}; }

    Kind kind = Kind::Always;
    int share = 10000; // of 10,000 messages; an outage hits all
    int times = 1;
    core::Milliseconds from{0};
    core::Milliseconds to{0};
    QString exception;
    QString message; // %1 is the number of the message
    int httpStatus = 0; // 0: none
    QString stackTrace; // without its first line
};

// A failed attempt, as the handler throws it.
struct HandlerFailure
{
    recovery::Failure what;
    QString stackTrace; // without its first line
};

// Which fault hits which attempt: a pure function of the seed, the message, its attempt and the time. Any thread.
class FaultScript final
{
public:
    FaultScript(quint64 seed, QList<Fault> faults);

    // Of a handler. `attempt` counts from 1.
    [[nodiscard]] std::optional<HandlerFailure> strikes(int message, int attempt, core::Milliseconds sinceStart) const;
    // Of the sender: the body of this message is cut.
    [[nodiscard]] bool spoils(int message) const { return has(Fault::Kind::BadJson, message); }
    // Of a document that handles this message: somebody else saves it in the middle of save number `save`, from 1.
    [[nodiscard]] bool contends(int message, int save) const;
    // Of a process: it dies at this point.
    [[nodiscard]] bool kills(Fault::Kind where, int message) const { return has(where, message); }

private:
    [[nodiscard]] bool has(Fault::Kind kind, int message) const;
    [[nodiscard]] bool picks(qsizetype place, int message) const;

    quint64 m_seed;
    QList<Fault> m_faults;
};

} // namespace sandbox
