// What is typed after a command. n: a number. t: a time. a: a time to come. r: a rate. i: an id. s: a store, and a profile. c: the
// name of a command. l: a whole line, word by word. Whatever is said of it is harmless on a terminal.
#include "app/commandline/arguments/arguments.h"
#include "app/commandline/arguments/storeurl.h"
#include "app/commandline/commandline.h"
#include "app/commandline/printer.h"
#include "tests/fuzz/fuzz.h"

#include <QDir>

using commandline::Arguments;
using fuzz::holds;

namespace {

const QString option = QStringLiteral("value");
const core::TimePoint now = core::fromMs(1767323045000);

template<typename T>
bool isGood(const core::Result<T> &result)
{
    if (result)
        return true;
    holds(result.error().kind == core::ErrorKind::Rejected, "what cannot be read is rejected");
    holds(!result.error().message.isEmpty(), "a mistake is told");
    return false;
}

Arguments with(const QString &text)
{
    return Arguments({}, {{option, {text}}});
}

void number(const QString &text)
{
    for (const qint64 least : {qint64{0}, qint64{1}, qint64{1000}}) {
        const auto read = with(text).number(option, least);
        holds(!isGood(read) || (*read && **read >= least), "a number is in its range", text.toUtf8());
    }
}

void time(const QString &text)
{
    const auto read = with(text).time(option, now);
    if (!isGood(read))
        return;
    holds(read->has_value(), "what was given is there");
    const QString shown = commandline::localTime(**read);
    holds(!shown.isEmpty(), "a time can be shown", text.toUtf8());
}

void timeAhead(const QString &text)
{
    const auto read = with(text).timeAhead(option, now);
    holds(!isGood(read) || (*read && **read >= now), "a time to come is to come", text.toUtf8());
}

void rate(const QString &text)
{
    const auto read = Arguments::perMinuteFrom(text);
    holds(!isGood(read) || (*read >= 1 && *read <= 60'000'000'000), "a rate is in its range", text.toUtf8());
}

void store(const QString &text)
{
    const QString url = text.section(QChar(u'\x1e'), 0, 0);
    const auto address = commandline::storeFrom(url, text.section(QChar(u'\x1e'), 1, 1));
    if (!isGood(address))
        return;
    if (address->isShared()) {
        holds(records::sharedStoreFrom(address->text()) == *address, "what is shown of a store can be typed",
              url.toUtf8());
        return;
    }
    const QString *const path = &address->file;
    holds(QDir::isAbsolutePath(*path) && !path->contains(QChar(u'\0')), "a store has a path", path->toUtf8());
    holds(QDir::cleanPath(*path) == *path, "a path is written in one way", path->toUtf8());
}

void command(const QString &name)
{
    const QString near = commandline::nearestCommand(name);
    holds(near.isEmpty() || commandline::findCommand(near) != nullptr, "what is proposed is there", near.toUtf8());
}

void line(const QString &text)
{
    const QStringList words = QStringList{QStringLiteral("redrive")} + text.split(QChar(u'\x1e'));
    if (words.size() > 64)
        return;
    QByteArray out;
    QByteArray err;
    commandline::Terminal terminal;
    terminal.out = [&out](const QByteArray &bytes) { out += bytes; };
    terminal.err = [&err](const QByteArray &bytes) { err += bytes; };
    const commandline::CommandLine line(words);
    const std::optional<int> code = line.settle(terminal);
    for (const QByteArray &said : {out, err})
        holds(!fuzz::hasHarmful(QString::fromUtf8(said), QStringLiteral("\n")), "what is said is harmless", said);
    holds(!code || *code == 0 || !err.isEmpty(), "a mistake is told");
    holds(code.has_value() || (out.isEmpty() && err.isEmpty()), "nothing is said of what is right");
    holds(code.has_value() || !line.settings().store.isEmpty(), "there is a store");
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const fuzz::Input input(data, size);
    const QString text = input.text();
    holds(!fuzz::hasHarmful(commandline::harmless(text)), "what is shown is harmless", text.toUtf8());
    switch (input.mode()) {
    case 'n':
        number(text);
        break;
    case 't':
        time(text);
        break;
    case 'a':
        timeAhead(text);
        break;
    case 'r':
        rate(text);
        break;
    case 'i':
        holds(!isGood(Arguments::idFrom(text)) || *Arguments::idFrom(text) > 0, "an id is above nothing");
        break;
    case 's':
        store(text);
        break;
    case 'c':
        command(text);
        break;
    case 'l':
        line(text);
        break;
    default:
        break;
    }
    return 0;
}
