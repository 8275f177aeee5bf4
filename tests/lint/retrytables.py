#!/usr/bin/env python3
"""The life of a retry is written in one place: no other file changes the tables of the ledger or the counts of an operation, or makes a
message RetryIssued or Released, and no other than operationlife.cpp the state of an operation. The ledger itself has few statements,
because what they do stands in records/ledger/transitions.h; a statement whose columns or table are put in counts once."""
import re

import house

TABLES = "retry_member|claim|retry_batch|now_forwarding|member_gone"
LEDGER = re.compile(r"^backend/store/retry/retryledger\w*\.cpp$")
MIGRATIONS = "backend/store/migrations/"
MOST_WRITES = 15

# What may stand between the literals of one statement: macros of sqldialect.h, wrappers and plus signs.
BETWEEN = re.compile(r"(?:\s|[()+]|\bSQL_\w+|\bQStringLiteral\b|\bQLatin1String(?:View)?\b|\bQString\b|\b(?:u8?|_s|_L1)\b)*\Z")
REPLACE = re.compile(r"\bSQL_REPLACE_INTO\b")
NAME = r"[\"'`\[]?(?:\w+\.)?[\"'`\[]?(?P<table>\w+|%\d+|\Z)"
WRITE = re.compile(
    r"(?:\b(?:INSERT(?:\s+OR\s+\w+)?|REPLACE)\s+INTO\s+|\bDELETE\s+FROM\s+|(?<!\bDO )\bUPDATE\s+(?:OR\s+\w+\s+)?(?!SET\b))" + NAME, re.I)
UPDATE_IN_PROSE = re.compile(r"update\s+\w+\b(?!\s+(?:as\s+)?(?:[\w%]+\s+)?set\b)")
TABLE = re.compile(r"(?:%s)\Z" % TABLES, re.I)
TABLE_NAME = re.compile(r'"\s*(?:%s)(?:\s*,\s*\w+)*\s*"' % TABLES)
COUNTS = re.compile(
    r"\bUPDATE\s+retry_operation\b[^;]*?\bSET\b(?:(?!\bWHERE\b).)*?\b(?:pending|claimed|staged|sent|skipped|ejected|in_doubt|cancelled|came_back"
    r"|possible_duplicates)\s*=", re.I | re.S)
STATE = re.compile(r"\.state\s*=\s*(?:records::)?OperationState::(?!Freezing\b)\w+")
OPERATION_LIFE = "backend/records/ledger/operationlife.cpp"
SET_STATUS = re.compile(r"\bsetStatus\s*\(")
SET_STATUS_ITSELF = "backend/store/messages/messagestore."
ISSUED = re.compile(r"\bMessageStatus::(RetryIssued|Released)\b")


def statements(text):
    """(position, SQL) of each run of literals that make one text."""
    begin, sql, end = None, "", 0
    for literal in house.TOKEN.finditer(text):
        if literal.lastgroup == "char":
            continue
        raw = literal.group("mark") is not None
        body = literal.group(0).split("(", 1)[1].rpartition(")")[0] if raw else literal.group(0)[1:-1]
        between = text[end : literal.start()]
        if begin is not None and BETWEEN.match(between):
            sql += "INSERT OR REPLACE INTO" if REPLACE.search(between) else " " if "SQL_" in between else ""
        else:
            if begin is not None:
                yield begin, sql
            begin, sql = literal.start(), ""
            if REPLACE.search(text[max(0, begin - 40) : begin].rpartition(";")[2]):
                sql = "INSERT OR REPLACE INTO "
        sql += body.replace("\\n", " ").replace('\\"', '"')
        end = literal.end()
    if begin is not None:
        yield begin, sql


def writes(text):
    """(position, table) of each statement that writes; the table is "" where its name is not in the literal."""
    for position, sql in statements(text):
        for match in WRITE.finditer(sql):
            if not UPDATE_IN_PROSE.match(sql, match.start()):
                table = match.group("table")
                yield position, "" if table.startswith("%") else table


def check_ledger(found):
    for path, line in found[MOST_WRITES:]:
        yield path, line, "%d statements of the ledger write; the stop is %d" % (len(found), MOST_WRITES)


def check_tables(path, text):
    names = TABLE_NAME.search(text) is not None
    for position, table in writes(text):
        if TABLE.match(table):
            yield path, house.line_of(text, position), "writes %s: RetryLedger does, by an event" % table
        elif not table and names:
            yield path, house.line_of(text, position), "writes a table by name, and names one of the ledger: RetryLedger does"


def check_operations(path, text):
    for position, sql in statements(text):
        if COUNTS.search(sql):
            yield path, house.line_of(text, position), "writes counts of an operation: RetryLedger does, by an event"
    if path != OPERATION_LIFE and path.startswith("backend/"):
        for match in STATE.finditer(text):
            yield path, house.line_of(text, match.start()), "changes the state of an operation: records/ledger/operationlife.h does"


def check_statuses(path, text):
    for call in SET_STATUS.finditer(text):
        parts = house.arguments(text, call.end())
        if len(parts) != 3 or path.startswith(SET_STATUS_ITSELF):
            continue
        line = house.line_of(text, call.start())
        issued = ISSUED.search(parts[2])
        if issued:
            yield path, line, "makes a message %s: RetryLedger does, by an event" % issued.group(1)
        elif "MessageStatus::" not in parts[2]:
            yield path, line, "name the status that is set, so that it can be seen not to be one of the ledger's"


def check(root):
    in_ledger = []
    for file, path in house.sources(root, ["app", "backend", "models", "views"]):
        text = house.blank(house.read(file), keep_strings=True)
        if LEDGER.match(path):
            in_ledger += [(path, house.line_of(text, position)) for position, _ in writes(text)]
        elif not path.startswith(MIGRATIONS):
            yield from check_tables(path, text)
            yield from check_operations(path, text)
            yield from check_statuses(path, text)
    yield from check_ledger(in_ledger)


ONE = 'auto a = sql("UPDATE claim SET live = 0");\n'
PLANTED = [
    ("backend/store/retry/claimstore.cpp", ONE),
    ("backend/store/retry/retryledger.h", ONE),
    ("backend/store/retry/myretryledger.cpp", ONE),
    ("backend/engine/a.cpp", 'auto a = sql("INSERT INTO retry_batch (a) VALUES (?)");\n'),
    ("backend/store/a.cpp", 'auto a = sql("DELETE FROM member_gone WHERE operation = ?");\n'),
    ("backend/store/a.cpp", 'auto a = sql("REPLACE INTO now_forwarding (a) VALUES (?)");\n'),
    ("backend/store/a.cpp", 'auto a = sql("INSERT OR IGNORE INTO claim (a) VALUES (?)");\n'),
    ("backend/store/a.cpp", 'auto a = sql("UPDATE OR IGNORE retry_member SET a = 1");\n'),
    ("backend/store/a.cpp", 'auto a = sql("UPDATE main.retry_member AS m SET a = 1");\n'),
    ("backend/store/a.cpp", 'auto a = sql("update retry_member set a = 1");\n'),
    ("backend/store/a.cpp", 'auto a = sql("UPDATE \\"retry_member\\" SET a = 1");\n'),
    ("backend/store/a.cpp", 'auto a = sql("UPDATE"\n             " retry_member SET a = 1");\n'),
    ("backend/store/a.cpp", 'auto a = sql(QStringLiteral("DELETE FROM ")\n             + QStringLiteral("claim WHERE a = ?"));\n'),
    ("backend/store/a.cpp", 'auto a = sql(R"(\n    UPDATE\n        retry_member\n    SET a = 1)");\n'),
    ("backend/store/a.cpp", 'auto a = sql("UPDATE retry_member " SQL_USING_INDEX("b") " SET a = 1");\n'),
    ("backend/store/a.cpp", 'auto a = sql(SQL_REPLACE_INTO " claim (a) VALUES (?)");\n'),
    ("backend/store/a.cpp", 'auto a = sql("WITH x AS (SELECT 1) " SQL_REPLACE_INTO " claim (a) VALUES (?)");\n'),
    ("backend/store/a.cpp", 'auto a = sql("INSERT INTO a (b) SELECT 1; DELETE FROM claim");\n'),
    ("backend/store/a.cpp", 'f("claim");\nvoid f(QString t) { sql(QStringLiteral("DELETE FROM %1 WHERE a = ?").arg(t)); }\n'),
    ("backend/store/a.cpp", 'f("claim");\nvoid f(QString t) { sql(QStringLiteral("DELETE FROM ") + t + QStringLiteral(" WHERE a = ?")); }\n'),
    ("backend/store/a.cpp", "TRY(messages.setStatus(some, {MessageStatus::Unresolved}, MessageStatus::RetryIssued));\n"),
    ("backend/intake/a.cpp", "TRY(session.messages().setStatus(\n    {id}, {f(1, 2), MessageStatus::Unknown},\n    records::MessageStatus::Released));\n"),
    ("backend/store/a.cpp", "m.setStatus(a, b, c ? MessageStatus::Resolved : MessageStatus::RetryIssued);\n"),
    ("backend/store/a.cpp", "m.setStatus(a, b, status);\n"),
    ("backend/store/a.cpp", 'auto a = sql("UPDATE retry_operation SET started = 1, pending = ? WHERE id = ?");\n'),
    ("backend/retry/a.cpp", "operation.state = records::OperationState::Running;\n"),
    ("backend/store/retry/retryledger.cpp", ONE * (MOST_WRITES + 1)),
    ("backend/store/retry/retryledgerrows.cpp", 'auto a = sql(QStringLiteral("UPDATE %1 SET a = 1").arg(b));\n' * (MOST_WRITES + 1)),
]
CLEAN = [
    ("backend/store/retry/retryledger.cpp", ONE * MOST_WRITES + "m.setStatus(a, b, MessageStatus::RetryIssued);\n"),
    ("backend/store/retry/retryledger.cpp",
     ONE * (MOST_WRITES - 1) + 'auto a = sql("INSERT INTO claim (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET a = 2");\n'),
    ("backend/store/migrations/a.cpp", ONE),
    ("backend/store/a.cpp", 'auto a = sql("SELECT a FROM retry_member m JOIN claim c ON c.message = m.message");\n'),
    ("backend/store/a.cpp", 'auto a = sql("UPDATE policy_message SET a = m.a FROM retry_member m WHERE m.b = ?");\n'),
    ("backend/store/a.cpp", 'auto a = sql("UPDATE retry_operation SET settled = 1 WHERE pending = 0 AND id IN (SELECT operation FROM claim)");\n'),
    ("backend/retry/a.cpp", "fresh.state = records::OperationState::Freezing;\nif (o.state == OperationState::Running)\n    return;\n"),
    ("backend/records/ledger/operationlife.cpp", "operation.state = OperationState::Running;\n"),
    ("backend/store/a.cpp", 'auto a = sql("INSERT INTO claim_note (a) SELECT a FROM claim");\n'),
    ("backend/store/a.cpp", "// UPDATE claim SET live = 0\n/* DELETE FROM claim */\n"),
    ("backend/store/a.cpp", 'f("sample");\nvoid f(QString t) { sql(QStringLiteral("DELETE FROM %1 WHERE a = ?").arg(t)); }\n'),
    ("views/a.cpp", 'say(tr("To update claim texts, choose Edit."));\nbar->setStatus(status);\n'),
    ("backend/store/a.cpp", "m.setStatus(a, {MessageStatus::RetryIssued, MessageStatus::Released}, MessageStatus::Resolved);\n"),
    ("backend/store/messages/messagestore.cpp",
     "Result<int> MessageStore::setStatus(const Ids &ids, const Statuses &from, MessageStatus to)\n{\n}\n"),
]

if __name__ == "__main__":
    house.main(check, PLANTED, CLEAN)
