#include "backend/recovery/assignment.h"

#include <algorithm>

namespace recovery {

namespace {

constexpr std::array patternFields{&Rule::queue,   &Rule::destination, &Rule::exception,
                                   &Rule::message, &Rule::messageType, &Rule::endpoint};

// Narrowest first.
constexpr std::array groupOrder{records::Classifier::ExceptionAndStack, records::Classifier::MessageType,
                                records::Classifier::EndpointInstance, records::Classifier::EndpointAddress,
                                records::Classifier::EndpointName};
static_assert(groupOrder.size() == records::classifierCount);

} // namespace

int Rule::patterns() const
{
    return int(std::count_if(patternFields.begin(), patternFields.end(),
                             [this](QString Rule::*field) { return !(this->*field).isEmpty(); }));
}

Assignments::Assignments(const QList<Assignment> &assignments)
    : m_all(assignments.cbegin(), assignments.cend())
{
    std::sort(m_all.begin(), m_all.end(), [](const Assignment &a, const Assignment &b) { return a.id < b.id; });
    for (size_t place = 0; place < m_all.size(); ++place) {
        const Scope &scope = m_all.at(place).scope;
        if (scope.of == Scope::Of::Group && !m_groups.contains(scope.group))
            m_groups.insert(scope.group, place);
        if (const auto key = std::pair(scope.connection, scope.queue);
            scope.of == Scope::Of::Queue && !m_queues.contains(key))
            m_queues.insert(key, place);
        if (scope.of != Scope::Of::Rule)
            continue;
        Matcher matcher{place, {}};
        for (QString Rule::*const field : patternFields) {
            if (!(scope.rule.*field).isEmpty())
                matcher.patterns.emplace_back(field, records::Glob(scope.rule.*field));
        }
        m_rules.push_back(std::move(matcher));
    }
    std::stable_sort(m_rules.begin(), m_rules.end(),
                     [](const Matcher &a, const Matcher &b) { return a.patterns.size() > b.patterns.size(); });
}

bool Assignments::matches(const Matcher &matcher, const Rule &facts)
{
    return std::all_of(matcher.patterns.begin(), matcher.patterns.end(),
                       [&facts](const auto &one) { return one.second.matches(facts.*one.first); });
}

Subject subjectOf(const records::FailedMessage &message,
                  const std::array<core::GroupId, records::classifierCount> &groups)
{
    Subject subject;
    subject.connection = message.connection;
    subject.groups = groups;
    subject.facts.queue = message.queue;
    subject.facts.destination = message.destination.queue;
    subject.facts.exception = message.failure.exceptionType;
    subject.facts.message = message.failure.exceptionMessage;
    subject.facts.messageType = message.messageType;
    subject.facts.endpoint = message.failure.endpoint;
    return subject;
}

const Assignment *Assignments::of(const Subject &subject, Covers covers) const
{
    const auto isFor = [&](const Assignment &one) {
        return covers == Covers::Everything || one.since < subject.failedIn || one.id == subject.under;
    };
    for (const records::Classifier classifier : groupOrder) {
        const auto found = m_groups.constFind(subject.groups.at(size_t(classifier)));
        if (found != m_groups.cend() && isFor(m_all.at(*found)))
            return &m_all.at(*found);
    }
    for (const Matcher &matcher : m_rules) {
        const Assignment &assignment = m_all.at(matcher.place);
        const core::ConnectionId only = assignment.scope.connection;
        if ((!only.isValid() || only == subject.connection) && isFor(assignment) && matches(matcher, subject.facts))
            return &assignment;
    }
    const auto queue = m_queues.constFind(std::pair(subject.connection, subject.facts.queue));
    return queue == m_queues.cend() || !isFor(m_all.at(*queue)) ? nullptr : &m_all.at(*queue);
}

} // namespace recovery
