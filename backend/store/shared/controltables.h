// The tables through which the processes of a shared store reach the one that holds its lease: requests and their answers,
// the holder's greeting and newest snapshot, and who listens. They are to a store in PostgreSQL what the control socket is to
// one in a file (backend/control/README.md). What crosses in payloads is not known here.
#pragma once

#include "backend/core/result.h"
#include "backend/core/time/clock.h"
#include "backend/records/address/storeaddress.h"

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QString>
#include <QVariant>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>

namespace store {

class PostgresDatabase;
class Statement;

using core::Result;

// Who holds the store, and what it says about itself. All by the clock of the database.
struct HolderState
{
    core::TimePoint now{};
    qint64 fence = 0; // 0: nobody has ever held it
    bool isAlive = false; // its lease has not expired
    QString host;
    qint64 pid = 0;
    QString who;
    QString role; // of the database
    std::optional<qint64> protocol; // nothing: it has not greeted
    bool passing = false;
    QByteArray key; // to seal secrets with
    core::Milliseconds silent{0}; // since its engine gave a sign of life
    std::optional<qint64> snapshot; // the sequence of the newest one
};

struct SharedRequest
{
    qint64 id = 0;
    QString role; // of the database, which cannot be forged
    QString who; // as its process says; at most 200 characters
    qint64 protocol = 0;
    qint64 bytes = 0; // of its payload
    bool listens = false; // its asker also listens to snapshots
};

struct SharedAnswer
{
    qint64 number = 0;
    QByteArray answer;
};

struct SharedSnapshot
{
    qint64 sequence = 0;
    QByteArray payload;
};

// How a holder introduces itself.
struct Greeting
{
    qint64 protocol = 0;
    bool passing = false;
    QByteArray key; // to seal secrets with
};

// What an asker has to do with requests that a holder left.
struct Withdrawn
{
    QList<qint64> unheard; // taken back: no holder ever took them
    QList<qint64> taken; // by a holder that has not answered
};

// Whether there is anybody at the moment: within ten seconds, by what they say (stayPresent).
struct Presence
{
    bool askers = false;
    bool listeners = false;
};

// One connection to these tables, for one asker or for the holder. All calls block until the database has answered; use it on
// a thread that may wait, except abandon(). Times are those of the database (clock_timestamp()).
//
// Errors: Transient (not reached, or the connection is lost), Unauthorized (the role may not do this), others as
// PostgresDatabase::open. After a Transient error nobody knows whether the last call took place: open a new connection and
// repeat it. Each call says what a repetition does.
class ControlTables final
{
public:
    // Creates nothing. NotFound: there is no store.
    [[nodiscard]] static Result<std::unique_ptr<ControlTables>> open(const records::StoreAddress &address);
    ~ControlTables();
    ControlTables(const ControlTables &) = delete;
    ControlTables &operator=(const ControlTables &) = delete;

    // ---- both sides ----
    [[nodiscard]] QString role() const { return m_role; } // session_user
    // Any thread: whatever this connection waits for ends with an error, and everything later, too.
    void abandon();
    // Any thread: how many statements it has begun; the last one may be under way.
    [[nodiscard]] quint64 calls() const { return m_calls; }
    // Becomes readable when the other side may have left something. It is only a hint: look once a second anyway.
    [[nodiscard]] int descriptor() const;
    void hearWakes(); // reads what has arrived there
    [[nodiscard]] Result<HolderState> holder();

    // ---- an asker; `asker` is its uuid ----
    [[nodiscard]] Result<> hearHolder(); // LISTEN
    // The role may have requests carried out.
    [[nodiscard]] Result<bool> mayAsk();
    // Adds a request, which `number` names among those of this asker. A repetition adds nothing: use the same number, and
    // `notAfter` of the first try, so that a repetition cannot come after the first one was answered and removed. False: it
    // is too late, and the request is not there.
    [[nodiscard]] Result<bool> ask(const QString &asker, qint64 number, const QString &who, qint64 protocol,
                                   const QByteArray &payload, core::TimePoint notAfter);
    // That this asker waits for answers and, if `listens`, for snapshots. Call it every few seconds.
    [[nodiscard]] Result<> stayPresent(const QString &asker, bool listens);
    // The requests of this asker by their numbers, and whether each one has an answer. Those that were removed are missing.
    [[nodiscard]] Result<QMap<qint64, bool>> requests(const QString &asker);
    [[nodiscard]] Result<QByteArray> answer(const QString &asker, qint64 number);
    [[nodiscard]] Result<> forget(const QString &asker, const QList<qint64> &numbers); // answers that were read
    // Takes back the requests of this asker that no holder has taken, but for `kept`. The answers that are there stay.
    [[nodiscard]] Result<Withdrawn> withdraw(const QString &asker, const QList<qint64> &kept = {});
    [[nodiscard]] Result<> leave(const QString &asker); // no longer present
    // Nothing: there is none of this holder.
    [[nodiscard]] Result<std::optional<SharedSnapshot>> snapshot(qint64 fence);
    [[nodiscard]] Result<> wakeHolder();

    // ---- the holder; `fence` is its lease's, `taker` the uuid of this run. StoreFailed: another one holds the lease. ----
    [[nodiscard]] Result<> hearAskers(); // LISTEN
    // Says who holds, removes the snapshot of another holder, and answers with `goneAnswer` what another run has taken and
    // not answered.
    [[nodiscard]] Result<> greet(qint64 fence, const QString &taker, const Greeting &greeting,
                                 const QByteArray &goneAnswer);
    [[nodiscard]] Result<> giveSignOfLife(qint64 fence);
    // Marks up to `most` open requests as taken, and returns what this run has taken and not answered, but for `known`, in the
    // order in which they were asked. Requests of askers that have not been present for a minute are answered with
    // `staleAnswer`. A repetition also returns what an earlier call took without its caller getting to know.
    [[nodiscard]] Result<QList<SharedRequest>> take(qint64 fence, const QString &taker, const QList<qint64> &known,
                                                    int most, const QByteArray &staleAnswer);
    [[nodiscard]] Result<QByteArray> payload(qint64 id);
    // Nothing happens if it has an answer already.
    [[nodiscard]] Result<> giveAnswer(qint64 id, const QString &taker, const QByteArray &answer);
    [[nodiscard]] Result<Presence> presence();
    [[nodiscard]] Result<> publish(qint64 fence, const SharedSnapshot &snapshot);
    [[nodiscard]] Result<> removeSnapshot(qint64 fence);
    [[nodiscard]] Result<> removeOld(); // answers of more than an hour, askers of more than a day
    [[nodiscard]] Result<> wakeAskers();

private:
    explicit ControlTables(std::unique_ptr<PostgresDatabase> database);
    [[nodiscard]] Statement sql(const QString &text);
    [[nodiscard]] Result<> run(const QString &text, const QVariantList &values = {});
    [[nodiscard]] Result<> checkFence(qint64 fence);
    [[nodiscard]] Result<> answerAll(const QString &which, const QVariantList &values, const QByteArray &answer);
    [[nodiscard]] QString channel(const char *of) const;

    std::unique_ptr<PostgresDatabase> m_database;
    QString m_schema;
    QString m_role;
    std::atomic<quint64> m_calls{0};
};

// Opens a connection, on the thread that will use it.
using OpenControlTables = std::function<Result<std::unique_ptr<ControlTables>>()>;

} // namespace store
