#!/usr/bin/env python3
"""Includes go one way only: the table of ARCHITECTURE.md."""
import re
import pathlib

import house

# Of a folder: what it may include, by the beginning of the path. The longest matching folder counts.
VALUES = ["backend/core/", "backend/records/"]
STORE_INTERFACE = ["backend/store/"]  # its repositories, not what they are made of: see CLOSED
BROKER_INTERFACE = ["backend/broker/broker.h", "backend/broker/brokerload.h", "backend/broker/brokerstate.h", "backend/broker/brokertraits.h", "backend/broker/exchangeroutes.h", "backend/broker/messagesettler.h", "backend/broker/queuemover.h", "backend/broker/staging.h", "backend/broker/statuserror.h", "backend/broker/steptaker.h", "backend/broker/text.h", "backend/broker/verdict.h"]
# What several brokers are made of, for brokers alone.
BROKER_COMMON = BROKER_INTERFACE + ["backend/broker/lockedreceiver.h", "backend/broker/pagednames.h", "backend/broker/sendbatch.h"]
ALLOWED = {
    "backend/core": ["backend/core/"],
    "backend/records": VALUES,
    "backend/recovery": VALUES + ["backend/recovery/"],
    "backend/pipeline": VALUES + ["backend/recovery/", "backend/pipeline/"],
    "backend/api": VALUES + ["backend/api/", "backend/recovery/"],
    "backend/report": VALUES + ["backend/api/", "backend/report/"],
    "backend/transfer": VALUES + ["backend/api/", "backend/transfer/"],
    "backend/http": VALUES + ["backend/http/", "backend/recovery/"],
    "backend/store": VALUES + ["backend/recovery/", "backend/store/"],
    "backend/store/query": VALUES + ["backend/api/requests/assignmentpreview.h", "backend/api/requests/conventionview.h", "backend/api/requests/expiry.h", "backend/api/requests/operations.h", "backend/api/requests/policyview.h", "backend/api/requests/queries.h", "backend/api/request.h", "backend/api/requests/transfers.h", "backend/recovery/", "backend/store/"],
    "backend/broker": VALUES + ["backend/http/"] + BROKER_COMMON,
    "backend/broker/azurequeue": VALUES + ["backend/http/", "backend/broker/azurequeue/"] + BROKER_COMMON,
    "backend/broker/rabbitmq": VALUES + ["backend/http/", "backend/broker/rabbitmq/"] + BROKER_INTERFACE,
    "backend/broker/servicebus": VALUES + ["backend/http/", "backend/broker/servicebus/"] + BROKER_COMMON,
    "backend/broker/sqs": VALUES + ["backend/http/", "backend/broker/sqs/"] + BROKER_COMMON,
    "backend/dialect": VALUES + ["backend/dialect/"],
    "backend/intake": VALUES + ["backend/dialect/", "backend/intake/", "backend/recovery/"] + STORE_INTERFACE + BROKER_INTERFACE,
    "backend/retry": VALUES + ["backend/dialect/", "backend/recovery/", "backend/retry/"] + STORE_INTERFACE + BROKER_INTERFACE,
    "backend/localbroker": ["backend/core/", "backend/localbroker/"],
    "backend/engine": VALUES
    + ["backend/api/", "backend/dialect/", "backend/intake/", "backend/pipeline/", "backend/recovery/", "backend/retry/", "backend/engine/"]
    + STORE_INTERFACE
    + BROKER_INTERFACE,
    "backend/control": VALUES + ["backend/api/", "backend/engine/", "backend/control/", "backend/store/shared/"],
    "backend/sandbox": VALUES + ["backend/http/", "backend/localbroker/", "backend/recovery/", "backend/sandbox/"] + BROKER_INTERFACE,
    "backend/rehearsal": VALUES
    + ["backend/api/", "backend/dialect/", "backend/engine/", "backend/recovery/", "backend/rehearsal/", "backend/sandbox/"]
    + STORE_INTERFACE
    + BROKER_INTERFACE,
    "models": VALUES + ["backend/api/", "backend/recovery/", "models/"],
    "views": VALUES + ["backend/api/", "backend/recovery/", "backend/report/", "backend/transfer/", "models/", "views/"],
    "app/commandline": VALUES + ["backend/api/", "backend/recovery/", "backend/report/", "backend/transfer/", "app/commandline/"],
    "app": ["backend/", "models/", "views/", "app/"],
}
# What an implementation folder hides behind: interfaces, and the headers of the repositories.
CLOSED = {
    "backend/store/database/": ("backend/store", "app"),
    "backend/store/migrations/": ("backend/store", "app"),
    "backend/store/search/": ("backend/store", "app"),
    "backend/store/sqlite/": ("backend/store", "app"),
    "backend/broker/azurequeue/": ("backend/broker/azurequeue", "app"),
    "backend/broker/rabbitmq/": ("backend/broker/rabbitmq", "app"),
    "backend/broker/servicebus/": ("backend/broker/servicebus", "app"),
    "backend/broker/sqs/": ("backend/broker/sqs", "app"),
}
GUI = re.compile(
    r"^(QtGui|QtWidgets|QtPrintSupport|QtSvg|Q(Gui)?Application$|QWidget$|QAction$|QBrush$|QClipboard$|QColor$|QCursor$"
    r"|QDesktopServices$|QDialog|QFont|QIcon$|QImage$|QLabel$|QPainter|QPalette$|QPen$|QPixmap$|QStandardItem|QStyle"
    r"|QText(Document|Cursor|Layout|Format)|QValidator$|QMessageBox$|QMenu|QPushButton$|QTableView$|QTreeView$|qcustomplot)"
)
WIDGETS = re.compile(
    r"^(QtWidgets|QApplication$|QWidget$|QDialog|QLabel$|QMessageBox$|QMenu|QPushButton$|QTableView$|QTreeView$|QStyle|qcustomplot)"
)
STORAGE = re.compile(r"^(QtSql|QtNetwork|QtHttpServer|QSql|QNetwork|QTcp|QUdp|QLocalS|QSsl|QHttp|QWebSocket)")
PLOT = re.compile(r"^qcustomplot")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', re.M)


def owner(folder):
    while folder and folder not in ALLOWED:
        folder = folder.rpartition("/")[0]
    return folder


def judge(path, quoted, name):
    mine = owner(path.rpartition("/")[0])
    if not mine:
        return "this folder has no row in the table of tests/lint/layers.py"
    if quoted and name == "moc_%s" % path.rpartition("/")[2]:
        return None  # what moc made of the class's own header
    if quoted:
        if name.startswith("tests/"):
            return "the program includes a test's header"
        if not any(name.startswith(one) for one in ALLOWED[mine]):
            return "%s may not include %s" % (mine, name)
        for prefix, users in CLOSED.items():
            if name.startswith(prefix) and not any(mine == one or mine.startswith(one + "/") for one in users):
                return "%s hides behind an interface; %s may not include %s" % (prefix, mine, name)
        return None
    header = name.rpartition("/")[2] if name.startswith(("QtCore/", "QtQml/")) else name
    if PLOT.match(header) and mine == "views" and not path.startswith("views/charts/"):
        return "only views/charts draws with QCustomPlot"
    if mine.startswith("backend") and GUI.match(header):
        return "backend builds without a GUI: no %s" % name
    if mine == "models" and (WIDGETS.match(header) or STORAGE.match(header)):
        return "models know neither widgets nor databases nor networks: no %s" % name
    if mine == "views" and STORAGE.match(header):
        return "views know neither databases nor networks: no %s" % name
    return None


def check(root):
    for file, path in house.sources(root, ["app", "backend", "models", "views"]):
        text = house.blank(house.read(file), keep_strings=True)
        for match in INCLUDE.finditer(text):
            words = judge(path, match.group(1) == '"', match.group(2))
            if words:
                yield path, house.line_of(text, match.start(2)), words


PLANTED = [
    ("models/groups/a.h", '#include "backend/store/store.h"\n'),
    ("models/groups/a.h", "#include <QSqlQuery>\n"),
    ("models/groups/a.h", "#include <QLabel>\n"),
    ("views/groups/a.h", '#include "backend/engine/engine.h"\n'),
    ("views/groups/a.h", "#include <qcustomplot.h>\n"),
    ("views/groups/a.h", "#include <QtNetwork/QNetworkReply>\n"),
    ("backend/core/a.h", '#include "backend/records/messages/message.h"\n'),
    ("backend/store/a.h", '#include "backend/broker/broker.h"\n'),
    ("backend/broker/rabbitmq/a.h", '#include "backend/store/store.h"\n'),
    ("backend/broker/rabbitmq/a.h", '#include "backend/broker/servicebus/a.h"\n'),
    ("backend/retry/a.h", '#include "backend/store/sqlite/sqlitestore.h"\n'),
    ("backend/retry/a.h", '#include "backend/store/database/database.h"\n'),
    ("backend/retry/a.h", '  #  include "backend/broker/rabbitmq/rabbitbroker.h"\n'),
    ("backend/engine/a.cpp", "#include <QColor>\n"),
    ("backend/http/a.cpp", "#include <QtGui/QIcon>\n"),
    ("app/commandline/a.cpp", '#include "backend/engine/engine.h"\n'),
    ("app/a.cpp", '#include "tests/support/fakeclient/fakeclient.h"\n'),
    ("backend/recovery/a.h", '#include "backend/api/client.h"\n'),
    ("backend/control/a.h", '#include "backend/store/store.h"\n'),
    ("backend/novelty/a.h", '#include "backend/core/ids.h"\n'),
]
CLEAN = [
    ("views/charts/a.h", "#include <qcustomplot.h>\n"),
    ("backend/retry/a.h", '#include "backend/store/retry/claimstore.h"\n#include "backend/broker/broker.h"\n#include <QTimer>\n'),
    ("backend/store/query/a.h", '#include "backend/store/database/database.h"\n'),
    ("backend/retry/a.h", '// #include "backend/store/sqlite/sqlitestore.h"\n'),
    ("app/composition.cpp", '#include "backend/store/sqlite/sqlitestore.h"\n#include <QApplication>\n'),
    ("models/a.h", '#include "backend/api/client.h"\n#include <QColor>\n'),
    ("backend/control/shared/a.h", '#include "backend/store/shared/controltables.h"\n'),
]

if __name__ == "__main__":
    house.main(check, PLANTED, CLEAN)
