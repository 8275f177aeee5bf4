#!/usr/bin/env python3
"""What people read is translated, and text from outside is shown as plain text."""
import html
import pathlib
import re

import house

# A literal with two words is prose. Names, keys, formats and style sheets are not.
PROSE = re.compile(r"[A-Za-z][a-z']+[,:;]? [a-z]{2,}")
TRANSLATED = re.compile(r"\b(tr|translate|QT_TRANSLATE_NOOP|QT_TR_NOOP|QT_TRANSLATE_NOOP3|QT_TRANSLATE_N_NOOP)\s*\($")
# Calls whose words are for logs, style sheets, databases or the machine.
MACHINE = re.compile(
    r"\b(qC?(Debug|Info|Warning|Critical|Fatal)|QLoggingCategory|Q_LOGGING_CATEGORY|setStyleSheet|setObjectName|Q_ASSERT_X?"
    r"|static_assert|QRegularExpression|Q_INVOKABLE|Q_CLASSINFO|fromString|toString|setProperty|qputenv)\s*\(?"
)
# Words that go straight to a person, however short they are.
SHOWN = re.compile(
    r"\b(setText|setWindowTitle|setTitle|setToolTip|setStatusTip|setPlaceholderText|addAction|addMenu|addTab|addButton|addRow"
    r"|setInformativeText|setAccessibleName|setAccessibleDescription|showMessage|new QPushButton|new QCheckBox|new QRadioButton"
    r"|new QGroupBox|new QAction|new PlainLabel)\s*\(\s*(QStringLiteral|QLatin1String|u)?\(?\s*\"(?P<words>[^\"\n]*[A-Za-z]{2}[^\"\n]*)\""
)
LITERAL = re.compile(r'"(?:\\.|[^"\\\n])*"')
# tr("%1 messages", nullptr, count): a sentence with a number that decides its form.
PLURAL = re.compile(r'\btr\(\s*(?P<words>"(?:\\.|[^"\\\n])*"(?:\s*"(?:\\.|[^"\\\n])*")*)\s*,\s*(?:nullptr\s*,\s*)?\w')
LABEL_FILES = ("views/common/widgets/plaintext.", "views/common/widgets/badge.")
TOOLTIP = re.compile(r"\b(setToolTip|setWhatsThis|QToolTip::showText)\s*\(")
# A tool tip taken over from an action was looked at where it was given to the action.
SAFE_TOOLTIP = re.compile(r"\btr\s*\(|\btoolTip\s*\(\s*\)|\bplainToolTip\s*\(|^\s*(QString\s*\(\s*\)|\{\s*\})\s*\)")


def statement_before(text, position):
    """The code from the last end of a statement to the literal."""
    begin = max(text.rfind(mark, 0, position) for mark in ";{}")
    return text[begin + 1 : position]


def open_calls(code):
    """The code before each parenthesis that is still open at the end, outermost first."""
    stack = []
    for position, character in enumerate(code):
        if character == "(":
            stack.append(code[: position + 1])
        elif character == ")" and stack:
            stack.pop()
    return stack


def is_translated(code):
    return any(TRANSLATED.search(call) for call in open_calls(code))


def argument(text, position):
    depth = 1
    end = position
    while end < len(text) and depth:
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        end += 1
    return text[position:end]


def untranslated(text, code):
    """text has its literals, code has them blanked: what is in a literal cannot look like code."""
    for match in LITERAL.finditer(text):
        before = statement_before(code, match.start())
        line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        markup = match.group(0).startswith('"<')
        if markup or not PROSE.search(match.group(0)) or line.lstrip().startswith("#"):
            continue
        # Several literals in a row are one.
        if is_translated(before) or MACHINE.search(before):
            continue
        yield match.start(), "not translated: %s" % match.group(0)[:60]
    for match in SHOWN.finditer(text):
        yield match.start(), "not translated: \"%s\"" % match.group("words")[:60]


def rich_text(path, text):
    if not path.startswith(LABEL_FILES):
        for match in re.finditer(r"\bnew QLabel\b|\bpublic QLabel\b|\bQLabel\s+\w+\s*[;({]", text):
            yield match.start(), "a QLabel guesses at rich text: use PlainLabel of views/common/widgets/plaintext.h"
    for match in re.finditer(r"\bQMessageBox::(warning|information|question|critical|about)\s*\(", text):
        yield match.start(), "its text may become rich text: make a QMessageBox with Qt::PlainText"
    match = re.search(r"\bnew QMessageBox\b|\bQMessageBox\s+\w+\s*[;({]", text)
    if match and "setTextFormat(Qt::PlainText)" not in text:
        yield match.start(), "a QMessageBox needs setTextFormat(Qt::PlainText)"
    for match in re.finditer(r"\bQt::RichText\b|\bQt::MarkdownText\b|\bsetHtml\s*\(|\bsetMarkdown\s*\(", text):
        yield match.start(), "text from outside is shown as plain text only"
    for match in TOOLTIP.finditer(text):
        if not SAFE_TOOLTIP.search(argument(text, match.end())):
            yield match.start(), "a tool tip guesses at rich text: tr() for ours, plainToolTip() for the rest"


def plural_forms(root):
    """The English sentences that have a form for one and a form for many."""
    file = pathlib.Path(root) / "resources" / "translations" / "redrive_en.ts"
    if not file.exists():
        return set()
    sources = re.findall(r'<message numerus="yes">\s*<source>(.*?)</source>', house.read(file), re.S)
    return {html.unescape(source) for source in sources}


def without_plural(text, code, known):
    for match in PLURAL.finditer(text):
        words = "".join(literal[1:-1] for literal in LITERAL.findall(match.group("words"))).replace('\\"', '"')
        if code[match.start()] == "t" and words not in known:
            yield match.start(), "no plural in resources/translations/redrive_en.ts: %s" % words[:60]


def check(root):
    known = plural_forms(root)
    for file, path in house.sources(root, ["app", "models", "views"]):
        whole = house.read(file)
        text = house.blank(whole, keep_strings=True)
        code = house.blank(whole)
        found = list(untranslated(text, code)) + list(without_plural(text, code, known))
        if path.startswith("views/"):
            found += list(rich_text(path, code))
        for position, words in found:
            yield path, house.line_of(text, position), words


PLANTED = [
    ("views/a/a.cpp", 'void f() { button->setText(QStringLiteral("Retry")); }\n'),
    ("views/a/a.cpp", 'void f() { title = QStringLiteral("Nothing was found here"); }\n'),
    ("models/a/a.cpp", 'QString f() { return QStringLiteral("%1 failed messages").arg(n); }\n'),
    ("app/a.cpp", 'void f() { show(u"The store is damaged"_s); }\n'),
    ("views/a/a.cpp", 'void f() { auto *label = new QLabel(text, this); }\n'),
    ("views/a/a.h", "class Loud : public QLabel\n{\n};\n"),
    ("views/a/a.cpp", 'void f() { QMessageBox::warning(this, tr("Stop"), words); }\n'),
    ("views/a/a.cpp", "void f() { auto *box = new QMessageBox(this); box->setText(words); }\n"),
    ("views/a/a.cpp", "void f() { widget->setToolTip(queue.name); }\n"),
    ("views/a/a.cpp", "void f() { QToolTip::showText(place, words, this); }\n"),
    ("views/a/a.cpp", "void f() { m_view->setTextFormat(Qt::RichText); }\n"),
    ("views/a/a.cpp", 'void f() { say(tr("Took %1 messages", nullptr, count)); }\n'),
    ("views/a/a.cpp", 'void f() { g(tr("Good words here"), QStringLiteral("and some more words")); }\n'),
]
CLEAN = [
    ("views/a/a.cpp", 'void f() { button->setText(tr("Retry all of these")); }\n'),
    ("views/a/a.cpp", 'void f() { g(tr("One of these "\n        "many words").arg(n)); }\n'),
    ("views/a/a.cpp", "// a comment about \"words in quotes\"\nint a;\n"),
    ("models/a/a.cpp", 'void f() { qCWarning(log, "the words of a log"); }\n'),
    ("models/a/a.cpp", 'const QString key = QStringLiteral("NServiceBus.FailedQ");\n'),
    ("views/a/a.cpp", 'void f() { widget->setToolTip(plainToolTip(name)); other->setToolTip(ok ? tr("Yes") : tr("No")); }\n'),
    ("views/a/a.cpp", "void f() { auto *box = new QMessageBox(this); box->setTextFormat(Qt::PlainText); }\n"),
    ("views/common/widgets/plaintext.cpp", "PlainLabel::PlainLabel(QWidget *parent) : QLabel(parent) {}\n"),
    ("app/a.cpp", 'void f() { Words::tr("There is no command here"); }\n'),
]

if __name__ == "__main__":
    house.main(check, PLANTED, CLEAN)
