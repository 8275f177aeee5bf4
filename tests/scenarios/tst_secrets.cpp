// Secrets leave the memory of the program only to their broker. Uses real programs, connections of every kind with
// secrets that look like nothing else, and brokers whose errors contain addresses and credentials. Then it searches
// everything the programs wrote, in every encoding: output, error output, arguments, and each file in the home folder.
#include "tests/support/network/brokenserver.h"
#include "tests/support/testmain/testmain.h"

#include <QDirIterator>
#include <QProcess>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <csignal>

namespace {

constexpr int timeoutMs = 120000;

// No text or number of the program looks like these.
const QByteArray rabbitCore = "TellRabbit7Qz";
const QByteArray busCore = "TellBus4Wk";
const QByteArray storageCore = "TellStorage9Xv";
const QByteArray sasCore = "TellSas3Jy";
const QByteArray sqsCore = "TellSqs6Hu";
const QByteArray tokenCore = "TellToken8Pm";
const QList<QByteArray> cores{rabbitCore, busCore, storageCore, sasCore, sqsCore, tokenCore};

// With characters that every encoding writes differently. A storage key is base64 itself.
const QByteArray rabbitSecret = "p/+=&%@:\"" + rabbitCore + "\xc3\xa9#?";
const QByteArray busSecret = "k+/" + busCore + "==";
const QByteArray storageSecret = ("key/" + storageCore + "\xff\xfe.").toBase64();
const QByteArray sasSecret =
    "sv=2024-11-04&ss=q&srt=sco&sp=rwdlacup&se=2030-01-01T00:00:00Z&sig=a%2B" + sasCore + "%3D";
const QByteArray sqsSecret = "wJ/+" + sqsCore + "=";
const QByteArray sqsToken = "IQ//" + tokenCore + "==";

// The base64 characters that appear wherever the text is in the encoded data.
QList<QByteArray> inBase64(const QByteArray &text)
{
    QList<QByteArray> forms;
    for (int before = 0; before < 3; ++before) {
        const QByteArray coded = (QByteArray(before, 'x') + text).toBase64(QByteArray::OmitTrailingEquals);
        const int first = before == 0 ? 0 : before + 1; // the data before takes part in these
        const qsizetype whole = (before + text.size()) / 3 * 4; // and the data after in those
        forms.append(coded.mid(first, whole - first));
    }
    return forms;
}

QByteArray asUtf16(const QByteArray &text, bool bigEndian)
{
    QByteArray wide;
    for (const char one : text)
        wide += bigEndian ? QByteArray(1, '\0') + one : QByteArray(1, one) + '\0';
    return wide;
}

QByteArray percentEncoded(const QByteArray &text)
{
    QByteArray all;
    for (const char one : text)
        all += '%' + QByteArray(1, one).toHex();
    return all;
}

// How an encoding writes the secret, whatever is before and after it. In lower case, because encodings differ in that.
QList<QByteArray> formsOf(const QByteArray &core)
{
    QByteArray reversed = core;
    std::reverse(reversed.begin(), reversed.end());
    QList<QByteArray> forms{core,     core.toHex(),        asUtf16(core, false), asUtf16(core, true),
                            reversed, percentEncoded(core)};
    forms += inBase64(core);
    for (const QByteArray &twice : inBase64(core))
        forms += inBase64(twice);
    forms += inBase64(asUtf16(core, false));
    for (QByteArray &form : forms)
        form = form.toLower();
    return forms;
}

// The name of what is found; empty: nothing.
QByteArray found(const QByteArray &bytes)
{
    const QByteArray small = bytes.toLower();
    for (const QByteArray &core : cores) {
        for (const QByteArray &form : formsOf(core)) {
            if (small.contains(form))
                return core + " as " + form;
        }
    }
    return {};
}

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// A broker that repeats what it got: in headers, in JSON, in XML, in redirect addresses.
support::BrokenServer::Reaction echo(const support::BrokenServer::Seen &seen, int turn)
{
    const QByteArray told = seen.head.split('\r').value(0) + " Authorization: " + seen.header("Authorization")
                            + " http://ops:" + QByteArray(rabbitSecret).toPercentEncoding() + "@broker/" + " password="
                            + rabbitCore + "x SharedAccessKey=" + busSecret + "; AccountKey=" + storageSecret + ";sig=a"
                            + sasCore + " X-Amz-Security-Token: " + sqsToken;
    QByteArray json = told;
    json.replace('\\', "\\\\").replace('"', "\\\"");
    const QByteArray object =
        "{\"error\":\"" + json + "\",\"reason\":\"" + json + "\",\"message\":\"" + json + "\",\"__type\":\"Echo\"}";
    const QByteArray xml = "<?xml version=\"1.0\"?><Error><Code>Echo</Code><Message>"
                           + QString::fromUtf8(told).toHtmlEscaped().toUtf8() + "</Message></Error>";
    const QByteArray away = "Location: http://ops:" + rabbitCore + "@elsewhere.invalid/?sig=" + sasCore + "\r\n";
    using Server = support::BrokenServer;
    switch (turn % 7) {
    case 0:
        return {Server::When::Complete, Server::answer(401, object, "Content-Type: application/json\r\n")};
    case 1:
        return {Server::When::Complete, Server::answer(403, xml, "Content-Type: application/xml\r\n")};
    case 2:
        return {Server::When::Complete, Server::answer(400, object, "Content-Type: application/json\r\n")};
    case 3:
        return {Server::When::Complete, Server::answer(302, "<html>" + told, away)};
    case 4:
        return {Server::When::Complete, Server::answer(200, told, "Content-Type: text/html\r\n")};
    case 5:
        return {Server::When::Complete, "HTTP/1.1 200 " + seen.header("Authorization") + "\r\nBroken",
                Server::Then::Close};
    default:
        return {Server::When::Complete, Server::answer(500, xml)};
    }
}

struct Ended
{
    int code = -1;
    QByteArray out;
    QByteArray err;
};

// A home folder of its own, and the programs started in it.
class Fixture
{
public:
    Fixture()
    {
        m_server.setAnswer([this](const support::BrokenServer::Seen &seen) { return echo(seen, m_turn++); });
        const QString home = m_home.path();
        m_environment.insert(QStringLiteral("HOME"), home);
        m_environment.insert(QStringLiteral("TMPDIR"), home);
        for (const char *name :
             {"XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"})
            m_environment.insert(QLatin1StringView(name), home);
        m_environment.remove(QStringLiteral("DBUS_SESSION_BUS_ADDRESS"));
        m_environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        m_environment.insert(QStringLiteral("QT_LOGGING_RULES"), QStringLiteral("*=true;qt.*=false"));
    }

    [[nodiscard]] QString at(const QByteArray &scheme, const QByteArray &user, const QByteArray &path) const
    {
        const QByteArray before = user.isEmpty() ? QByteArray() : user + '@';
        const QByteArray port = QByteArray::number(m_server.serverPort());
        return QString::fromUtf8(scheme + "+http://" + before + "127.0.0.1:" + port + path);
    }
    void setVariable(const char *name, const QByteArray &secret)
    {
        m_environment.insert(QLatin1StringView(name), QString::fromUtf8(secret));
    }
    // Outside of the home folder, because the person writes this file, not the program.
    QString secretFile(const QList<std::pair<QByteArray, QByteArray>> &lines)
    {
        const QString path = m_elsewhere.filePath(QStringLiteral("secrets-%1").arg(++m_files));
        QFile file(path);
        if (file.open(QIODevice::WriteOnly)) {
            for (const auto &[name, secret] : lines)
                file.write(name + '=' + secret + '\n');
        }
        return path;
    }

    std::unique_ptr<QProcess> start(const QString &program, const QStringList &arguments)
    {
        auto process = std::make_unique<QProcess>();
        process->setProcessEnvironment(m_environment);
        process->setWorkingDirectory(m_home.path());
        process->start(program, arguments);
        return process;
    }
    Ended run(const QStringList &arguments)
    {
        const std::unique_ptr<QProcess> process = start(QStringLiteral(REDRIVE_PROGRAM), arguments);
        if (!QTest::qWaitFor([&process] { return process->state() == QProcess::NotRunning; }, timeoutMs))
            return {};
        return {process->exitStatus() == QProcess::NormalExit ? process->exitCode() : -1,
                process->readAllStandardOutput(), process->readAllStandardError()};
    }

    // Where a part of a secret was found; empty: nowhere.
    [[nodiscard]] QByteArray leakInFiles() const
    {
        QDirIterator files(m_home.path(), QDir::Files | QDir::Hidden | QDir::System, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const QString path = files.next();
            const QByteArray what = found(path.toUtf8() + contentOf(path));
            if (!what.isEmpty())
                return path.toUtf8() + ": " + what;
        }
        return {};
    }
    [[nodiscard]] int files() const
    {
        int count = 0;
        QDirIterator all(m_home.path(), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        while (all.hasNext()) {
            all.next();
            ++count;
        }
        return count;
    }
    // Whether this was sent to a broker with its credentials.
    [[nodiscard]] bool wasAsked(const QByteArray &words) const
    {
        return std::any_of(m_server.complete().begin(), m_server.complete().end(),
                           [&words](const support::BrokenServer::Seen &one) { return one.head.contains(words); });
    }
    void forget() { m_server.forget(); }

    QStringList add(const QString &name, const QString &url)
    {
        return {QStringLiteral("connection"),
                QStringLiteral("add"),
                name,
                url,
                QStringLiteral("--environment"),
                QStringLiteral("test"),
                QStringLiteral("--error-queue"),
                QStringLiteral("error")};
    }
    // One of each kind; their secrets are not among the arguments.
    QByteArray addAll(const QList<QByteArray> &only = {})
    {
        const QList<std::pair<QByteArray, QString>> all{
            {"rabbit", at("rabbitmq", "ops", "/%2F")},
            {"bus", at("servicebus", "RootManageSharedAccessKey", "/")},
            {"storage", at("azurequeue", {}, "/devstore")},
            {"sas", at("azurequeue", {}, "/sasstore")},
            {"sqs", at("sqs", "AKIDEXAMPLE", "/?region=us-east-1")},
        };
        for (const auto &[name, url] : all) {
            if (!only.isEmpty() && !only.contains(name))
                continue;
            const Ended ended = run(add(QString::fromLatin1(name), url));
            if (ended.code != 0)
                return name + ": " + ended.err;
        }
        return {};
    }
    void setVariables()
    {
        setVariable("REDRIVE_SECRET_RABBIT", rabbitSecret);
        setVariable("REDRIVE_SECRET_BUS", busSecret);
        setVariable("REDRIVE_SECRET_STORAGE", storageSecret);
        setVariable("REDRIVE_SECRET_SAS", '?' + sasSecret);
        setVariable("REDRIVE_SECRET_SQS", "AKIDEXAMPLE:" + sqsSecret + ':' + sqsToken);
    }
    // Requests with the credentials of each of the five.
    [[nodiscard]] bool allWereAsked() const
    {
        return wasAsked("Authorization: Basic") && wasAsked("SharedAccessSignature") && wasAsked("SharedKey devstore")
               && wasAsked("sig=a%2B" + sasCore) && wasAsked("AWS4-HMAC-SHA256");
    }

private:
    QTemporaryDir m_home;
    QTemporaryDir m_elsewhere;
    int m_files = 0;
    int m_turn = 0;
    support::BrokenServer m_server;
    QProcessEnvironment m_environment = QProcessEnvironment::systemEnvironment();
};

} // namespace

class TestSecrets final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theSearchFindsThemInEveryCoding();
    void givenInAUrlTheyGoNoFurther_data();
    void givenInAUrlTheyGoNoFurther();
    void commandsThatFailSayNothingOfThem_data();
    void commandsThatFailSayNothingOfThem();
    void anEngineThatRunsAndCrashesLeavesNone();
    void theWindowLeavesNone();
};

void TestSecrets::theSearchFindsThemInEveryCoding()
{
    QCOMPARE(found("nothing of the kind"), QByteArray());
    const QByteArray secret = rabbitSecret;
    for (const QByteArray &before : {QByteArray(), QByteArray("a"), QByteArray("ab"), QByteArray("ops:")}) {
        const QByteArray text = before + secret + "tail";
        for (const QByteArray &coded :
             {text, text.toBase64(), text.toBase64(QByteArray::Base64UrlEncoding), text.toHex(), text.toHex().toUpper(),
              text.toPercentEncoding(), text.toBase64().toBase64(), percentEncoded(text).toUpper(),
              QString::fromUtf8(text).toHtmlEscaped().toUtf8(), asUtf16(text, false), asUtf16(text, true)})
            QVERIFY2(!found("..." + coded + "...").isEmpty(), coded.constData());
    }
    for (const QByteArray &one :
         {busSecret, storageSecret, QByteArray::fromBase64(storageSecret), sasSecret, sqsSecret, sqsToken})
        QVERIFY2(!found(one).isEmpty(), one.constData());
}

void TestSecrets::givenInAUrlTheyGoNoFurther_data()
{
    QTest::addColumn<QByteArray>("scheme");
    QTest::addColumn<QByteArray>("user");
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("string"); // a connection string instead; PORT is replaced by the port
    const auto row = [](const char *name, const QByteArray &scheme, const QByteArray &user, const QByteArray &path) {
        QTest::newRow(name) << scheme << user << path << QByteArray();
    };
    row("rabbitmq", "rabbitmq", "ops:" + rabbitSecret.toPercentEncoding(), "/%2F");
    row("servicebus", "servicebus", "Root:" + busSecret.toPercentEncoding(), "/");
    row("sas", "azurequeue", {}, "/devstore?" + sasSecret);
    row("sqs", "sqs", "AKIDEXAMPLE:" + sqsSecret.toPercentEncoding(), "/?region=us-east-1");
    row("not a port", "rabbitmq", "ops:" + rabbitSecret.toPercentEncoding(), "x/%2F");
    row("no scheme", "amqp", "ops:" + rabbitSecret.toPercentEncoding(), "/%2F");
    row("a fragment", "rabbitmq", "ops:" + rabbitCore + "@host/#", "/%2F");
    const auto string = [](const char *name, const QByteArray &text) {
        QTest::newRow(name) << QByteArray() << QByteArray() << QByteArray() << text;
    };
    string("storage string", "DefaultEndpointsProtocol=http;AccountName=devstore;AccountKey=" + storageSecret
                                 + ";QueueEndpoint=http://127.0.0.1:PORT/devstore;");
    string("bus string", "Endpoint=http://127.0.0.1:PORT/;SharedAccessKeyName=Root;SharedAccessKey=" + busSecret);
    string("damaged storage string", "DefaultEndpointsProtocol=ftp;AccountName=;AccountKey=" + storageSecret);
    string("damaged bus string", "Endpoint=sb:;SharedAccessKeyName=Root;SharedAccessKey=" + busSecret);
}

void TestSecrets::givenInAUrlTheyGoNoFurther()
{
    QFETCH(const QByteArray, scheme);
    QFETCH(const QByteArray, user);
    QFETCH(const QByteArray, path);
    QFETCH(QByteArray, string);
    Fixture house;
    QString url = house.at(scheme, user, path);
    if (!string.isEmpty())
        url = QString::fromUtf8(string.replace("PORT", house.at({}, {}, {}).section(QLatin1Char(':'), -1).toLatin1()));
    const QStringList rules{QStringLiteral("--log-rules"), QStringLiteral("*=true;qt.*=false")};
    const Ended added = house.run(rules + house.add(QStringLiteral("shop"), url));
    QVERIFY2(added.code == 0 || added.code == 2, added.err.constData());
    QCOMPARE(found(added.out + added.err), QByteArray());
    for (const QStringList &command :
         {QStringList{QStringLiteral("connection"), QStringLiteral("list"), QStringLiteral("--json")},
          QStringList{QStringLiteral("events"), QStringLiteral("--json")},
          QStringList{QStringLiteral("connection"), QStringLiteral("test"), QStringLiteral("shop")}}) {
        const Ended ended = house.run(rules + command);
        QCOMPARE(found(ended.out + ended.err), QByteArray());
    }
    QCOMPARE(house.leakInFiles(), QByteArray());
    QVERIFY(added.code != 0 || house.files() > 0);
}

void TestSecrets::commandsThatFailSayNothingOfThem_data()
{
    QTest::addColumn<QByteArray>("secret");
    QTest::addColumn<QByteArray>("sent"); // what a request with its credentials contains
    QTest::newRow("rabbit") << rabbitSecret << QByteArray("Authorization: Basic");
    QTest::newRow("bus") << busSecret << QByteArray("SharedAccessSignature");
    QTest::newRow("storage") << storageSecret << QByteArray("SharedKey devstore");
    QTest::newRow("sas") << sasSecret << "sig=a%2B" + sasCore;
    QTest::newRow("sqs") << "AKIDEXAMPLE:" + sqsSecret + ':' + sqsToken << QByteArray("AWS4-HMAC-SHA256");
}

// The broker fails differently at each request.
void TestSecrets::commandsThatFailSayNothingOfThem()
{
    QFETCH(const QByteArray, secret);
    QFETCH(const QByteArray, sent);
    const QByteArray name = QTest::currentDataTag();
    Fixture house;
    QCOMPARE(house.addAll({name}), QByteArray());
    const QStringList before{QStringLiteral("--secret-file"), house.secretFile({{name, secret}}),
                             QStringLiteral("--log-rules"), QStringLiteral("*=true;qt.*=false")};
    for (const char *command :
         {"connection test NAME", "connection test NAME", "queues", "intake", "intake --browse --json"}) {
        const QStringList words =
            QString::fromLatin1(QByteArray(command).replace("NAME", name)).split(QLatin1Char(' '));
        const Ended ended = house.run(before + words);
        QVERIFY2(ended.code > 0, ended.out.constData());
        QCOMPARE(found(ended.out + ended.err), QByteArray());
    }
    QVERIFY(house.wasAsked(sent)); // the broker did get the credentials
    const Ended events = house.run({QStringLiteral("events"), QStringLiteral("--json")});
    QVERIFY2(events.code == 0 && events.out.size() > 2, events.err.constData());
    QCOMPARE(found(events.out + events.err), QByteArray());
    QCOMPARE(house.leakInFiles(), QByteArray());
}

void TestSecrets::anEngineThatRunsAndCrashesLeavesNone()
{
    Fixture house;
    QCOMPARE(house.addAll(), QByteArray());
    house.forget();
    house.setVariables();
    const std::unique_ptr<QProcess> engine =
        house.start(QStringLiteral(REDRIVE_PROGRAM),
                    {QStringLiteral("--log-rules"), QStringLiteral("*=true;qt.*=false"), QStringLiteral("run")});
    QVERIFY(engine->waitForStarted());
    const auto end = qScopeGuard([&engine] {
        engine->kill();
        engine->waitForFinished();
    });
    QVERIFY(QTest::qWaitFor([&house] { return house.allWereAsked(); }, timeoutMs));
    const QString process = QStringLiteral("/proc/%1/").arg(engine->processId());
    QCOMPARE(found(contentOf(process + QStringLiteral("cmdline"))), QByteArray());
    QCOMPARE(found(contentOf(process + QStringLiteral("comm"))), QByteArray());
    // Through its socket, like other programs.
    for (const char *name : {"rabbit", "bus", "storage", "sas", "sqs"}) {
        const Ended tested =
            house.run({QStringLiteral("connection"), QStringLiteral("test"), QString::fromLatin1(name)});
        QCOMPARE(found(tested.out + tested.err), QByteArray());
    }
    QCOMPARE(house.leakInFiles(), QByteArray()); // also the log of the store, after no clean exit
    ::kill(pid_t(engine->processId()), SIGSEGV);
    QVERIFY(QTest::qWaitFor([&engine] { return engine->state() == QProcess::NotRunning; }, timeoutMs));
    QCOMPARE(found(engine->readAllStandardOutput() + engine->readAllStandardError()), QByteArray());
    QCOMPARE(house.leakInFiles(), QByteArray());
}

void TestSecrets::theWindowLeavesNone()
{
#ifdef REDRIVE_WINDOW
    Fixture house;
    QCOMPARE(house.addAll(), QByteArray());
    house.forget();
    house.setVariables();
    const std::unique_ptr<QProcess> window = house.start(QStringLiteral(REDRIVE_WINDOW), {QStringLiteral("console")});
    QVERIFY(window->waitForStarted());
    const auto end = qScopeGuard([&window] {
        window->kill();
        window->waitForFinished();
    });
    QVERIFY(QTest::qWaitFor([&house] { return house.allWereAsked(); }, timeoutMs));
    QCOMPARE(found(contentOf(QStringLiteral("/proc/%1/cmdline").arg(window->processId()))), QByteArray());
    window->terminate();
    QVERIFY(QTest::qWaitFor([&window] { return window->state() == QProcess::NotRunning; }, timeoutMs));
    QCOMPARE(found(window->readAllStandardOutput() + window->readAllStandardError()), QByteArray());
    QCOMPARE(house.leakInFiles(), QByteArray());
#else
    QSKIP("Built without the window.");
#endif
}

REDRIVE_TEST(TestSecrets)
#include "tst_secrets.moc"
