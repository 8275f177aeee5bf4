"""Dialogs of the window: each is framed by frameDialog(), so that its buttons are on every screen and in one order, and each
is in the table of tst_dialogs.cpp, which proves it. Boxes of Qt order their buttons as the platform does, so none are used."""
import re

import house

TEST = "tests/views/mainwindow/tst_dialogs.cpp"
CLASS = re.compile(r"^class (\w+)(?: final)? : public (?:QDialog|ListDialog)\b", re.M)
BOXES = re.compile(r"\b(QMessageBox|QDialogButtonBox|QInputDialog)\b")
WITHOUT_BUTTONS = {"CommandPalette"}
ONLY_A_BASE = {"ListDialog"}


def check(root):
    test = root / TEST
    tested = house.read(test) if test.is_file() else ""
    for path, name in house.sources(root, ["views"]):
        text = house.blank(house.read(path))
        for box in BOXES.finditer(text):
            words = "%s: use askQuestion() or a dialog with a DialogFoot" % box.group(1)
            yield name, house.line_of(text, box.start()), words
        for found in CLASS.finditer(text):
            dialog, line = found.group(1), house.line_of(text, found.start())
            source = path.with_suffix(".cpp")
            code = house.read(source) if source.is_file() else text
            framed = "frameDialog(" in code or "ListDialog" in found.group(0)
            if not framed and dialog not in WITHOUT_BUTTONS:
                yield name, line, "%s is not framed by frameDialog()" % dialog
            if dialog not in ONLY_A_BASE and not re.search(r"\b%s\b" % dialog, tested):
                yield name, line, "%s is not in the table of %s" % (dialog, TEST)
        if path.suffix == ".cpp" and "new QDialog(" in text and "frameDialog(" not in text:
            yield name, 1, "a dialog is not framed by frameDialog()"


DIALOG = "class OneDialog final : public QDialog\n{\n};\n"

PLANTED = [
    ("views/a/one.cpp", "#include <QMessageBox>\n"),
    ("views/a/one.cpp", "auto *buttons = new QDialogButtonBox(this);\n"),
    ("views/a/onedialog.h", DIALOG),
    ("views/a/listdialog.h", "class OtherDialog final : public ListDialog\n{\n};\n"),
    ("views/a/one.cpp", "auto *dialog = new QDialog(parent);\n"),
]
CLEAN = [
    ("views/a/one.cpp", "auto *dialog = new QDialog(parent);\nframeDialog(*dialog, {nullptr, body, foot});\n"),
    ("app/one.cpp", "#include <QMessageBox>\n"),
    ("views/a/one.cpp", "// no QMessageBox\n"),
]

if __name__ == "__main__":
    house.main(check, PLANTED, CLEAN)
