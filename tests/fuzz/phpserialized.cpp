// What PHP's serialize() writes. s: one byte that says which entries of an array go (bit n: each n-th of eight), then the serialized
// value. e: the body of a message of Symfony Messenger.
#include "backend/dialect/frameworks/phpenvelope.h"
#include "tests/fuzz/fuzz.h"

#include <algorithm>

using dialect::PhpEnvelope;
using dialect::PhpKind;
using dialect::PhpSerialized;
using dialect::PhpValue;
using fuzz::holds;

namespace {

void checkPlaces(const QByteArray &bytes, const PhpSerialized &read)
{
    const std::vector<PhpValue> &values = read.values();
    holds(!values.empty() && values.front().begin == 0 && values.front().end == bytes.size(), "the first is the whole");
    holds(values.front().next == int(values.size()), "the whole contains all");
    for (size_t i = 0; i < values.size(); ++i) {
        const PhpValue &value = values.at(i);
        holds(value.begin < value.end && value.end <= bytes.size(), "a value has a place");
        holds(value.text == 0 || (value.text > value.begin && value.text + value.textSize < value.end),
              "its text is inside it");
        holds(value.next > int(i) && value.next <= int(values.size()), "what follows it comes later");
        holds(i == 0 || value.begin > values.at(i - 1).begin, "values are in order");
    }
}

bool holdsCustom(const PhpSerialized &read)
{
    return std::any_of(read.values().begin(), read.values().end(),
                       [](const PhpValue &value) { return value.kind == PhpKind::Custom; });
}

// Values by number, as PHP counts them.
std::vector<const PhpValue *> numbered(const PhpSerialized &read)
{
    std::vector<const PhpValue *> all;
    for (const PhpValue &value : read.values()) {
        if (!value.isKey && value.kind != PhpKind::Alias)
            all.push_back(&value);
    }
    return all;
}

// Where the references lead that do not lie in one of these entries: to a kind and a text.
QByteArrayList targets(const PhpSerialized &read, const std::vector<int> &without)
{
    const std::vector<const PhpValue *> all = numbered(read);
    QByteArrayList found;
    for (int i = 0; i < int(read.values().size()); ++i) {
        const PhpValue &value = read.values().at(size_t(i));
        const bool isGone = std::any_of(without.begin(), without.end(), [&](int key) {
            return i >= key && i < read.values().at(size_t(key) + 1).next;
        });
        if (isGone || !value.isReference())
            continue;
        const size_t number = read.textOf(value).toULongLong();
        if (number > all.size()) {
            found.append("nowhere");
            continue;
        }
        const PhpValue &target = *all.at(number - 1);
        const bool isOwnNumber = target.kind == PhpKind::Array || target.isReference();
        found.append(QByteArray::number(int(target.kind)) + (isOwnNumber ? QByteArray() : read.textOf(target)));
    }
    return found;
}

void serialized(int mask, const QByteArray &bytes)
{
    const std::optional<PhpSerialized> read = PhpSerialized::parse(bytes);
    if (!read)
        return;
    checkPlaces(bytes, *read);
    holds(read->toJson(0, 3) == read->toJson(0, 3), "it is read the same each time");
    if (read->values().front().kind != PhpKind::Array)
        return;
    const std::vector<int> keys = read->keysOf(0);
    std::vector<int> gone;
    for (size_t i = 0; i < keys.size(); ++i) {
        if ((mask >> (i % 8) & 1) != 0)
            gone.push_back(keys.at(i));
    }
    const core::Result<QByteArray> rest = read->without(0, gone);
    holds(rest || !rest.error().message.isEmpty(), "an error says why");
    if (!rest)
        return;
    const std::optional<PhpSerialized> again = PhpSerialized::parse(*rest);
    holds(again.has_value(), "what stays can be read", *rest);
    holds(again->keysOf(0).size() == keys.size() - gone.size(), "as many entries stay as do not go", *rest);
    if (!holdsCustom(*read))
        holds(targets(*again, {}) == targets(*read, gone), "references lead where they led", bytes + "\n" + *rest);
    const core::Result<QByteArray> all = again->without(0, {});
    holds(all && *all == *rest, "without nothing it is the same");
}

void envelope(const QByteArray &body)
{
    const std::optional<PhpEnvelope> read = PhpEnvelope::from(body);
    if (!read)
        return;
    holds(PhpEnvelope::isOne(body), "an envelope looks like one");
    holds(read->without({}) == body, "without nothing it is the same");
    const QString stamp = QStringLiteral("Symfony\\Component\\Messenger\\Stamp\\RedeliveryStamp");
    const core::Result<QByteArray> rest = read->without({stamp});
    holds(rest || !rest.error().message.isEmpty(), "an error says why");
    if (!rest)
        return;
    const std::optional<PhpEnvelope> again = PhpEnvelope::from(*rest);
    holds(again.has_value(), "what stays is an envelope", *rest);
    holds(again->stampsOf(stamp).isEmpty(), "the stamps are gone");
    holds(again->messageType() == read->messageType(), "the message stays");
    holds(again->without({stamp}) == *rest, "gone is gone");
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const fuzz::Input input(data, size);
    if (input.mode() == 's' && size > 1)
        serialized(data[1], input.rest().mid(1));
    else if (input.mode() == 'e')
        envelope(input.rest());
    return 0;
}
