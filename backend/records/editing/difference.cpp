#include "backend/records/editing/difference.h"

#include "backend/records/editing/editing.h"
#include "backend/records/editing/jsonlines.h"
#include "backend/records/editing/jsonpatcher.h"

#include <QHash>

#include <algorithm>
#include <vector>

namespace records {

namespace {

using Kind = BodyLine::Kind;

constexpr int context = 3; // lines around what differs
constexpr qsizetype longestLine = 400; // a longer line is cut to the part that differs and its surroundings
constexpr qsizetype around = 60;
// Pairs of lines, and lines. Beyond, all old lines count as removed and all new ones as added.
constexpr qsizetype mostCompared = 4'000'000;
constexpr qsizetype mostLinesCompared = 20'000;
constexpr qsizetype longestLinedUp = 512 * 1024; // bytes; a longer JSON on one line is compared as that line

using Lines = QList<QStringView>; // of a text that outlives them

QList<HeaderChange> headerChanges(const Headers &before, const Headers &after)
{
    QList<HeaderChange> changes;
    for (const Header &header : before) {
        const QCborValue *now = find(after, header.name);
        if (now == nullptr)
            changes.append({header.name, header.value, std::nullopt});
        else if (*now != header.value || now->type() != header.value.type())
            changes.append({header.name, header.value, *now});
    }
    for (const Header &header : after) {
        if (find(before, header.name) == nullptr)
            changes.append({header.name, std::nullopt, header.value});
    }
    return changes;
}

struct Texts
{
    QString before;
    QString after;
    bool areLinedUp = false;
};

// JSON on one line is compared in the lines in which it is read and edited. The edited text may be invalid JSON.
Texts comparable(const QByteArray &before, const QByteArray &after)
{
    const Texts plain{textFromUtf8(before), textFromUtf8(after), false};
    const bool isOneLine = !before.contains('\n') && (before.startsWith('{') || before.startsWith('['));
    const bool isLong = std::max(before.size(), after.size()) > longestLinedUp;
    if (!isOneLine || isLong || jsonFault(before))
        return plain;
    Texts lined{indentedJson(plain.before), indentedJson(plain.after), true};
    const bool isOnlySpace = lined.before == lined.after;
    return isOnlySpace || !lined.before.contains(u'\n') ? plain : lined;
}

// The lines that remain when those are left out that both texts have at their start and end.
struct Middle
{
    qsizetype head = 0;
    qsizetype before = 0; // remaining lines of each text
    qsizetype after = 0;
};

Middle middleOf(const Lines &before, const Lines &after)
{
    const qsizetype shorter = std::min(before.size(), after.size());
    Middle middle;
    while (middle.head < shorter && before.at(middle.head) == after.at(middle.head))
        ++middle.head;
    qsizetype tail = 0;
    while (tail < shorter - middle.head && before.at(before.size() - 1 - tail) == after.at(after.size() - 1 - tail))
        ++tail;
    middle.before = before.size() - middle.head - tail;
    middle.after = after.size() - middle.head - tail;
    return middle;
}

// The same number for the same line, so that long lines are compared once and not with each other.
std::vector<int> numbered(const Lines &lines, qsizetype from, qsizetype count, QHash<QStringView, int> &numbers)
{
    std::vector<int> found;
    for (qsizetype i = from; i < from + count; ++i) {
        const auto known = numbers.constFind(lines.at(i));
        found.push_back(known == numbers.cend() ? *numbers.insert(lines.at(i), int(numbers.size())) : *known);
    }
    return found;
}

// Too many lines to compare. What is beyond the limit of a difference is not shown anyway.
QList<BodyLine> allReplaced(const Lines &before, const Lines &after, const Middle &middle)
{
    QList<BodyLine> lines;
    for (qsizetype i = 0; i < middle.before && lines.size() <= mostDifferentLines; ++i)
        lines.append({Kind::Removed, before.at(middle.head + i).toString(), int(middle.head + i + 1), 0});
    for (qsizetype i = 0; i < middle.after && lines.size() <= mostDifferentLines; ++i)
        lines.append({Kind::Added, after.at(middle.head + i).toString(), 0, int(middle.head + i + 1)});
    return lines;
}

// Compares the middle by its longest common subsequence.
QList<BodyLine> compared(const Lines &before, const Lines &after, const Middle &middle)
{
    const qsizetype rows = middle.before;
    const qsizetype columns = middle.after;
    if (rows * columns > mostCompared || rows + columns > mostLinesCompared)
        return allReplaced(before, after, middle);
    QHash<QStringView, int> numbers;
    const std::vector<int> old = numbered(before, middle.head, rows, numbers);
    const std::vector<int> fresh = numbered(after, middle.head, columns, numbers);
    std::vector<int> longest(size_t((rows + 1) * (columns + 1)), 0);
    const auto at = [&](qsizetype row, qsizetype column) -> int & {
        return longest[size_t(row * (columns + 1) + column)];
    };
    const auto same = [&](qsizetype row, qsizetype column) { return old[size_t(row)] == fresh[size_t(column)]; };
    for (qsizetype row = rows - 1; row >= 0; --row) {
        for (qsizetype column = columns - 1; column >= 0; --column)
            at(row, column) =
                same(row, column) ? at(row + 1, column + 1) + 1 : std::max(at(row + 1, column), at(row, column + 1));
    }
    QList<BodyLine> lines;
    qsizetype row = 0;
    qsizetype column = 0;
    while (row < rows || column < columns) {
        const int left = int(middle.head + row + 1);
        const int right = int(middle.head + column + 1);
        if (row < rows && column < columns && same(row, column)) {
            lines.append({Kind::Same, before.at(middle.head + row++).toString(), left, right});
            ++column;
        } else if (row < rows && (column == columns || at(row + 1, column) >= at(row, column + 1))) {
            lines.append({Kind::Removed, before.at(middle.head + row++).toString(), left, 0});
        } else {
            lines.append({Kind::Added, after.at(middle.head + column++).toString(), 0, right});
        }
    }
    return lines;
}

// Cuts two long lines to the part that differs and its surroundings.
void cutLongLines(QString &before, QString &after)
{
    if (before.size() <= longestLine && after.size() <= longestLine)
        return;
    const qsizetype shorter = std::min(before.size(), after.size());
    qsizetype head = 0;
    while (head < shorter && before.at(head) == after.at(head))
        ++head;
    qsizetype tail = 0;
    while (tail < shorter - head && before.at(before.size() - 1 - tail) == after.at(after.size() - 1 - tail))
        ++tail;
    const auto cut = [&](const QString &line) {
        const qsizetype from = std::max<qsizetype>(0, head - around);
        const qsizetype to = std::min(line.size(), line.size() - tail + around);
        QString text = line.mid(from, std::min(to - from, longestLine));
        const bool shortened = from + text.size() < line.size();
        if (from > 0)
            text.prepend(u'…');
        return shortened ? text + u'…' : text;
    };
    const QString cutBefore = cut(before);
    after = cut(after);
    before = cutBefore;
}

// A block of removed lines, followed by as many added ones, is a block of changed lines: each pair is cut alike.
void cutPairs(QList<BodyLine> &lines)
{
    for (qsizetype begin = 0; begin < lines.size();) {
        qsizetype middle = begin;
        while (middle < lines.size() && lines.at(middle).kind == Kind::Removed)
            ++middle;
        qsizetype end = middle;
        while (end < lines.size() && lines.at(end).kind == Kind::Added)
            ++end;
        const bool pairs = end - middle == middle - begin;
        for (qsizetype i = begin; i < middle && pairs; ++i)
            cutLongLines(lines[i].text, lines[middle + i - begin].text);
        begin = std::max(end, begin + 1);
    }
}

BodyLine skipped(qsizetype count)
{
    return {Kind::Skipped, {}, int(count), int(count)};
}

// Replaces equal lines between two differences, and far from both, with their count.
QList<BodyLine> folded(const QList<BodyLine> &lines)
{
    QList<BodyLine> told;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        qsizetype end = i;
        while (end < lines.size() && lines.at(end).kind == Kind::Same)
            ++end;
        if (end - i <= 2 * context + 1) {
            told.append(lines.at(i));
            continue;
        }
        told += lines.mid(i, context);
        told.append(skipped(end - i - 2 * context));
        told += lines.mid(end - context, context);
        i = end - 1;
    }
    return told;
}

QList<BodyLine> bodyLines(const Texts &texts)
{
    const Lines old = QStringView(texts.before).split(u'\n');
    const Lines fresh = QStringView(texts.after).split(u'\n');
    const Middle middle = middleOf(old, fresh);
    QList<BodyLine> lines;
    const qsizetype from = middle.head > context + 1 ? middle.head - context : 0;
    if (from > 0)
        lines.append(skipped(from));
    for (qsizetype i = from; i < middle.head; ++i)
        lines.append({Kind::Same, old.at(i).toString(), int(i + 1), int(i + 1)});
    QList<BodyLine> differing = compared(old, fresh, middle);
    cutPairs(differing);
    lines += folded(differing);
    const qsizetype tail = middle.head + middle.before;
    const qsizetype end = old.size() - tail > context + 1 ? tail + context : old.size();
    for (qsizetype i = tail; i < end; ++i)
        lines.append({Kind::Same, old.at(i).toString(), int(i + 1), int(i + 1 + middle.after - middle.before)});
    if (end < old.size())
        lines.append(skipped(old.size() - end));
    for (BodyLine &line : lines) {
        if (line.text.size() > longestLine + 2)
            line.text = line.text.left(longestLine) + u'…';
    }
    return lines;
}

} // namespace

Difference difference(const Envelope &before, const Envelope &after)
{
    Difference found;
    found.headers = headerChanges(before.headers, after.headers);
    found.bytesBefore = before.body.size();
    found.bytesAfter = after.body.size();
    found.bodyChanges = before.body != after.body;
    found.bodyIsText = whyNoText(before.body).isEmpty() && whyNoText(after.body).isEmpty();
    if (!found.bodyChanges || !found.bodyIsText)
        return found;
    const Texts texts = comparable(before.body, after.body);
    found.bodyLinedUp = texts.areLinedUp;
    found.body = bodyLines(texts);
    found.bodyCut = found.body.size() > mostDifferentLines;
    found.body = found.body.mid(0, mostDifferentLines);
    return found;
}

} // namespace records
