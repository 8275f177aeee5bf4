#include "backend/records/conventions/conventionfile.h"
#include "backend/records/conventions/conventionwords.h"
#include "backend/records/editing/jsonnode.h"
#include "backend/records/messages/stamp.h"
#include "backend/records/rules/retrycount.h"
#include "backend/records/text.h"

#include <QSet>

#include <algorithm>

// A path of an error is that of the file, whether the convention comes from a file or from a window.

namespace records {

using core::Result;

namespace {

using namespace conventions;

bool isControl(QChar one)
{
    return one.unicode() < 0x20 || one.unicode() == 0x7f;
}

Result<> checkLength(const QString &path, const QString &text, qsizetype longest)
{
    if (text.size() > longest)
        return wrongAt(path, Text::tr("The text can have at most %1 characters.").arg(longest));
    if (!text.isValidUtf16())
        return wrongAt(path, Text::tr("The text has half of a character (a lone surrogate). Remove it."));
    return {};
}

Result<> checkName(const QString &path, const QString &text, qsizetype longest = longestName)
{
    if (text.isEmpty())
        return wrongAt(path, Text::tr("The text is empty. Fill it in."));
    TRY(checkLength(path, text, longest));
    if (std::any_of(text.cbegin(), text.cend(), isControl))
        return wrongAt(path, Text::tr("The text has a control character. Remove it."));
    return {};
}

Result<> checkOwnName(const QString &name)
{
    const QString path = QStringLiteral("name");
    TRY(checkName(path, name, longestConventionName));
    const bool isPlain = std::all_of(name.cbegin(), name.cend(), [](QChar one) { return one.isPrint(); });
    if (!isPlain || name != name.trimmed())
        return wrongAt(path, Text::tr("The name has an invisible character, or a space at its beginning or end. Remove "
                                      "it."));
    if (name.contains(u'/') || name.contains(u','))
        return wrongAt(path, Text::tr("The name has a slash or a comma. Remove it."));
    return {};
}

Result<> checkNote(const QString &note)
{
    const QString path = QStringLiteral("note");
    TRY(checkLength(path, note, longestNote));
    const bool isPlain = std::none_of(note.cbegin(), note.cend(),
                                      [](QChar one) { return isControl(one) && one != u'\n' && one != u'\t'; });
    return isPlain ? Result<>() : wrongAt(path, Text::tr("The text has a control character. Remove it."));
}

Result<> checkList(const QString &path, const QStringList &texts, int most)
{
    if (texts.size() > most)
        return wrongAt(path, Text::tr("The list can have at most %1 entries.").arg(most));
    for (qsizetype i = 0; i < texts.size(); ++i)
        TRY(checkName(path + QStringLiteral("[%1]").arg(i), texts.at(i)));
    return {};
}

Result<> checkHeaders(const QList<Convention::For::Header> &headers)
{
    const QString path = QStringLiteral("for.headers");
    if (headers.size() > mostHeaders)
        return wrongAt(path, Text::tr("The object can have at most %1 entries.").arg(mostHeaders));
    QSet<QString> seen;
    for (const Convention::For::Header &header : headers) {
        const QString own = path + QStringLiteral("[\"%1\"]").arg(shown(header.name));
        TRY(checkName(own, header.name));
        TRY(checkLength(own, header.value, longestName));
        if (seen.contains(header.name))
            return wrongAt(own, Text::tr("This entry occurs twice. Remove one of them."));
        seen.insert(header.name);
    }
    return {};
}

Result<> checkFor(const Convention::For &isFor)
{
    if (!isFor.connection.isEmpty()) {
        TRY(checkName(QStringLiteral("for.connection"), isFor.connection));
    }
    TRY(checkList(QStringLiteral("for.queues"), isFor.queues, mostQueues));
    TRY(checkList(QStringLiteral("for.dialects"), isFor.dialects, mostDialects));
    TRY(checkHeaders(isFor.headers));
    if (isFor.group) {
        TRY(checkName(QStringLiteral("for.group.title"), isFor.group->title));
    }
    return {};
}

Result<> checkPlace(const QString &path, const MessagePlace &place)
{
    const bool inBody = place.in == MessagePlace::In::Body;
    const QString pointer = path + (inBody ? QStringLiteral(".body") : QStringLiteral(".pointer"));
    if (!inBody) {
        TRY(checkName(path + u'.' + placeWords().at(int(place.in)), place.name));
    }
    if (inBody && !place.name.isEmpty())
        return wrongAt(pointer, Text::tr("A place in the body has no name."));
    if (inBody && place.pointer.isEmpty())
        return wrongAt(pointer, Text::tr("The whole body is no place. Name a field, for example \"/error/text\"."));
    TRY(checkLength(pointer, place.pointer, longestPointer));
    const std::optional<QStringList> parts = pointerParts(place.pointer);
    if (!parts)
        return wrongAt(pointer, Text::tr("\"%1\" is not a JSON pointer. Start it with /, and write ~0 for ~ and ~1 for "
                                         "/ in names.")
                                    .arg(shown(place.pointer)));
    if (parts->size() > deepestPointer)
        return wrongAt(pointer, Text::tr("A JSON pointer can have at most %1 parts.").arg(deepestPointer));
    return {};
}

Result<> checkReads(const Convention &convention)
{
    QSet<int> seen;
    for (const Convention::Read &read : convention.reads) {
        const QString path = QStringLiteral("read.") + factWords().at(int(read.fact));
        if (seen.contains(int(read.fact)))
            return wrongAt(path, Text::tr("This field occurs twice. Remove one of them."));
        seen.insert(int(read.fact));
        if (read.from.isEmpty())
            return wrongAt(path, Text::tr("The list of places is empty. Add a place, or remove the field."));
        if (read.from.size() > mostPlaces)
            return wrongAt(path, Text::tr("The list can have at most %1 entries.").arg(mostPlaces));
        for (qsizetype i = 0; i < read.from.size(); ++i) {
            const QString own = read.from.size() == 1 ? path : path + QStringLiteral("[%1]").arg(i);
            TRY(checkPlace(own, read.from.at(i)));
        }
    }
    if (convention.returnTo.isEmpty())
        return {};
    const QString fixed = QStringLiteral("return_to_queue");
    if (seen.contains(int(Convention::Fact::ReturnTo)))
        return wrongAt(fixed, Text::tr("The field \"read.return_to\" names the queue, too. Remove one of them."));
    return checkName(fixed, convention.returnTo);
}

bool isOwnHeader(const MessagePlace &place)
{
    return place.in == MessagePlace::In::Header
           && (place.name.compare(stampHeader, Qt::CaseInsensitive) == 0
               || place.name.compare(retryCountHeader, Qt::CaseInsensitive) == 0);
}

Result<> checkRule(const QString &path, const Convention::BeforeRetry &rule)
{
    TRY(checkPlace(path, rule.place));
    if (isOwnHeader(rule.place))
        return wrongAt(path, Text::tr("Redrive recognizes its own copies by this header. Remove this entry."));
    const bool isWholeHeader = rule.place.in == MessagePlace::In::Header && rule.place.pointer.isEmpty();
    if (rule.what == Convention::BeforeRetry::Do::EmptyIsMissing && !isWholeHeader)
        return wrongAt(path, Text::tr("Only a whole header can be left out when it is empty."));
    return {};
}

Result<> checkRules(const Convention &convention)
{
    const QString all = QStringLiteral("before_retry");
    qsizetype count = convention.beforeRetry.size();
    for (const Convention::Read &read : convention.reads)
        count += read.from.size();
    if (count > mostConventionRules)
        return wrongAt(all, Text::tr("A convention can have at most %1 places and rules.").arg(mostConventionRules));
    for (qsizetype i = 0; i < convention.beforeRetry.size(); ++i) {
        const Convention::BeforeRetry &rule = convention.beforeRetry.at(i);
        TRY(checkRule(all + QStringLiteral("[%1].%2").arg(QString::number(i), ruleWords().at(int(rule.what))), rule));
    }
    return {};
}

} // namespace

Result<> checkConvention(const Convention &convention)
{
    TRY(checkOwnName(convention.name));
    TRY(checkNote(convention.note));
    TRY(checkFor(convention.isFor));
    TRY(checkReads(convention));
    return checkRules(convention);
}

} // namespace records
