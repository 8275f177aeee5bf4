#!/usr/bin/env python3
"""Constructs that have cost other programs dearly: nested event loops, sleeping threads, contextless connections, and the words of
one database outside the store's seam."""
import re

import house

EVERYWHERE = [
    (re.compile(r"\bprocessEvents\s*\("), "no processEvents: it runs anything at any place"),
    (re.compile(r"\b(QThread::(m|u)?sleep|std::this_thread::sleep_(for|until)|(?<![\w.>:])(usleep|nanosleep))\s*\("),
     "no sleeping threads: wait on the Clock"),
    (re.compile(r"\bQCoro::sleepFor\b|\bsleepUntil\s*\("), "no QCoro::sleepFor: it bypasses the Clock"),
    (re.compile(r"(?<![\w.>:])sender\s*\(\s*\)"), "no sender(): capture what is needed"),
    (re.compile(r"\bco_await\b[^;{}]*\bapi::\w+\{"),
     "build the request first: GCC 12 destroys a braced value of a co_await expression twice"),
    (re.compile(r"\bQCoro::waitFor\b|\bwaitForFinished\s*\("), "nothing blocks on the future"),
]
# D-Bus has no other way.
BY_NAME = (re.compile(r"\bSIGNAL\s*\(|\bSLOT\s*\("), "no string-based connections")
LOOPS = (re.compile(r"\bQEventLoop\b"), "no nested event loop")
DIALOGS = (re.compile(r"(->|\.)exec\s*\(\s*\)"), "no modal exec(): open() and a connection")
CONNECT = re.compile(r"\bconnect\s*\(")
ARG = re.compile(r"\s*\.arg\s*\(")
# What such a thing is called came from outside, as likely as not: a "%2" in it is taken for a place by the next arg().
TEXT = re.compile(r"(name|queue|what|path|host\(\)|text|reason|detail|message|title|destination|sentence|url|self|option|file"
                  r"|uniqueId|scope|who|toString\(\))\)*$", re.IGNORECASE)

# What only SQLite understands stands in the files of the store's seam (backend/store/README.md, "Two databases").
SQLITE = re.compile(
    r"\bjson_each\b|\b(NOT )?INDEXED\b|\bINSERT OR \w+|\biif\(|\bWITHOUT ROWID\b|\bAUTOINCREMENT\b|\bPRAGMA\b|\bVACUUM\b"
    r"|\bMATCH\b|\bNOCASE\b|\browid\b|\bfts5\b|\bsqlite_\w+|\bCROSS JOIN [\w%]+ \w+ ON\b|\b(max|min)\([\w.]+, ")
SQLITE_CALL = re.compile(r"\bsqlite3(_\w+|\.h)?\b")
SEAM = {"filelocks.cpp", "sqldialect.h", "sqldialect.cpp", "sqlitedatabase.h", "sqlitedatabase.cpp", "sqlitesearch.cpp", "postgressearch.cpp", "schema.h", "schema.cpp", "sqlerror.cpp", "searchfunction.h",
        "searchfunction.cpp", "wordbreaks.h", "wordbreaks.cpp", "textindex.cpp", "filtersql.cpp", "storebackup.h", "storebackup.cpp",
        "storecheck.cpp", "filesource.cpp", "filetarget.cpp"}


def foreign_sql(path, whole):
    """The positions of SQLite's own words in a file of the store that is not one of the seam's."""
    if not path.startswith("backend/store/") or path.rpartition("/")[2] in SEAM or path.startswith("backend/store/migrations/"):
        return
    text = house.blank(whole, keep_strings=True)
    for literal in house.TOKEN.finditer(text):
        if literal.lastgroup == "text":
            for match in SQLITE.finditer(literal.group(0)):
                yield literal.start() + match.start()
    for match in SQLITE_CALL.finditer(text):
        yield match.start()


def chained(text):
    """The positions of arg(text) calls that another arg() follows."""
    for match in ARG.finditer(text):
        parts = house.arguments(text, match.end())
        end = match.end() + len(",".join(parts)) + 1
        if ARG.match(text, end) and any(TEXT.search(part.strip()) for part in parts):
            yield match.end()


def check(root):
    for file, path in house.sources(root, ["app", "backend", "models", "views"]):
        text = house.blank(house.read(file))
        rules = list(EVERYWHERE)
        if not path.startswith("app/"):
            rules.append(LOOPS)
        if "QDBusConnection" not in text:
            rules.append(BY_NAME)
        if path.startswith("views/"):
            rules.append(DIALOGS)
        for pattern, words in rules:
            for match in pattern.finditer(text):
                yield path, house.line_of(text, match.start()), words
        for position in foreign_sql(path, house.read(file)):
            yield path, house.line_of(text, position), "SQLite's own words stand in the seam: sqldialect.h"
        for position in chained(text):
            yield path, house.line_of(text, position), "one arg() with all arguments where one is a text from outside"
        for match in CONNECT.finditer(text):
            parts = house.arguments(text, match.end())
            if len(parts) == 3 and parts[2].lstrip().startswith("["):
                yield path, house.line_of(text, match.start()), "a connection to a lambda needs a context object"


PLANTED = [
    ("app/a.cpp", "void f() { QCoreApplication::processEvents(); }\n"),
    ("backend/retry/a.cpp", "void f() { QThread::msleep(5); }\n"),
    ("backend/retry/a.cpp", "void f() { QThread::sleep(5); }\n"),
    ("backend/retry/a.cpp", "void f() { usleep(5); }\n"),
    ("backend/retry/a.cpp", "void f() { std::this_thread::sleep_for(1s); }\n"),
    ("backend/retry/a.cpp", "Task<> f() { co_await QCoro::sleepFor(1s); }\n"),
    ("models/a.cpp", "void f() { QEventLoop loop; }\n"),
    ("views/a.cpp", "void f() { auto *b = sender(); }\n"),
    ("views/a.cpp", "void f() { dialog.exec(); }\n"),
    ("views/a.cpp", "void f() { connect(b, &B::clicked, [this] { g(1, 2); }); }\n"),
    ("views/a.cpp", "void f() { QObject::connect(b,\n    &B::clicked,\n    [=](int a) { g(a); }); }\n"),
    ("views/a.cpp", "void f() { connect(b, SIGNAL(clicked()), this, SLOT(g())); }\n"),
    ("backend/a.cpp", "void f() { future.waitForFinished(); }\n"),
    ("backend/store/retry/a.cpp", "auto s = sql(\"SELECT value FROM json_each(?)\");\n"),
    ("backend/store/retry/a.cpp", "auto s = sql(\"INSERT OR IGNORE INTO a (b) VALUES (?)\");\n"),
    ("backend/store/query/a.cpp", "auto s = sql(\"SELECT a FROM b INDEXED BY c\");\n"),
    ("backend/store/query/a.cpp", "auto s = sql(\"SELECT a FROM b x CROSS JOIN c y ON y.d = x.d\");\n"),
    ("backend/store/query/a.cpp", "auto s = sql(\"UPDATE a SET b = max(b, ?)\");\n"),
    ("backend/store/retry/a.cpp", "#include <sqlite3.h>\n"),
    ("app/a.cpp", "void f() { say(tr(\"%1: %2\").arg(one.queue).arg(count)); }\n"),
    ("app/a.cpp", "void f() { say(tr(\"%1 %2\").arg(meaning(restore, options.file)).arg(count)); }\n"),
    ("models/a.cpp", "void f() { say(tr(\"%1, %2\").arg(visibleLine(row.member.uniqueId)).arg(id.value)); }\n"),
    ("app/a.cpp", "void f() { say(tr(\"%1 %2\").arg(one[u\"state\"].toString()).arg(count)); }\n"),
    ("app/a.cpp", "void f() { say(tr(\"%1: %2 %3\")\n    .arg(count, f(url.host()), request.holdingName)\n    .arg(n)); }\n"),
]
CLEAN = [
    ("backend/store/database/sqldialect.h", "#define SQL_LIST \"json_each(?)\"\n"),
    ("backend/store/migrations/a.cpp", "auto s = \"CREATE TABLE a (b) WITHOUT ROWID\";\n"),
    ("backend/store/retry/a.cpp", "auto s = sql(\"SELECT max(a) FROM \" SQL_LIST \" x CROSS JOIN b\"); // json_each\nint i = std::max(a, b);\n"),
    ("views/a.cpp", "void f() { connect(b, &B::clicked, this, [this] { g(1, 2); }); connect(b, &B::clicked, this, &A::g); }\n"),
    ("views/a.cpp", "// never processEvents() here\nvoid f() { message.sender(); m_sleep(); }\n"),
    ("backend/retry/a.cpp", "Task<> f() { const Result<> woken = co_await m_timers.sleep(delay); query.exec(); }\n"),
    ("app/main.cpp", "int main() { return QApplication::exec(); }\n"),
    ("app/a.cpp", "void f() { say(tr(\"%1 %2\").arg(id.value).arg(name)); say(tr(\"%1 %2\").arg(name, f(1)).trimmed()); }\n"),
]

if __name__ == "__main__":
    house.main(check, PLANTED, CLEAN)
