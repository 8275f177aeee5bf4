#include "models/conventions/placeuse.h"

#include "backend/records/messages/stamp.h"
#include "backend/records/rules/retrycount.h"
#include "models/common/text.h"

#include <algorithm>
#include <optional>

namespace models {

using records::Convention;
using records::MessagePlace;
using Do = Convention::BeforeRetry::Do;
using Fact = Convention::Fact;

namespace {

// Nothing: it is a rule before a retry.
std::optional<Fact> factOf(PlaceUse use)
{
    switch (use) {
    case PlaceUse::CauseType:
        return Fact::ExceptionType;
    case PlaceUse::CauseMessage:
        return Fact::ExceptionMessage;
    case PlaceUse::StackTrace:
        return Fact::StackTrace;
    case PlaceUse::MessageType:
        return Fact::MessageType;
    case PlaceUse::ReturnTo:
        return Fact::ReturnTo;
    case PlaceUse::FailedAt:
        return Fact::FailedAt;
    case PlaceUse::Remove:
    case PlaceUse::SetToZero:
    case PlaceUse::EmptyIsMissing:
        break;
    }
    return std::nullopt;
}

Do ruleOf(PlaceUse use)
{
    if (use == PlaceUse::Remove)
        return Do::Remove;
    return use == PlaceUse::SetToZero ? Do::SetToZero : Do::EmptyIsMissing;
}

} // namespace

QString textOf(PlaceUse use)
{
    switch (use) {
    case PlaceUse::CauseType:
        return Text::tr("This is the cause (type)");
    case PlaceUse::CauseMessage:
        return Text::tr("This is the cause (message)");
    case PlaceUse::StackTrace:
        return Text::tr("This is the stack trace");
    case PlaceUse::MessageType:
        return Text::tr("This is the message type");
    case PlaceUse::ReturnTo:
        return Text::tr("This is where it goes back to");
    case PlaceUse::FailedAt:
        return Text::tr("This is the time of failure");
    case PlaceUse::Remove:
        return Text::tr("Remove it before a retry");
    case PlaceUse::SetToZero:
        return Text::tr("Set it to 0 before a retry");
    case PlaceUse::EmptyIsMissing:
        return Text::tr("Empty means missing");
    }
    Q_UNREACHABLE();
}

QString refusalOf(PlaceUse use, const MessagePlace &place)
{
    if (factOf(use))
        return {};
    const auto isNamed = [&place](QStringView name) { return place.name.compare(name, Qt::CaseInsensitive) == 0; };
    if (place.in == MessagePlace::In::Header && (isNamed(records::stampHeader) || isNamed(records::retryCountHeader)))
        return Text::tr("Redrive recognizes its own copies by this header.");
    const bool isWholeHeader = place.in == MessagePlace::In::Header && place.pointer.isEmpty();
    if (use == PlaceUse::EmptyIsMissing && !isWholeHeader)
        return Text::tr("Only a whole header can be left out when it is empty.");
    return {};
}

void say(Convention &convention, PlaceUse use, const MessagePlace &place)
{
    const std::optional<Fact> fact = factOf(use);
    if (!fact) {
        const Convention::BeforeRetry rule{ruleOf(use), place};
        if (!convention.beforeRetry.contains(rule))
            convention.beforeRetry.append(rule);
        return;
    }
    if (*fact == Fact::ReturnTo)
        convention.returnTo.clear(); // the place takes the place of a fixed queue
    const auto known = std::find_if(convention.reads.begin(), convention.reads.end(),
                                    [&fact](const Convention::Read &read) { return read.fact == *fact; });
    if (known == convention.reads.end()) {
        convention.reads.append({*fact, {place}});
        return;
    }
    known->from.removeAll(place);
    known->from.prepend(place);
}

} // namespace models
