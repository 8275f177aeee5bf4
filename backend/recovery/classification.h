#pragma once

#include "backend/records/conventions/glob.h"
#include "backend/records/messages/message.h"
#include "backend/recovery/policy.h"

#include <QHash>

#include <optional>

namespace recovery {

// What is known of one failure. Everything may be missing.
struct Failure
{
    QString exceptionType; // full name: "System.ArgumentException"
    QString message;
    int httpStatus = 0; // 0: none
    QString deadLetterReason;
    std::optional<core::TimePoint> expiresAt; // the message is of no use from then on (Azure Service Bus, Time To Live)
    // What the message is about no longer exists, so there is nothing to do (deferred dispatch, Dispatch).
    bool isObsolete = false;
};

// Of a message in the store. The dialects of brokers name the reason of a dead letter where frameworks name an exception.
[[nodiscard]] Failure failureOf(const records::FailedMessage &message);

// Says of which class a failure is: by the rules of a policy in their order, then by the built-in ones that it names. Those
// of this program:
//  - Permanent: deserialization and validation failures (NServiceBus, "Unrecoverable exceptions", goes no further than
//    MessageDeserializationException; Azure Service Bus, InvalidJson)
//  - Transient: concurrency conflicts, HTTP 412 among them (deferred dispatch, "Transient failures")
// Everything else is Transient (NServiceBus retries every other exception).
// A rule matches only what is there: "*" for the message does not match a failure without one.
// A rule for a type includes its direct and indirect subtypes (NServiceBus): those of .NET and Java are known
// (facts/exceptiontypes.h), and the table of the policy, which may contain cycles, adds to them. Immutable after
// construction: any thread.
class Classifier final
{
public:
    explicit Classifier(const Policy &policy);

    [[nodiscard]] FailureClass classOf(const Failure &failure) const;

    // Of a longer message or reason, only the first and last halves of this many characters are compared, so that no
    // message makes the program slow.
    static constexpr qsizetype longestText = 8 * 1024;

private:
    struct PatternRule
    {
        ClassRule::By by = ClassRule::By::Exception;
        records::Glob glob;
        int place = 0; // in the list of all rules
    };

    using Subtypes = QHash<QString, QStringList>; // those of the policy
    void add(const ClassRule &rule, const Subtypes &subtypes);
    void addTypesOf(const PatternRule &rule, const Subtypes &bases, const Subtypes &subtypes);
    void addType(const QString &type, int place, const Subtypes &subtypes);

    QList<FailureClass> m_classes; // by place
    QHash<QString, int> m_types; // type: place of the first rule that names it or one of its base types
    QHash<int, int> m_statuses; // HTTP status: place of its first rule
    QList<PatternRule> m_patterns; // in the order of their places
};

// The rules behind those of every policy.
[[nodiscard]] const QList<ClassRule> &builtInRules(BuiltInRules whose);

} // namespace recovery
