#include "backend/records/conventions/conventionfile.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <functional>

using core::ErrorKind;
using core::Result;
using records::Convention;
using records::MessagePlace;
using Do = Convention::BeforeRetry::Do;
using Fact = Convention::Fact;
using In = MessagePlace::In;

class TestConventionFile final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theExampleIsReadWhole();
    void onlyTheNameIsNeeded();
    void aConventionIsReadAsItWasWritten_data();
    void aConventionIsReadAsItWasWritten();
    void mistakesAreNamedWithTheirPath_data();
    void mistakesAreNamedWithTheirPath();
    void whatIsNoJsonIsNamedWithItsPlace();
    void everyTruncatedFileIsRefused();
    void everyChangedByteIsReadOrRefused();
    void aConventionFromAWindowIsCheckedLikewise_data();
    void aConventionFromAWindowIsCheckedLikewise();
    void theLongestConventionCanBeReadAgain();
};

namespace {

const QByteArray example = R"({ "name": "billing",
  "note": "Our own dead-letter format, ask the billing team",
  "for": { "connection": "Production", "queues": ["billing.*"], "dialects": ["unknown", "RabbitMQ"],
           "headers": {"x-app": "billing*"}, "group": {"by": "exception", "title": "Rejected"} },
  "read": { "exception_type":    {"header": "x-error", "pointer": "/type"},
            "exception_message": [ {"header": "x-error", "pointer": "/text"}, {"body": "/error/text"} ],
            "return_to":         {"property": "reply_to"} },
  "before_retry": [ {"remove": {"header": "x-error"}}, {"remove": {"body": "/error"}},
                    {"zero": {"header": "x-tries"}}, {"empty_is_missing": {"header": "x-tenant"}} ] }
)";

MessagePlace header(const char *name, const char *pointer = "")
{
    return {In::Header, QString::fromLatin1(name), QString::fromLatin1(pointer)};
}

MessagePlace body(const char *pointer)
{
    return {In::Body, {}, QString::fromLatin1(pointer)};
}

Convention conventionOfTheExample()
{
    Convention convention;
    convention.name = QStringLiteral("billing");
    convention.note = QStringLiteral("Our own dead-letter format, ask the billing team");
    convention.isFor.connection = QStringLiteral("Production");
    convention.isFor.queues = {QStringLiteral("billing.*")};
    convention.isFor.dialects = {QStringLiteral("unknown"), QStringLiteral("RabbitMQ")};
    convention.isFor.headers = {{QStringLiteral("x-app"), QStringLiteral("billing*")}};
    convention.isFor.group = Convention::For::Group{records::Classifier::ExceptionAndStack, QStringLiteral("Rejected")};
    convention.reads = {{Fact::ExceptionType, {header("x-error", "/type")}},
                        {Fact::ExceptionMessage, {header("x-error", "/text"), body("/error/text")}},
                        {Fact::ReturnTo, {{In::Property, QStringLiteral("reply_to"), {}}}}};
    convention.beforeRetry = {{Do::Remove, header("x-error")},
                              {Do::Remove, body("/error")},
                              {Do::SetToZero, header("x-tries")},
                              {Do::EmptyIsMissing, header("x-tenant")}};
    return convention;
}

Convention named(const QString &name)
{
    Convention convention;
    convention.name = name;
    return convention;
}

Result<Convention> read(const QByteArray &fields)
{
    return records::conventionFrom("{\"name\": \"a\", " + fields + '}');
}

} // namespace

void TestConventionFile::theExampleIsReadWhole()
{
    const Result<Convention> read = records::conventionFrom(example);
    QVERIFY2(read, read ? "" : qPrintable(read.error().message));
    QVERIFY(*read == conventionOfTheExample());
}

void TestConventionFile::onlyTheNameIsNeeded()
{
    const Result<Convention> read = records::conventionFrom("{\"name\": \"a\"}");
    QVERIFY(read);
    QVERIFY(*read == named(QStringLiteral("a")));
}

void TestConventionFile::aConventionIsReadAsItWasWritten_data()
{
    QTest::addColumn<Convention>("convention");
    QTest::newRow("the example") << conventionOfTheExample();
    QTest::newRow("nothing but a name") << named(QStringLiteral("a"));
    Convention fixed = named(QStringLiteral("Größe \"7\" \\ \u65e5"));
    fixed.returnTo = QStringLiteral("orders");
    fixed.note = QStringLiteral("two\nlines\tand a tab");
    QTest::newRow("a fixed queue and odd letters") << fixed;
    Convention turned = conventionOfTheExample();
    std::reverse(turned.reads.begin(), turned.reads.end());
    turned.isFor.headers.append({QStringLiteral("a\"b"), QString()});
    turned.reads.first().from = {body("/a~1b/~0/0"), header("x", "/")};
    QTest::newRow("in another order") << turned;
    Convention all = named(QStringLiteral("all"));
    for (int fact = 0; fact <= int(lastOf(Fact())); ++fact)
        all.reads.append({Fact(fact), {header("x")}});
    for (int i = 0; i < records::classifierCount; ++i) {
        all.isFor.group = Convention::For::Group{records::Classifier(i), QStringLiteral("title")};
        QTest::addRow("every fact, classifier %d", i) << all;
    }
}

void TestConventionFile::aConventionIsReadAsItWasWritten()
{
    QFETCH(Convention, convention);
    QVERIFY(records::checkConvention(convention));
    const QByteArray file = records::toJson(convention);
    const Result<Convention> read = records::conventionFrom(file);
    QVERIFY2(read, read ? "" : qPrintable(read.error().message));
    QVERIFY2(*read == convention, file.constData());
}

void TestConventionFile::mistakesAreNamedWithTheirPath_data()
{
    QTest::addColumn<QByteArray>("fields"); // beside the name
    QTest::addColumn<QString>("path");
    const auto row = [](const QByteArray &fields, const char *path) {
        QTest::newRow(fields.left(100).constData()) << fields << QString::fromLatin1(path);
    };
    row(R"("nmae": 1)", "nmae");
    row(R"("name": "b")", "name");
    row(R"("note": 7)", "note");
    row(R"("note": "\u0007")", "note");
    row(R"("for": [])", "for");
    row(R"("for": {"queue": "a"})", "for.queue");
    row(R"("for": {"connection": ""})", "for.connection");
    row(R"("for": {"queues": "a"})", "for.queues");
    row(R"("for": {"queues": ["a", ""]})", "for.queues[1]");
    row(R"("for": {"queues": ["a", 7]})", "for.queues[1]");
    row(R"("for": {"dialects": [null]})", "for.dialects[0]");
    row(R"("for": {"headers": ["x"]})", "for.headers");
    row(R"("for": {"headers": {"": "x"}})", "for.headers[\"\"]");
    row(R"("for": {"headers": {"x": 1}})", "for.headers[\"x\"]");
    row(R"("for": {"headers": {"x": "1", "x": "2"}})", "for.headers[\"x\"]");
    row(R"("for": {"group": {"title": "x"}})", "for.group.by");
    row(R"("for": {"group": {"by": "exception"}})", "for.group.title");
    row(R"("for": {"group": {"by": "cause", "title": "x"}})", "for.group.by");
    row(R"("for": {"group": {"by": "type", "title": ""}})", "for.group.title");
    row(R"("read": {"cause": {"header": "x"}})", "read.cause");
    row(R"("read": {"host": "x"})", "read.host");
    row(R"("read": {"host": []})", "read.host");
    row(R"("read": {"host": {}})", "read.host");
    row(R"("read": {"host": {"header": "x"}, "host": {"header": "y"}})", "read.host");
    row(R"("read": {"host": {"header": ""}})", "read.host.header");
    row(R"("read": {"host": {"header": "a\nb"}})", "read.host.header");
    row(R"("read": {"host": {"header": "\ud800"}})", "read.host.header");
    row(R"("read": {"host": {"header": "x", "pointer": "a"}})", "read.host.pointer");
    row(R"("read": {"host": {"header": "x", "pointer": "/~2"}})", "read.host.pointer");
    row(R"("read": {"host": {"header": "x", "property": "y"}})", "read.host.property");
    row(R"("read": {"host": {"body": "/a", "pointer": "/b"}})", "read.host.pointer");
    row(R"("read": {"host": {"body": ""}})", "read.host.body");
    row(R"("read": {"host": {"pointer": "/b"}})", "read.host");
    row(R"("read": {"host": [{"header": "x"}, {"header": 7}]})", "read.host[1].header");
    row(R"("return_to_queue": "")", "return_to_queue");
    row(R"("return_to_queue": "a", "read": {"return_to": {"header": "x"}})", "return_to_queue");
    row(R"("before_retry": {})", "before_retry");
    row(R"("before_retry": [{}])", "before_retry[0]");
    row(R"("before_retry": [{"set": {"header": "x"}}])", "before_retry[0].set");
    row(R"("before_retry": [{"zero": {"header": "x"}, "remove": {"header": "x"}}])", "before_retry[0].zero");
    row(R"("before_retry": [{"remove": {"header": "redrive-stamp"}}])", "before_retry[0].remove");
    row(R"("before_retry": [{"zero": {"header": "Redrive-Retry-Count"}}])", "before_retry[0].zero");
    row(R"("before_retry": [{"empty_is_missing": {"body": "/x"}}])", "before_retry[0].empty_is_missing");
    row(R"("before_retry": [{"empty_is_missing": {"property": "x"}}])", "before_retry[0].empty_is_missing");
    row(R"("before_retry": [{"empty_is_missing": {"header": "x", "pointer": "/a"}}])",
        "before_retry[0].empty_is_missing");
    row("\"before_retry\": [" + QByteArray(R"({"remove": {"header": "x"}}, )").repeated(100)
            + R"({"remove": {"header": "x"}}])",
        "before_retry");
    row(R"("read": {"host": {"body": ")" + QByteArray("/a").repeated(21) + R"("}})", "read.host.body");
    row(R"("note": ")" + QByteArray(3000, 'x') + '"', "note");
}

void TestConventionFile::mistakesAreNamedWithTheirPath()
{
    QFETCH(QByteArray, fields);
    QFETCH(QString, path);
    const Result<Convention> convention = read(fields);
    QVERIFY(!convention);
    QCOMPARE(int(convention.error().kind), int(ErrorKind::Rejected));
    QVERIFY2(convention.error().message.startsWith(path + QStringLiteral(": ")),
             qPrintable(convention.error().message));
}

void TestConventionFile::whatIsNoJsonIsNamedWithItsPlace()
{
    const Result<Convention> convention = records::conventionFrom("{\"name\": \"a\",\n  note: 1}");
    QVERIFY(!convention);
    QVERIFY2(convention.error().message.contains(QStringLiteral("line 2, character 3")),
             qPrintable(convention.error().message));
    QVERIFY(!records::conventionFrom(QByteArray()));
    QVERIFY(!records::conventionFrom("{\"name\": \"\xff\"}"));
    QVERIFY(!records::conventionFrom(QByteArray("[").repeated(1'000'000)));
    QVERIFY(!records::conventionFrom("{\"name\": \"a\"}" + QByteArray(2'000'000, ' ')));
}

void TestConventionFile::everyTruncatedFileIsRefused()
{
    for (qsizetype length = 0; length < example.trimmed().size(); ++length)
        QVERIFY2(!records::conventionFrom(example.left(length)), example.left(length).constData());
}

void TestConventionFile::everyChangedByteIsReadOrRefused()
{
    constexpr std::array changes{'\0', '"', '}', '/', '~', '\xff'};
    for (qsizetype i = 0; i < example.size(); ++i) {
        QByteArray file = example;
        file[i] = changes.at(size_t(i) % changes.size());
        const Result<Convention> convention = records::conventionFrom(file);
        if (convention)
            QVERIFY(*records::conventionFrom(records::toJson(*convention)) == *convention);
        else
            QVERIFY(!convention.error().message.isEmpty());
    }
}

void TestConventionFile::aConventionFromAWindowIsCheckedLikewise_data()
{
    QTest::addColumn<Convention>("convention");
    QTest::addColumn<QString>("path");
    const auto row = [](const char *name, const char *path, const std::function<void(Convention &)> &change) {
        Convention convention = conventionOfTheExample();
        change(convention);
        QTest::newRow(name) << convention << QString::fromLatin1(path);
    };
    for (const QString &name :
         {QString(), QStringLiteral(" a"), QStringLiteral("a "), QStringLiteral("a\nb"), QStringLiteral("a/b"),
          QStringLiteral("a,b"), QStringLiteral("a\u202eb"), QString(101, QLatin1Char('x'))}) {
        row(qPrintable(QStringLiteral("name ") + name), "name",
            [&name](Convention &convention) { convention.name = name; });
    }
    row("a fact twice", "read.exception_type",
        [](Convention &convention) { convention.reads.append(convention.reads.first()); });
    row("a header twice", "for.headers[\"x-app\"]",
        [](Convention &convention) { convention.isFor.headers.append(convention.isFor.headers.first()); });
    row("a named place in the body", "read.exception_type.body", [](Convention &convention) {
        convention.reads[0].from = {{In::Body, QStringLiteral("x"), QStringLiteral("/a")}};
    });
    row("too many places", "read.exception_type",
        [](Convention &convention) { convention.reads[0].from = QList<MessagePlace>(21, header("x")); });
    row("too many rules", "before_retry", [](Convention &convention) {
        convention.beforeRetry = QList<Convention::BeforeRetry>(97, {Do::Remove, header("x")});
    });
    row("too many queues", "for.queues",
        [](Convention &convention) { convention.isFor.queues = QStringList(51, QStringLiteral("x")); });
}

void TestConventionFile::aConventionFromAWindowIsCheckedLikewise()
{
    QFETCH(Convention, convention);
    QFETCH(QString, path);
    const Result<> checked = records::checkConvention(convention);
    QVERIFY(!checked);
    QCOMPARE(int(checked.error().kind), int(ErrorKind::Rejected));
    QVERIFY2(checked.error().message.startsWith(path + QStringLiteral(": ")), qPrintable(checked.error().message));
}

void TestConventionFile::theLongestConventionCanBeReadAgain()
{
    const QString wide(500, QChar(0x65e5)); // three bytes each
    Convention convention = named(QString(100, QChar(0x65e5)));
    convention.note = wide.repeated(4);
    convention.isFor.queues = QStringList(50, wide);
    convention.isFor.dialects = QStringList(50, wide);
    for (int i = 0; i < 50; ++i)
        convention.isFor.headers.append({QString::number(i) + wide.mid(2), wide});
    convention.beforeRetry =
        QList<Convention::BeforeRetry>(100, {Do::Remove, {In::Header, wide, QLatin1Char('/') + wide.mid(1)}});
    QVERIFY(records::checkConvention(convention));
    QVERIFY(*records::conventionFrom(records::toJson(convention)) == convention);
}

REDRIVE_TEST(TestConventionFile)
#include "tst_conventionfile.moc"
