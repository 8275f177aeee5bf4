#include "backend/recovery/classification.h"

#include "backend/recovery/facts/exceptiontypes.h"

#include <algorithm>

namespace recovery {

using By = ClassRule::By;

namespace {

constexpr int preconditionFailed = 412; // how deferred dispatch sees a concurrency conflict

ClassRule builtIn(const char *exception, FailureClass as)
{
    return {.by = By::Exception, .pattern = QString::fromLatin1(exception), .httpStatus = 0, .as = as};
}

// The text itself if it is short, else its two ends.
QString shortened(const QString &text)
{
    constexpr qsizetype half = Classifier::longestText / 2;
    return text.size() <= Classifier::longestText ? text : text.first(half) + text.last(half);
}

// A generic type of .NET has its arity and its types behind its name: "A.FaultException`1[[B, C]]". Rules and tables name it
// without, and by custom it derives from the type of that name. Empty: it is none, or it is nested in one.
QString withoutTypes(const QString &type)
{
    const qsizetype tick = type.indexOf(QLatin1Char('`'));
    if (tick < 1)
        return {};
    const auto behind = std::find_if_not(type.cbegin() + tick + 1, type.cend(), [](QChar c) { return c.isDigit(); });
    return behind == type.cend() || *behind == QLatin1Char('[') ? type.first(tick) : QString();
}

} // namespace

const QList<ClassRule> &builtInRules(BuiltInRules whose)
{
    using enum FailureClass;
    static const QList<ClassRule> ofNServiceBus{builtIn("*MessageDeserializationException", Permanent)};
    // A type has any namespace before its name, so that those of one's own count, too.
    static const QList<ClassRule> ofRedrive{
        builtIn("*MessageDeserializationException", Permanent), // NServiceBus
        builtIn("*MessageDecodingFailedException", Permanent), // Symfony Messenger
        builtIn("*SerializationException", Permanent), // .NET; JsonSerializationException of Newtonsoft
        builtIn("*JsonException", Permanent), // System.Text.Json, Newtonsoft
        builtIn("*JsonReaderException", Permanent), // Newtonsoft
        builtIn("*JsonParseException", Permanent), // Jackson
        builtIn("*JSONDecodeError", Permanent), // Python
        builtIn("*ValidationException", Permanent),
        {.by = By::DeadLetterReason, .pattern = QStringLiteral("InvalidJson"), .httpStatus = 0, .as = Permanent},
        builtIn("*ConcurrencyException", Transient), // Entity Framework, ADO.NET, Marten
        builtIn("*OptimisticLockException", Transient), // Jakarta Persistence
        builtIn("*StaleObjectStateException", Transient), // NHibernate, Hibernate
        {.by = By::HttpStatus, .pattern = {}, .httpStatus = preconditionFailed, .as = Transient},
    };
    return whose == BuiltInRules::NServiceBus ? ofNServiceBus : ofRedrive;
}

Failure failureOf(const records::FailedMessage &message)
{
    Failure failure;
    failure.exceptionType = message.failure.exceptionType;
    failure.message = message.failure.exceptionMessage;
    failure.deadLetterReason = message.failure.exceptionType;
    return failure;
}

Classifier::Classifier(const Policy &policy)
{
    for (const ClassRule &rule : policy.rules)
        add(rule, policy.subtypes);
    for (const ClassRule &rule : builtInRules(policy.builtIn))
        add(rule, policy.subtypes);
}

void Classifier::add(const ClassRule &rule, const Subtypes &subtypes)
{
    const int place = int(m_classes.size());
    m_classes.append(rule.as);
    if (rule.by == By::HttpStatus) {
        if (!m_statuses.contains(rule.httpStatus))
            m_statuses.insert(rule.httpStatus, place);
        return;
    }
    const records::Glob glob(rule.pattern);
    if (rule.by != By::Exception) {
        m_patterns.append({rule.by, glob, place});
        return;
    }
    if (!records::Glob::isGlob(rule.pattern)) {
        addType(rule.pattern, place, subtypes);
        return;
    }
    m_patterns.append({rule.by, glob, place});
    addTypesOf(m_patterns.constLast(), subtypes, subtypes);
    addTypesOf(m_patterns.constLast(), knownSubtypes(), subtypes);
}

// A base type that the glob matches brings its subtypes, whatever their names.
void Classifier::addTypesOf(const PatternRule &rule, const Subtypes &bases, const Subtypes &subtypes)
{
    for (auto base = bases.cbegin(); base != bases.cend(); ++base) {
        if (rule.glob.matches(base.key()))
            addType(base.key(), rule.place, subtypes);
    }
}

// A type that has a place already got its subtypes then; that also ends a cycle.
void Classifier::addType(const QString &type, int place, const Subtypes &subtypes)
{
    QStringList open{type};
    while (!open.isEmpty()) {
        const QString one = open.takeLast();
        if (m_types.contains(one))
            continue;
        m_types.insert(one, place);
        open += subtypes.value(one);
        open += knownSubtypes().value(one);
    }
}

FailureClass Classifier::classOf(const Failure &failure) const
{
    const int none = int(m_classes.size());
    const QString plain = withoutTypes(failure.exceptionType);
    int place = std::min({m_types.value(failure.exceptionType, none), m_types.value(plain, none),
                          m_statuses.value(failure.httpStatus, none)});
    const QString message = shortened(failure.message);
    const QString reason = shortened(failure.deadLetterReason);
    for (const PatternRule &rule : m_patterns) {
        if (rule.place >= place)
            break; // an earlier rule matched already
        const QString &text = rule.by == By::Message     ? message
                              : rule.by == By::Exception ? failure.exceptionType
                                                         : reason;
        const bool isPlain = rule.by == By::Exception && !plain.isEmpty() && rule.glob.matches(plain);
        if (isPlain || (!text.isEmpty() && rule.glob.matches(text))) {
            place = rule.place;
            break;
        }
    }
    return place < none ? m_classes.at(place) : FailureClass::Transient;
}

} // namespace recovery
