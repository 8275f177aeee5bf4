// Holder and guest over a real local socket, in one process.
#include "backend/api/requests/transfers.h"
#include "backend/control/framesocket.h"
#include "backend/control/remoteclient.h"
#include "backend/control/server.h"
#include "backend/control/socketname.h"
#include "tests/support/fakeclient/fakeclient.h"
#include "tests/support/testmain/testmain.h"

#include <QDir>
#include <QFileInfo>
#include <QLocalServer>
#include <QLocalSocket>
#include <QProcess>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>
#include <QtEndian>

#include <sys/stat.h>
#include <unistd.h>

namespace {

constexpr int timeoutMs = 20000;

struct Line
{
    Line() { listening = server.listen(path); }
    QTemporaryDir folder;
    QString path = folder.filePath(QStringLiteral("s"));
    support::FakeClient holder;
    control::Server server{holder};
    core::Result<> listening;
};

QByteArray frame(const QCborValue &value)
{
    const QByteArray cbor = value.toCbor();
    QByteArray length(4, Qt::Uninitialized);
    qToBigEndian(quint32(cbor.size()), length.data());
    return length + cbor;
}

// A part of a message of several frames.
QByteArray piece(const QByteArray &part, bool goesOn)
{
    QByteArray length(4, Qt::Uninitialized);
    qToBigEndian(quint32(part.size()) | (goesOn ? control::frameGoesOn : 0), length.data());
    return length + part;
}

// The import of one message with a body of so many bytes.
api::ImportMessages importOf(qint64 bytes)
{
    api::ImportMessages request;
    request.messages.resize(1);
    request.messages.first().envelope.body = QByteArray(bytes, 'x');
    return request;
}

QList<QCborMap> messagesIn(QByteArray bytes)
{
    QList<QCborMap> messages;
    while (bytes.size() >= 4) {
        const qsizetype length = qFromBigEndian<quint32>(bytes.constData());
        if (bytes.size() < 4 + length)
            break; // the rest has not arrived yet
        messages.append(QCborValue::fromCbor(bytes.mid(4, length)).toMap());
        bytes.remove(0, 4 + length);
    }
    return messages;
}

} // namespace

class TestControl final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theSocketIsForThisUserAlone()
    {
        Line line;
        QVERIFY(line.listening);
        const QFile::Permissions others = QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther;
        QVERIFY(!(QFileInfo(line.path).permissions() & others));
    }

    // Otherwise the socket would be created in the current folder.
    void withoutASafeRuntimeFolderThereIsNoSocket()
    {
        const QByteArray before = qgetenv("XDG_RUNTIME_DIR");
        const auto back = qScopeGuard([before] {
            if (before.isNull())
                qunsetenv("XDG_RUNTIME_DIR");
            else
                qputenv("XDG_RUNTIME_DIR", before);
        });
        QTemporaryDir folder;
        qputenv("XDG_RUNTIME_DIR", folder.path().toLocal8Bit());
        QVERIFY(QDir::isAbsolutePath(control::socketPath(QStringLiteral("/tmp/store.db"))));
        QVERIFY(::chmod(folder.path().toLocal8Bit().constData(), 0755) == 0);
        QTest::ignoreMessage(QtWarningMsg, QRegularExpression(QStringLiteral("runtime directory")));
        const QString path = control::socketPath(QStringLiteral("/tmp/store.db"));
        // Qt may find another private folder.
        QVERIFY2(path.isEmpty() || (QDir::isAbsolutePath(path) && !path.startsWith(folder.path())), qPrintable(path));
        support::FakeClient holder;
        control::Server server(holder);
        const core::Result<> listening = server.listen({});
        QVERIFY(!listening && listening.error().kind == core::ErrorKind::Refused);
        QVERIFY(listening.error().message.contains(u"XDG_RUNTIME_DIR"));
    }

    void aFolderThatOthersCanEnterIsRefusedByBothEnds_data()
    {
        QTest::addColumn<int>("mode");
        QTest::addColumn<int>("owner"); // 0: as it is
        QTest::newRow("others may write") << 0777 << 0;
        QTest::newRow("others may enter") << 0755 << 0;
        QTest::newRow("its group may write") << 0770 << 0;
        QTest::newRow("of another user") << 0700 << 65534;
    }
    void aFolderThatOthersCanEnterIsRefusedByBothEnds()
    {
        QFETCH(int, mode);
        QFETCH(int, owner);
        Line line;
        QVERIFY(line.listening);
        const QByteArray folder = line.folder.path().toLocal8Bit();
        QVERIFY(::chmod(folder.constData(), mode_t(mode)) == 0);
        if (owner != 0 && ::chown(folder.constData(), uid_t(owner), gid_t(owner)) != 0)
            QSKIP("Only root gives a folder away.");
        control::RemoteClient guest(line.path, nullptr);
        QString reason;
        guest.onLost([&reason](const QString &why) { reason = why; });
        QVERIFY(guest.danger() && guest.danger()->kind == core::ErrorKind::Refused);
        QVERIFY2(reason.contains(line.folder.path()), qPrintable(reason));
        const api::Answer<core::ConnectionId> saved = guest.ask(api::SaveConnection{});
        QCOMPARE(guest.takeUnheard().size(), size_t(1)); // it was not sent
        QVERIFY(saved.isFinished() && line.holder.calls.isEmpty());
        support::FakeClient other;
        control::Server server(other);
        QVERIFY(!server.listen(line.folder.filePath(QStringLiteral("other"))));
    }

    // The kernel reports the user who started to listen.
    void aHolderOfAnotherUserIsToldNothing()
    {
        if (::geteuid() != 0)
            QSKIP("Only root can become somebody else.");
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("s"));
        QProcess stranger;
        stranger.start(QStringLiteral("python3"), {QStringLiteral("-c"),
                                                   QStringLiteral("import os, socket, sys\n"
                                                                  "s = socket.socket(socket.AF_UNIX)\n"
                                                                  "s.bind(sys.argv[1])\n"
                                                                  "os.setuid(65534)\n"
                                                                  "s.listen()\n"
                                                                  "print('listening', flush=True)\n"
                                                                  "c, _ = s.accept()\n"
                                                                  "print('heard', len(c.recv(1)), flush=True)\n"),
                                                   path});
        QVERIFY(stranger.waitForReadyRead(timeoutMs));
        QCOMPARE(stranger.readAllStandardOutput().trimmed(), QByteArray("listening"));
        control::RemoteClient guest(path, nullptr);
        int lost = 0;
        guest.onLost([&lost](const QString &) { ++lost; });
        const api::Answer<core::ConnectionId> saved = guest.ask(api::SaveConnection{});
        QTRY_COMPARE_WITH_TIMEOUT(lost, 1, timeoutMs);
        QVERIFY(guest.danger() && guest.danger()->kind == core::ErrorKind::Refused);
        QVERIFY(guest.danger()->message.contains(u"65534"));
        QVERIFY(stranger.waitForFinished(timeoutMs));
        QCOMPARE(stranger.readAllStandardOutput().trimmed(), QByteArray("heard 0"));
        QVERIFY(!saved.isFinished()); // for the next holder
    }

    void everyNameOfAStoreLeadsToTheSameSocket()
    {
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("store.db")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const QString link = folder.filePath(QStringLiteral("link.db"));
        QVERIFY(QFile::link(file.fileName(), link));
        QCOMPARE(control::socketPath(link), control::socketPath(file.fileName()));
        QCOMPARE(control::socketPath(folder.path() + QStringLiteral("/./store.db")),
                 control::socketPath(file.fileName()));
        QVERIFY(control::socketPath(folder.filePath(QStringLiteral("other.db")))
                != control::socketPath(file.fileName()));
    }

    void aCommandIsDoneByTheHolderAndAnswered()
    {
        Line line;
        control::RemoteClient guest(line.path, nullptr);
        api::DecideMessages command;
        command.filter.queue = QStringLiteral("error");
        const api::Answer<api::DecisionCounts> archived = guest.ask(command);
        const api::Answer<> paused = guest.ask(api::ChangeOperation{{12}, api::OperationAction::Pause});
        const api::Answer<> slowed = guest.ask(api::SetRate{{12}, 90});
        const records::Redirect redirect{records::Redirect::Of::Queue, QStringLiteral("a"), QStringLiteral("b")};
        line.holder.redirectAnswer.notKnown = QStringLiteral("not listed");
        const api::Answer<api::RedirectAnswer> added = guest.ask(api::ChangeRedirect{{3}, redirect, false});
        QTRY_VERIFY_WITH_TIMEOUT(
            archived.isFinished() && paused.isFinished() && slowed.isFinished() && added.isFinished(), timeoutMs);
        QCOMPARE(added.result()->notKnown, QStringLiteral("not listed"));
        QCOMPARE(line.holder.redirects.first().redirect, redirect);
        QCOMPARE(line.holder.redirects.first().connection, core::ConnectionId{3});
        QVERIFY(archived.result());
        QCOMPARE(line.holder.rates.first().perMinute, std::optional<qint64>(90));
        QCOMPARE(line.holder.rates.first().operation, core::OperationId{12});
        QCOMPARE(line.holder.decisions.size(), 1);
        QCOMPARE(line.holder.decisions.first().filter.queue, QStringLiteral("error"));
        QCOMPARE(line.holder.actions.first().first, core::OperationId{12});
    }

    void whoAsksIsKnownToTheHolder()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("s"));
        support::FakeClient shared;
        QStringList named;
        control::Server server(shared, [&named](const QString &who) {
            named.append(who);
            return std::make_unique<support::FakeClient>();
        });
        QVERIFY(server.listen(path));
        control::RemoteClient ada(path, nullptr, QStringLiteral("ada@desk"));
        const auto paused = ada.ask(api::PauseAll{true});
        QTRY_VERIFY_WITH_TIMEOUT(paused.isFinished(), timeoutMs);
        QCOMPARE(named, QStringList{QStringLiteral("ada@desk")});
        QVERIFY(shared.calls.isEmpty()); // each peer has its own client

        control::RemoteClient nameless(path, nullptr);
        const api::Answer<> refreshed = nameless.ask(api::RefreshQueues{});
        QTRY_VERIFY_WITH_TIMEOUT(refreshed.isFinished(), timeoutMs);
        QCOMPARE(named.size(), 2); // the activity log must not take it for the engine
        QVERIFY(!named.last().isEmpty());
    }

    void anErrorArrivesAsItIs()
    {
        Line line;
        line.holder.failNext<api::RefreshQueues>(
            {core::ErrorKind::Unauthorized, QStringLiteral("wrong key"), QStringLiteral("401"), {}});
        control::RemoteClient guest(line.path, nullptr);
        const api::Answer<> answer = guest.ask(api::RefreshQueues{});
        QTRY_VERIFY_WITH_TIMEOUT(answer.isFinished(), timeoutMs);
        QVERIFY(!answer.result());
        QVERIFY(answer.result().error().kind == core::ErrorKind::Unauthorized);
        QCOMPARE(answer.result().error().message, QStringLiteral("wrong key"));
    }

    void snapshotsSayViewerAndWhoHoldsTheStore()
    {
        Line line;
        control::RemoteClient guest(line.path, nullptr);
        api::SnapshotPtr seen;
        guest.listen([&seen](api::SnapshotPtr snapshot) { seen = std::move(snapshot); });
        line.holder.snapshot.unresolvedTotal = 0;
        line.holder.publish();
        QTRY_VERIFY_WITH_TIMEOUT(seen, timeoutMs);
        QCOMPARE(seen->engine, api::EngineState::Viewer);
        QVERIFY(seen->engineText.contains(QString::number(QCoreApplication::applicationPid())));
        const quint64 first = seen->sequence;
        line.holder.publish();
        QTRY_VERIFY_WITH_TIMEOUT(seen->sequence > first, timeoutMs);
    }

    // A command that was answered must not show the state before it.
    void theStateAfterACommandComesBeforeItsAnswer()
    {
        Line line;
        line.holder.publish();
        QLocalSocket guest;
        guest.connectToServer(line.path);
        guest.write(frame(QCborMap{{QStringLiteral("hello"), control::protocolVersion}}));
        guest.write(frame(QCborMap{{QStringLiteral("listen"), true}}));
        QByteArray bytes;
        const auto count = [&guest, &bytes] {
            bytes += guest.readAll();
            return messagesIn(bytes).size();
        };
        QTRY_COMPARE_WITH_TIMEOUT(count(), 2, timeoutMs);
        line.holder.publish(); // not sent: the first one has no ack
        guest.write(frame(QCborMap{{QStringLiteral("call"), 1},
                                   {QStringLiteral("do"), QStringLiteral("RefreshQueues")},
                                   {QStringLiteral("with"), QCborMap{}}}));
        QTRY_COMPARE_WITH_TIMEOUT(count(), 4, timeoutMs);
        const QList<QCborMap> messages = messagesIn(bytes);
        const auto sequenceOf = [](const QCborMap &message) {
            return message.value(QStringLiteral("snapshot")).toMap().value(QStringLiteral("sequence")).toInteger(-1);
        };
        QCOMPARE(sequenceOf(messages.at(2)), sequenceOf(messages.at(1)) + 1);
        QCOMPARE(messages.at(3).value(QStringLiteral("answer")).toInteger(), 1);
    }

    void whenTheHolderGoesOpenCallsAreAnsweredAndTheGuestIsTold()
    {
        auto line = std::make_unique<Line>();
        line->holder.holdAnswers(true);
        control::RemoteClient guest(line->path, nullptr);
        int lost = 0;
        guest.onLost([&lost](const QString &) { ++lost; });
        const api::Answer<> answer = guest.ask(api::RefreshQueues{});
        QTRY_COMPARE_WITH_TIMEOUT(line->holder.calls.size(), 1, timeoutMs);
        line.reset();
        QTRY_VERIFY_WITH_TIMEOUT(answer.isFinished(), timeoutMs);
        QVERIFY(!answer.result());
        QTRY_COMPARE_WITH_TIMEOUT(lost, 1, timeoutMs);
        const api::Answer<> late = guest.ask(api::RefreshQueues{}); // for the next holder
        QCOMPARE(guest.takeUnheard().size(), size_t(1)); // which never comes
        QVERIFY(late.isFinished());
        QVERIFY(late.result().error().kind == core::ErrorKind::Cancelled);
    }

    void whatAHolderThatGoesHasNotHeardIsAskedOfTheNext()
    {
        auto line = std::make_unique<Line>();
        line->holder.holdAnswers(true);
        control::RemoteClient guest(line->path, nullptr);
        int lost = 0;
        guest.onLost([&lost](const QString &) { ++lost; });
        const api::Answer<> heard = guest.ask(api::RefreshQueues{});
        QTRY_COMPARE_WITH_TIMEOUT(line->holder.calls.size(), 1, timeoutMs);
        line->server.finish();
        const auto unheard = guest.ask(api::PauseAll{true});
        line->holder.holdAnswers(false);
        QTRY_VERIFY_WITH_TIMEOUT(heard.isFinished(), timeoutMs);
        QVERIFY(heard.result()); // it ends only after it answered
        line.reset();
        QTRY_COMPARE_WITH_TIMEOUT(lost, 1, timeoutMs);
        QVERIFY(!unheard.isFinished());

        support::FakeClient next;
        const std::vector<api::RequestPtr> requests = guest.takeUnheard();
        QCOMPARE(requests.size(), size_t(1));
        next.send(requests.front());
        QTRY_VERIFY_WITH_TIMEOUT(unheard.isFinished(), timeoutMs);
        QVERIFY(unheard.result());
        QCOMPARE(next.calls.size(), 1);
    }

    void nobodyThereIsToldToo()
    {
        control::RemoteClient guest(QStringLiteral("/nowhere/at/all.sock"), nullptr);
        int lost = 0;
        guest.onLost([&lost](const QString &) { ++lost; });
        QTRY_COMPARE_WITH_TIMEOUT(lost, 1, timeoutMs); // even if it was lost before onLost was called
        const api::Answer<> answer = guest.ask(api::RefreshQueues{});
        QVERIFY(!answer.isFinished());
        guest.takeUnheard().clear();
        QVERIFY(answer.isFinished());
        QVERIFY(!answer.result());
    }

    void anotherVersionIsNamedAsTheReason()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("s"));
        QLocalServer older; // answers as a holder that turns this version away
        QVERIFY(older.listen(path));
        connect(&older, &QLocalServer::newConnection, this, [&older] {
            QLocalSocket *peer = older.nextPendingConnection();
            peer->write(frame(QCborMap{{QStringLiteral("refused"), QStringLiteral("another version")}}));
            peer->disconnectFromServer();
        });
        QVERIFY(::chmod(folder.path().toLocal8Bit().constData(), 0700) == 0);
        control::RemoteClient guest(path, nullptr);
        QString reason;
        guest.onLost([&reason](const QString &why) { reason = why; });
        QTRY_COMPARE_WITH_TIMEOUT(reason, QStringLiteral("another version"), timeoutMs);
        QVERIFY(guest.danger() && guest.danger()->message == reason);
    }

    void aRequestThatIsTooLargeIsNotSent()
    {
        Line line;
        control::RemoteClient guest(line.path, nullptr);
        const api::Answer<> refreshed = guest.ask(api::RefreshQueues{});
        QTRY_VERIFY_WITH_TIMEOUT(refreshed.isFinished(), timeoutMs);
        const api::Answer<api::ImportCounts> refused = guest.ask(importOf(control::largestMessage));
        QVERIFY(refused.isFinished());
        QVERIFY(refused.result().error().kind == core::ErrorKind::Rejected);
        // An import cannot select fewer messages.
        QVERIFY(refused.result().error().message.contains(u"End that program"));
        const api::Answer<> again = guest.ask(api::RefreshQueues{}); // the connection is as good as before
        QTRY_VERIFY_WITH_TIMEOUT(again.isFinished(), timeoutMs);
        QVERIFY(again.result());
        QCOMPARE(line.holder.imports.size(), 0);
    }

    // More than one frame, and than a peer may leave unread otherwise.
    void aLongRequestArrivesWholeAndInOrder()
    {
        Line line;
        control::RemoteClient guest(line.path, nullptr);
        api::ImportMessages request = importOf(control::largestBacklog + 5);
        QByteArray &body = request.messages.first().envelope.body;
        for (qsizetype at = 0; at < body.size(); at += 1000)
            body[at] = char('a' + at / 1000 % 26);
        const api::Answer<api::ImportCounts> imported = guest.ask(request);
        const api::Answer<> refreshed = guest.ask(api::RefreshQueues{});
        QTRY_VERIFY_WITH_TIMEOUT(refreshed.isFinished(), timeoutMs);
        QVERIFY(refreshed.result());
        QVERIFY(imported.isFinished()); // it was asked first
        QVERIFY(imported.result());
        QCOMPARE(line.holder.imports.size(), 1);
        QVERIFY(line.holder.imports.first().messages.first().envelope.body == body);
    }

    void aRequestWhoseSenderDiesIsNotCarriedOut()
    {
        Line line;
        const QByteArray call = QCborValue(QCborMap{{QStringLiteral("call"), 1},
                                                    {QStringLiteral("do"), QStringLiteral("RefreshQueues")},
                                                    {QStringLiteral("with"), QCborMap{}}})
                                    .toCbor();
        const QByteArray hello = frame(QCborMap{{QStringLiteral("hello"), control::protocolVersion}});
        for (const bool dies : {true, false}) {
            QLocalSocket peer;
            peer.connectToServer(line.path);
            QVERIFY(peer.waitForConnected(timeoutMs));
            peer.write(hello + piece(call.left(10), true) + piece(call.mid(10, 10), true));
            if (!dies)
                peer.write(piece(call.mid(20), false));
            while (peer.bytesToWrite() > 0)
                QVERIFY(peer.waitForBytesWritten(timeoutMs));
            if (dies)
                peer.disconnectFromServer();
            control::RemoteClient next(line.path, nullptr); // heard after it
            const auto paused = next.ask(api::PauseAll{true});
            QTRY_VERIFY_WITH_TIMEOUT(paused.isFinished(), timeoutMs);
            QTRY_COMPARE_WITH_TIMEOUT(line.holder.count<api::RefreshQueues>(), dies ? 0 : 1, timeoutMs);
        }
    }

    void aRefusalArrivesBehindALongMessage()
    {
        QTemporaryDir folder;
        QLocalServer server;
        QVERIFY(server.listen(folder.filePath(QStringLiteral("s"))));
        QLocalSocket peer;
        QByteArray told;
        connect(&peer, &QLocalSocket::readyRead, this, [&] { told += peer.readAll(); });
        peer.connectToServer(server.fullServerName());
        QTRY_VERIFY_WITH_TIMEOUT(server.hasPendingConnections(), timeoutMs);
        control::FrameSocket line(server.nextPendingConnection());
        QStringList reasons;
        connect(&line, &control::FrameSocket::broken, this, [&](const QString &why) {
            reasons.append(why);
            line.close(); // as its owner, which also deletes it
        });
        const QString reason = QStringLiteral("No more.");
        QVERIFY(line.send(QCborMap{{QStringLiteral("ok"), QByteArray(2 * control::largestFrame, 'x')}}));
        line.refuse(reason);
        QVERIFY(line.send(QCborMap{{QStringLiteral("ok"), QStringLiteral("later")}}));
        QTRY_COMPARE_WITH_TIMEOUT(peer.state(), QLocalSocket::UnconnectedState, timeoutMs);
        told += peer.readAll();
        QVERIFY(told.size() > 2 * control::largestFrame);
        QVERIFY(told.endsWith(frame(QCborMap{{QStringLiteral("refused"), reason}})));
        QCOMPARE(reasons, QStringList{reason});
    }

    void aMessageThatIsTooLongIsTurnedAway()
    {
        Line line;
        QLocalSocket peer;
        peer.connectToServer(line.path);
        QVERIFY(peer.waitForConnected(timeoutMs));
        peer.write(frame(QCborMap{{QStringLiteral("hello"), control::protocolVersion}}));
        const QByteArray call = QCborValue(QCborMap{{QStringLiteral("call"), 1},
                                                    {QStringLiteral("do"), QStringLiteral("RefreshQueues")},
                                                    {QStringLiteral("with"), QCborMap{}},
                                                    {QStringLiteral("x"), QByteArray(control::largestMessage, 'x')}})
                                    .toCbor();
        for (qint64 at = 0; at < call.size(); at += control::largestFrame)
            peer.write(piece(call.mid(at, control::largestFrame), at + control::largestFrame < call.size()));
        QTRY_COMPARE_WITH_TIMEOUT(peer.state(), QLocalSocket::UnconnectedState, timeoutMs);
        QVERIFY(line.holder.calls.isEmpty());
    }

    void hostilePeersAreTurnedAway_data()
    {
        const QByteArray hello = frame(QCborMap{{QStringLiteral("hello"), control::protocolVersion}});
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("no greeting") << frame(QCborMap{{QStringLiteral("listen"), true}});
        QTest::newRow("a long greeting") << QByteArray("\x00\x01\x00\x01", 4); // refused before it has arrived
        QTest::newRow("another version") << frame(QCborMap{{QStringLiteral("hello"), 99}});
        QTest::newRow("an older one, which knows no decisions") << frame(QCborMap{{QStringLiteral("hello"), 1}});
        QTest::newRow("a frame of 4 GB") << QByteArray("\xff\xff\xff\xff", 4);
        QTest::newRow("not CBOR") << QByteArray("\x00\x00\x00\x02\xff\xff", 6);
        QTest::newRow("not a map") << frame(QCborValue(1));
        QTest::newRow("no request") << hello + frame(QCborMap{{QStringLiteral("do"), QStringLiteral("RefreshQueues")}});
    }

    void hostilePeersAreTurnedAway()
    {
        QFETCH(QByteArray, bytes);
        Line line;
        QLocalSocket peer;
        peer.connectToServer(line.path);
        QVERIFY(peer.waitForConnected(timeoutMs));
        peer.write(bytes);
        QTRY_COMPARE_WITH_TIMEOUT(peer.state(), QLocalSocket::UnconnectedState, timeoutMs);
        const QList<QCborMap> told = messagesIn(peer.readAll());
        QVERIFY(!told.isEmpty());
        QVERIFY(!told.last().value(QStringLiteral("refused")).toString().isEmpty());
        QVERIFY(line.holder.calls.isEmpty());

        control::RemoteClient guest(line.path, nullptr); // other peers are still served
        const api::Answer<> answer = guest.ask(api::RefreshQueues{});
        QTRY_VERIFY_WITH_TIMEOUT(answer.isFinished(), timeoutMs);
        QVERIFY(answer.result());
    }
};

REDRIVE_TEST(TestControl)
#include "tst_control.moc"
