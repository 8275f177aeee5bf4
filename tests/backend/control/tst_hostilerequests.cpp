// Random, unknown and cut requests over a real control socket: each complete one gets exactly one answer, and what is
// malformed is not carried out.
#include "backend/control/server.h"
#include "backend/control/socketname.h"
#include "backend/core/text/cborcodec.h"
#include "backend/engine/dispatch/commandtable.h"
#include "tests/support/fakeclient/fakeclient.h"
#include "tests/support/testmain/testmain.h"

#include <QLocalSocket>
#include <QLoggingCategory>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QtEndian>

namespace {

constexpr int timeoutMs = 20000;
constexpr quint32 seed = 23;

QByteArray frame(const QCborValue &value)
{
    const QByteArray cbor = value.toCbor();
    QByteArray length(4, Qt::Uninitialized);
    qToBigEndian(quint32(cbor.size()), length.data());
    return length + cbor;
}

QString text(std::string_view name)
{
    return QString::fromLatin1(name.data(), qsizetype(name.size()));
}

// Values of every kind that CBOR has, in maps with the names of real fields.
class Noise final
{
public:
    QCborValue value(int depth = 3)
    {
        switch (m_random.bounded(depth > 0 ? 12 : 9)) {
        case 0:
            return QCborValue(qint64(m_random.generate64()));
        case 1:
            return QCborValue(m_random.bounded(-3, 12));
        case 2:
            return QCborValue(m_random.bounded(2) == 1);
        case 3:
            return QCborValue(m_random.generateDouble());
        case 4:
            return QCborValue(QStringLiteral("error"));
        case 5:
            return QCborValue(QByteArray("\xff\0", 2));
        case 6:
            return QCborValue(QCborValue::Null);
        case 7:
            return QCborValue(QCborKnownTags::Url, QStringLiteral("http://me@127.0.0.1"));
        case 8:
            return QCborValue(QCborSimpleType(33));
        case 9:
            return list(depth);
        default:
            return map(depth);
        }
    }
    QCborMap map(int depth)
    {
        static const QStringList names{
            QStringLiteral("connection"), QStringLiteral("queue"),     QStringLiteral("limit"),
            QStringLiteral("draft"),      QStringLiteral("filter"),    QStringLiteral("kind"),
            QStringLiteral("plan"),       QStringLiteral("operation"), QStringLiteral("action"),
            QStringLiteral("ordinals"),   QStringLiteral("groups"),    QStringLiteral("until"),
            QStringLiteral("text"),       QStringLiteral("redirect"),  QStringLiteral("decision"),
            QStringLiteral("steps"),      QStringLiteral("edit"),      QStringLiteral("secret")};
        QCborMap map;
        for (int i = m_random.bounded(6); i > 0; --i)
            map.insert(names.at(m_random.bounded(int(names.size()))), value(depth - 1));
        return map;
    }
    int upTo(int most) { return m_random.bounded(most); }

private:
    QCborArray list(int depth)
    {
        QCborArray list;
        for (int i = m_random.bounded(4); i > 0; --i)
            list.append(value(depth - 1));
        return list;
    }

    QRandomGenerator m_random{seed};
};

// A program that greets and then sends what it likes.
class Peer final
{
public:
    explicit Peer(const QString &path)
    {
        socket.connectToServer(path);
        isGreeted = socket.waitForConnected(timeoutMs);
        socket.write(frame(QCborMap{{QStringLiteral("hello"), control::protocolVersion}}));
        isGreeted = isGreeted && next().contains(QStringLiteral("hello"));
    }
    QCborMap call(const QString &name, const QCborValue &with)
    {
        socket.write(frame(
            QCborMap{{QStringLiteral("call"), ++last}, {QStringLiteral("do"), name}, {QStringLiteral("with"), with}}));
        return next();
    }
    // The next message; empty: none came.
    QCborMap next()
    {
        const auto isWhole = [this] {
            bytes += socket.readAll();
            return bytes.size() >= 4 && bytes.size() >= 4 + qFromBigEndian<quint32>(bytes.constData());
        };
        QSignalSpy arrived(&socket, &QLocalSocket::readyRead);
        while (!isWhole()) {
            if (!arrived.wait(timeoutMs))
                return {};
        }
        const qsizetype length = qFromBigEndian<quint32>(bytes.constData());
        const QCborMap message = QCborValue::fromCbor(bytes.mid(4, length)).toMap();
        bytes.remove(0, 4 + length);
        return message;
    }

    QLocalSocket socket;
    QByteArray bytes;
    qint64 last = 0;
    bool isGreeted = false;
};

core::ErrorKind kindOf(const QCborMap &answer)
{
    core::Error error;
    const bool isError = core::decode(answer.value(QStringLiteral("error")), error);
    return isError && !error.message.isEmpty() ? error.kind : core::ErrorKind::StoreFailed;
}

} // namespace

class TestHostileRequests final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLoggingCategory::setFilterRules(QStringLiteral("redrive.control=false")); }
    void init()
    {
        m_holder = std::make_unique<support::FakeClient>();
        m_server = std::make_unique<control::Server>(*m_holder);
        QVERIFY(m_server->listen(path()));
    }

    void everyCommandIsServed()
    {
        Peer peer(path());
        QVERIFY(peer.isGreeted);
        const std::vector<std::string_view> names = engine::CommandTable::all().names();
        QVERIFY(names.size() >= 20);
        for (const std::string_view name : names) {
            const QCborMap answer = peer.call(text(name), QCborMap{});
            QCOMPARE(answer.value(QStringLiteral("answer")).toInteger(), peer.last);
            QCOMPARE(m_holder->calls.last(), text(name));
        }
    }

    void whatIsMalformedIsAnsweredAndNotDone()
    {
        Peer peer(path());
        QVERIFY(peer.isGreeted);
        Noise noise;
        const std::vector<std::string_view> names = engine::CommandTable::all().names();
        int refused = 0;
        for (int i = 0; i < 2000; ++i) {
            const QString name = text(names.at(size_t(noise.upTo(int(names.size())))));
            const qsizetype before = m_holder->calls.size();
            const QCborMap answer = peer.call(name, noise.value());
            QCOMPARE(answer.value(QStringLiteral("answer")).toInteger(), peer.last);
            const bool isDone = m_holder->calls.size() == before + 1;
            if (!isDone) {
                QCOMPARE(m_holder->calls.size(), before);
                QVERIFY(kindOf(answer) == core::ErrorKind::Rejected);
                ++refused;
            }
        }
        QVERIFY2(refused > 500 && refused < 2000, qPrintable(QString::number(refused)));
    }

    void whatIsUnknownIsNamed()
    {
        Peer peer(path());
        QVERIFY(peer.isGreeted);
        for (const QString &name : {QStringLiteral("FormatDisk"), QString(), QStringLiteral("GroupQuery"),
                                    QStringLiteral("setrate"), QString(100000, QLatin1Char('x'))}) {
            const QCborMap answer = peer.call(name, QCborMap{});
            QVERIFY(kindOf(answer) == core::ErrorKind::Rejected);
        }
        QVERIFY(m_holder->calls.isEmpty());
    }

    void theWrongFieldIsNamed()
    {
        Peer peer(path());
        const QCborMap ramp{{QStringLiteral("steps"), QStringLiteral("many")}};
        const QCborMap plan{{QStringLiteral("ramp"), ramp}};
        const QCborMap draft{{QStringLiteral("plan"), plan}};
        const QCborMap answer = peer.call(QStringLiteral("ConfirmRetry"), QCborMap{{QStringLiteral("draft"), draft}});
        core::Error error;
        QVERIFY(core::decode(answer.value(QStringLiteral("error")), error));
        QVERIFY2(error.message.contains(u"draft.plan.ramp.steps"), qPrintable(error.message));
        QVERIFY(error.message.contains(u"ConfirmRetry"));
    }

    void whatIsCutIsNotDone()
    {
        const QByteArray whole = frame(QCborMap{{QStringLiteral("call"), 1},
                                                {QStringLiteral("do"), QStringLiteral("PauseAll")},
                                                {QStringLiteral("with"), QCborMap{{QStringLiteral("pause"), true}}}});
        for (qsizetype length = 1; length < whole.size(); ++length) {
            Peer peer(path());
            QVERIFY(peer.isGreeted);
            peer.socket.write(whole.left(length));
            peer.socket.disconnectFromServer();
            QTRY_COMPARE_WITH_TIMEOUT(peer.socket.state(), QLocalSocket::UnconnectedState, timeoutMs);
        }
        Peer peer(path());
        QVERIFY(peer.call(QStringLiteral("RefreshQueues"), QCborMap{}).contains(QStringLiteral("ok")));
        QCOMPARE(m_holder->calls, QStringList{QStringLiteral("RefreshQueues")});
    }

private:
    [[nodiscard]] QString path() const { return m_folder.filePath(QStringLiteral("s")); }

    QTemporaryDir m_folder;
    std::unique_ptr<support::FakeClient> m_holder;
    std::unique_ptr<control::Server> m_server;
};

REDRIVE_TEST(TestHostileRequests)
#include "tst_hostilerequests.moc"
