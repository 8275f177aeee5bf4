// Edits: 'f' the text of a file of --edit, then a body to edit; 'j' a body, a JSON pointer and what comes there; 'd' two bodies
// to be compared.
#include "backend/records/editing/difference.h"
#include "backend/records/editing/editfile.h"
#include "backend/records/editing/editing.h"
#include "backend/records/editing/jsonpatcher.h"
#include "tests/fuzz/fuzz.h"

using fuzz::holds;
using namespace records;
using Do = EditStep::Do;

namespace {

Envelope message(const QByteArray &body)
{
    Envelope envelope;
    envelope.headers = {{QStringLiteral("x"), 1}, {QStringLiteral("y"), QStringLiteral("text")}};
    envelope.body = body;
    return envelope;
}

void checkError(const core::Error &error, const QByteArray &shown)
{
    // Refused: a pattern that takes too long on this body
    const bool isKnown = error.kind == core::ErrorKind::Rejected || error.kind == core::ErrorKind::Refused;
    holds(isKnown && !error.message.isEmpty(), "an error says what is wrong", shown);
    holds(error.message.size() < 2000, "an error is short", shown);
}

void checkDifference(const Envelope &before, const Envelope &after)
{
    const Difference found = difference(before, after);
    holds(found.isEmpty() == (before.body == after.body && toCbor(before.headers) == toCbor(after.headers)),
          "a difference is told where there is one", before.body + '\n' + after.body);
    holds(found.body.size() <= mostDifferentLines, "a difference has an end");
    for (const BodyLine &line : found.body)
        holds(line.text.size() <= 1000, "a line has an end", before.body);
}

void checkFile(const QByteArray &file, const QByteArray &body)
{
    const core::Result<Edit> edit = editFrom(file);
    if (!edit)
        return checkError(edit.error(), file);
    holds(checkEdit(*edit).has_value(), "what is read is an edit", file);
    const core::Result<Edit> again = editFrom(toJson(*edit));
    holds(again && toJson(*again) == toJson(*edit), "what is written can be read", toJson(*edit));
    holds(!toSentence(*edit).isEmpty() && toSentence(*edit).size() < 2000, "an edit is one sentence", file);
    const Envelope original = message(body);
    const core::Result<Envelope> done = apply(*edit, original);
    if (!done)
        return checkError(done.error(), file);
    const core::Result<Envelope> twice = apply(*edit, original);
    holds(twice && twice->body == done->body && toCbor(twice->headers) == toCbor(done->headers),
          "an edit does the same each time", file);
    holds(done->body.size() <= longestEditedBody || done->body == body, "a body has an end", file);
    checkDifference(original, *done);
}

void checkPointer(const QByteArray &json, const QString &pointer, const QByteArray &value)
{
    const Envelope original = message(json);
    const Edit set{{{Do::SetJson, pointer, QString::fromUtf8(value)}}};
    if (const core::Result<> whole = checkEdit(set); !whole)
        return checkError(whole.error(), json);
    const core::Result<Envelope> done = apply(set, original);
    if (!done)
        return checkError(done.error(), json);
    const bool marked = json.startsWith("\xef\xbb\xbf");
    const QByteArray edited = marked ? done->body.mid(3) : done->body;
    holds(!jsonFault(edited), "what was JSON stays JSON", done->body);
    holds(edited.contains(QString::fromUtf8(value).toUtf8().trimmed()), "what is set is there as it was written",
          done->body);
    if (!pointer.endsWith(u'-')) {
        const core::Result<Envelope> again = apply(set, *done);
        holds(again && again->body == done->body, "what is set is found again", done->body);
    }
    const Edit removal{{{Do::RemoveJson, pointer}}};
    const core::Result<Envelope> gone =
        pointer.isEmpty() ? core::fail(core::ErrorKind::Rejected, {}) : apply(removal, *done);
    if (gone)
        holds(!jsonFault(marked ? gone->body.mid(3) : gone->body), "what is left is JSON", gone->body);
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const fuzz::Input input(data, size);
    const QByteArrayList parts = input.parts();
    switch (input.mode()) {
    case 'f':
        checkFile(parts.value(0), parts.value(1));
        break;
    case 'j':
        checkPointer(parts.value(0), QString::fromUtf8(parts.value(1)), parts.value(2));
        break;
    case 'd':
        checkDifference(message(parts.value(0)), message(parts.value(1)));
        break;
    default:
        break;
    }
    return 0;
}
