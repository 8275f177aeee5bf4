#include "backend/recovery/decision.h"
#include "backend/recovery/files/policycheck.h"
#include "backend/recovery/files/policyfile.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

#include <array>
#include <cmath>

using core::ErrorKind;
using core::Milliseconds;
using core::Result;
using recovery::Backstop;
using recovery::ClassRule;
using recovery::Exhausted;
using recovery::FailureClass;
using recovery::Jitter;
using recovery::Policy;
using recovery::RateLimit;
using recovery::Schedule;
using namespace std::chrono_literals;

class TestPolicyFile final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theExampleIsReadWhole();
    void onlyTheNameIsNeeded();
    void schedulesAreRead_data();
    void schedulesAreRead();
    void jitterIsRead_data();
    void jitterIsRead();
    void theEndIsRead_data();
    void theEndIsRead();
    void aPolicyIsReadAsItWasWritten_data();
    void aPolicyIsReadAsItWasWritten();
    void mistakesAreNamedWithTheirPath_data();
    void mistakesAreNamedWithTheirPath();
    void aFieldThatIsNearIsNamed_data();
    void aFieldThatIsNearIsNamed();
    void whatIsNoJsonIsNamedWithItsPlace();
    void hostileFilesAreRefused_data();
    void hostileFilesAreRefused();
    void everyTruncatedFileIsRefused();
    void everyChangedByteIsReadOrRefused();
    void aPolicyFromAWindowIsCheckedLikewise();
};

namespace {

const QByteArray example = R"({ "name": "standard",
  "classify": [ {"exception": "Newtonsoft.Json.JsonException", "as": "permanent"}, {"exception": "*Timeout*", "as": "delayed"},
                {"dead_letter_reason": "TTLExpiredException", "as": "permanent"}, {"http_status": 429, "as": "delayed"},
                {"message": "*optimistic*", "as": "transient"} ],
  "subtypes": { "System.ArgumentException": ["System.ArgumentNullException"] },
  "immediate": 5, "delayed": 3,
  "schedule": {"kind": "linear", "first": "10s"},
  "jitter": "none", "longest_gap": "24h", "backstop": {"cycle": "24h", "plus": "3h"},
  "rate_limit": {"after": 10, "wait": "5s"}, "exhausted": {"do": "leave"} }
)";

ClassRule rule(ClassRule::By by, const char *pattern, int status, FailureClass as)
{
    return {.by = by, .pattern = QString::fromLatin1(pattern), .httpStatus = status, .as = as};
}

Policy policyOfTheExample()
{
    using By = ClassRule::By;
    Policy policy;
    policy.name = QStringLiteral("standard");
    policy.rules = {rule(By::Exception, "Newtonsoft.Json.JsonException", 0, FailureClass::Permanent),
                    rule(By::Exception, "*Timeout*", 0, FailureClass::Delayed),
                    rule(By::DeadLetterReason, "TTLExpiredException", 0, FailureClass::Permanent),
                    rule(By::HttpStatus, "", 429, FailureClass::Delayed),
                    rule(By::Message, "*optimistic*", 0, FailureClass::Transient)};
    policy.subtypes = {{QStringLiteral("System.ArgumentException"), {QStringLiteral("System.ArgumentNullException")}}};
    policy.immediate = 5;
    policy.delayed = 3;
    policy.schedule.kind = Schedule::Kind::Linear;
    policy.schedule.first = 10s;
    policy.jitter = {Jitter::Kind::None, 0};
    policy.longestGap = Milliseconds{24h};
    policy.backstop = Backstop{.cycle = 24h, .plus = 3h};
    policy.rateLimit = RateLimit{.after = 10, .wait = 5s};
    return policy;
}

Result<Policy> read(const QByteArray &fields)
{
    return recovery::policyFrom(fields.isEmpty() ? R"({"name": "p"})" : R"({"name": "p", )" + fields + '}');
}

Schedule schedule(Schedule::Kind kind)
{
    Schedule one;
    one.kind = kind;
    return one;
}

QByteArray repeated(const QByteArray &part, int times)
{
    QByteArrayList list;
    for (int i = 0; i < times; ++i)
        list.append(part);
    return list.join(',');
}

struct Mistake
{
    const char *text;
    const char *path;
};

constexpr std::array mistakesInAFile{
    Mistake{R"({})", "name"},
    Mistake{R"({"name": 1})", "name"},
    Mistake{R"({"name": ""})", "name"},
    Mistake{R"({"name": "  "})", "name"},
    Mistake{R"({"name": " a"})", "name"},
    Mistake{R"({"name": "a\nb"})", "name"},
    Mistake{R"({"name": "a", "name": "b"})", "name"},
    Mistake{R"({"name": "a", "retries": 1})", "retries"},
};

// Beside the name.
constexpr std::array mistakesInAField{
    Mistake{R"("classify": {})", "classify"},
    Mistake{R"("classify": [1])", "classify[0]"},
    Mistake{R"("classify": [{"as": "delayed"}])", "classify[0]"},
    Mistake{R"("classify": [{"exception": "A"}])", "classify[0].as"},
    Mistake{R"("classify": [{"exception": "A", "as": "delayed"}, {"exception": "B", "as": "Delayed"}])",
            "classify[1].as"},
    Mistake{R"("classify": [{"exception": "A", "as": "later"}])", "classify[0].as"},
    Mistake{R"("classify": [{"exception": "A", "as": true}])", "classify[0].as"},
    Mistake{R"("classify": [{"exception": "", "as": "delayed"}])", "classify[0].exception"},
    Mistake{R"("classify": [{"exception": ["A"], "as": "delayed"}])", "classify[0].exception"},
    Mistake{R"("classify": [{"message": " ", "as": "delayed"}])", "classify[0].message"},
    Mistake{R"("classify": [{"dead_letter_reason": null, "as": "delayed"}])", "classify[0].dead_letter_reason"},
    Mistake{R"("classify": [{"http_status": "429", "as": "delayed"}])", "classify[0].http_status"},
    Mistake{R"("classify": [{"http_status": 99, "as": "delayed"}])", "classify[0].http_status"},
    Mistake{R"("classify": [{"http_status": 600, "as": "delayed"}])", "classify[0].http_status"},
    Mistake{R"("classify": [{"exception": "A", "message": "b", "as": "delayed"}])", "classify[0].message"},
    Mistake{R"("classify": [{"exception": "A", "as": "delayed", "when": 1}])", "classify[0].when"},
    Mistake{R"("built_in_rules": "none")", "built_in_rules"},
    Mistake{R"("subtypes": [])", "subtypes"},
    Mistake{R"("subtypes": {"A": "B"})", "subtypes[\"A\"]"},
    Mistake{R"("subtypes": {"A": ["B", 1]})", "subtypes[\"A\"][1]"},
    Mistake{R"("subtypes": {"A": ["B", ""]})", "subtypes[\"A\"][1]"},
    Mistake{R"("subtypes": {"A": [], "A": []})", "subtypes[\"A\"]"},
    Mistake{R"("subtypes": {"": []})", "subtypes[\"\"]"},
    Mistake{R"("immediate": -1)", "immediate"},
    Mistake{R"("immediate": 101)", "immediate"},
    Mistake{R"("immediate": 1.5)", "immediate"},
    Mistake{R"("immediate": "5")", "immediate"},
    Mistake{R"("immediate": 99999999999999999999)", "immediate"},
    Mistake{R"("delayed": -1)", "delayed"},
    Mistake{R"("delayed": 3)", "schedule"},
    Mistake{R"("immediate": 9, "delayed": 1000, "schedule": {"kind": "linear", "first": "1s"})", "delayed"},
    Mistake{R"("schedule": "linear")", "schedule"},
    Mistake{R"("schedule": {})", "schedule.kind"},
    Mistake{R"("schedule": {"kind": "fixed"})", "schedule.kind"},
    Mistake{R"("schedule": {"kind": "linear"})", "schedule.first"},
    Mistake{R"("schedule": {"kind": "linear", "first": 10})", "schedule.first"},
    Mistake{R"("schedule": {"kind": "linear", "first": "10"})", "schedule.first"},
    Mistake{R"("schedule": {"kind": "linear", "first": "10 seconds"})", "schedule.first"},
    Mistake{R"("schedule": {"kind": "linear", "first": "-10s"})", "schedule.first"},
    Mistake{R"("schedule": {"kind": "linear", "first": "0s"})", "schedule.first"},
    Mistake{R"("schedule": {"kind": "linear", "first": "25h"})", "schedule.first"},
    Mistake{R"("schedule": {"kind": "linear", "first": "101m"}, "longest_gap": "100m")", "schedule.first"},
    Mistake{R"("schedule": {"kind": "linear", "first": "10h"}, "backstop": {"cycle": "1h", "plus": "0s"})",
            "schedule.first"},
    Mistake{R"("schedule": {"kind": "linear", "first": "10s", "factor": 2})", "schedule.factor"},
    Mistake{R"("schedule": {"kind": "exponential", "factor": 2})", "schedule.first"},
    Mistake{R"("schedule": {"kind": "exponential", "first": "5s", "factor": 0.9})", "schedule.factor"},
    Mistake{R"("schedule": {"kind": "exponential", "first": "5s", "factor": 101})", "schedule.factor"},
    Mistake{R"("schedule": {"kind": "exponential", "first": "5s", "factor": "2"})", "schedule.factor"},
    Mistake{R"("schedule": {"kind": "exponential", "first": "5s", "factor": 1e999})", "schedule.factor"},
    Mistake{R"("schedule": {"kind": "exponential", "first": "5s", "cap": "4s"})", "schedule.cap"},
    Mistake{R"("schedule": {"kind": "exponential", "first": "5s", "cap": "9999d"})", "schedule.cap"},
    Mistake{R"("schedule": {"kind": "list"})", "schedule.delays"},
    Mistake{R"("schedule": {"kind": "list", "delays": []})", "schedule.delays"},
    Mistake{R"("schedule": {"kind": "list", "delays": "10s"})", "schedule.delays"},
    Mistake{R"("schedule": {"kind": "list", "delays": ["10s", 20]})", "schedule.delays[1]"},
    Mistake{R"("schedule": {"kind": "list", "delays": ["10s", "0s"]})", "schedule.delays[1]"},
    Mistake{R"("schedule": {"kind": "list", "delays": ["10s", "2d"]})", "schedule.delays[1]"},
    Mistake{R"("schedule": {"kind": "list", "delays": ["10s"], "first": "10s"})", "schedule.first"},
    Mistake{R"("schedule": {"kind": "cadence", "offset": "1h"})", "schedule.every"},
    Mistake{R"("schedule": {"kind": "cadence", "every": "0s"})", "schedule.every"},
    Mistake{R"("schedule": {"kind": "cadence", "every": "2d"}, "longest_gap": "24h")", "schedule.every"},
    Mistake{R"("schedule": {"kind": "cadence", "every": "2d"}, "backstop": {"cycle": "1h"})", "schedule.every"},
    Mistake{R"("schedule": {"kind": "cadence", "every": "1h", "offset": "1h"})", "schedule.offset"},
    Mistake{R"("schedule": {"kind": "cadence", "every": "1h"}, "jitter": "full")", "jitter"},
    Mistake{R"("schedule": {"kind": "cadence", "every": "1m"}, "backstop": {"cycle": "24h"})", "delayed"},
    Mistake{R"("wait_at": "queue")", "wait_at"},
    Mistake{R"("wait_at": true)", "wait_at"},
    Mistake{R"("jitter": "some")", "jitter"},
    Mistake{R"("jitter": 10)", "jitter"},
    Mistake{R"("jitter": "")", "jitter"},
    Mistake{R"("jitter": "%")", "jitter"},
    Mistake{R"("jitter": "0%")", "jitter"},
    Mistake{R"("jitter": "101%")", "jitter"},
    Mistake{R"("longest_gap": "25h")", "longest_gap"},
    Mistake{R"("longest_gap": "0s")", "longest_gap"},
    Mistake{R"("longest_gap": 24)", "longest_gap"},
    Mistake{R"("backstop": "75h")", "backstop"},
    Mistake{R"("backstop": {})", "backstop.cycle"},
    Mistake{R"("backstop": {"cycle": "0s"})", "backstop.cycle"},
    Mistake{R"("backstop": {"cycle": "1h", "plus": "soon"})", "backstop.plus"},
    Mistake{R"("backstop": {"cycle": "1h", "times": 3})", "backstop.times"},
    Mistake{R"("rate_limit": true)", "rate_limit"},
    Mistake{R"("rate_limit": {"after": 0})", "rate_limit.after"},
    Mistake{R"("rate_limit": {"after": 10, "wait": "0s"})", "rate_limit.wait"},
    Mistake{R"("rate_limit": {"after": 10, "wait": 5})", "rate_limit.wait"},
    Mistake{R"("counter": 5)", "counter"},
    Mistake{R"("counter": "")", "counter"},
    Mistake{R"("counter": "X Custom")", "counter"},
    Mistake{R"("counter": "redrive-retry-count")", "counter"},
    Mistake{R"("exhausted": {"do": "notify", "queue": "q"})", "exhausted.queue"},
    Mistake{R"("exhausted": "leave")", "exhausted"},
    Mistake{R"("exhausted": {})", "exhausted.do"},
    Mistake{R"("exhausted": {"do": "delete"})", "exhausted.do"},
    Mistake{R"("exhausted": {"do": "move"})", "exhausted.queue"},
    Mistake{R"("exhausted": {"do": "move", "queue": ""})", "exhausted.queue"},
    Mistake{R"("exhausted": {"do": "leave", "queue": "q"})", "exhausted.queue"},
};

} // namespace

void TestPolicyFile::theExampleIsReadWhole()
{
    const Result<Policy> policy = recovery::policyFrom(example);
    QVERIFY2(policy.has_value(), policy ? "" : qPrintable(policy.error().message));
    QVERIFY(*policy == policyOfTheExample());
    const Result<Policy> marked = recovery::policyFrom("\xef\xbb\xbf" + example);
    QVERIFY(marked && *marked == *policy);
}

void TestPolicyFile::onlyTheNameIsNeeded()
{
    Policy expected;
    expected.name = QStringLiteral("p");
    const Result<Policy> policy = read({});
    QVERIFY(policy.has_value());
    QVERIFY(*policy == expected);
}

void TestPolicyFile::schedulesAreRead_data()
{
    QTest::addColumn<QByteArray>("fields");
    QTest::addColumn<Schedule>("expected");
    QTest::addColumn<int>("delayed");
    Schedule doubling = schedule(Schedule::Kind::Exponential);
    doubling.first = 5s;
    QTest::newRow("exponential") << QByteArray(R"("schedule": {"kind": "exponential", "first": "5s"})") << doubling
                                 << 3;
    doubling.factor = 1.5;
    doubling.cap = Milliseconds{30min};
    QTest::newRow("exponential, all fields") << QByteArray(
        R"("delayed": 4, "schedule": {"cap": "30m", "factor": 1.5, "first": "5s", "kind": "exponential"})")
                                             << doubling << 4;
    Schedule list = schedule(Schedule::Kind::List);
    list.delays = {10s, 1min};
    QTest::newRow("list") << QByteArray(R"("schedule": {"kind": "list", "delays": ["10s", "1m"]})") << list << 2;
    QTest::newRow("list that repeats") << QByteArray(
        R"("delayed": 9, "schedule": {"kind": "list", "delays": ["10s", "1m"]})")
                                       << list << 9;
    Schedule cadence = schedule(Schedule::Kind::Cadence);
    cadence.every = 24h;
    QTest::newRow("cadence: all turns before 75 h")
        << QByteArray(R"("schedule": {"kind": "cadence", "every": "24h"})") << cadence << 4;
    cadence.offset = 6h;
    QTest::newRow("cadence with offset") << QByteArray(
        R"("delayed": 2, "schedule": {"kind": "cadence", "every": "1d", "offset": "6h"})")
                                         << cadence << 2;
    QTest::newRow("no delayed retries") << QByteArray(R"("delayed": 0)") << Schedule{} << 0;
}

void TestPolicyFile::schedulesAreRead()
{
    QFETCH(const QByteArray, fields);
    QFETCH(const Schedule, expected);
    QFETCH(const int, delayed);
    const Result<Policy> policy = read(fields);
    QVERIFY2(policy.has_value(), policy ? "" : qPrintable(policy.error().message));
    QVERIFY(policy->schedule == expected);
    QCOMPARE(policy->delayed, delayed);
}

void TestPolicyFile::jitterIsRead_data()
{
    QTest::addColumn<QByteArray>("fields");
    QTest::addColumn<Jitter>("expected");
    QTest::newRow("none") << QByteArray(R"("jitter": "none")") << Jitter{Jitter::Kind::None, 0};
    QTest::newRow("full") << QByteArray(R"("jitter": "full")") << Jitter{Jitter::Kind::Full, 0};
    QTest::newRow("equal") << QByteArray(R"("jitter": "equal")") << Jitter{Jitter::Kind::Equal, 0};
    QTest::newRow("10%") << QByteArray(R"("jitter": "10%")") << Jitter{Jitter::Kind::Percent, 10};
    QTest::newRow("100%") << QByteArray(R"("jitter": "100%")") << Jitter{Jitter::Kind::Percent, 100};
    QTest::newRow("left out: NServiceBus") << QByteArray(R"("immediate": 5)") << Jitter{Jitter::Kind::None, 0};
    QTest::newRow("left out of a list") << QByteArray(R"("schedule": {"kind": "list", "delays": ["1s"]})")
                                        << Jitter{Jitter::Kind::None, 0};
    QTest::newRow("left out of an exponential one: Azure Service Bus")
        << QByteArray(R"("schedule": {"kind": "exponential", "first": "5s"})") << Jitter{Jitter::Kind::Full, 0};
    QTest::newRow("left out of a cadence")
        << QByteArray(R"("schedule": {"kind": "cadence", "every": "1h"})") << Jitter{Jitter::Kind::None, 0};
}

void TestPolicyFile::jitterIsRead()
{
    QFETCH(const QByteArray, fields);
    QFETCH(const Jitter, expected);
    const Result<Policy> policy = read(fields);
    QVERIFY(policy.has_value());
    QVERIFY(policy->jitter == expected);
}

void TestPolicyFile::theEndIsRead_data()
{
    QTest::addColumn<QByteArray>("end");
    QTest::addColumn<Exhausted>("expected");
    QTest::newRow("leave") << QByteArray(R"({"do": "leave"})") << Exhausted{Exhausted::Do::Leave, {}};
    QTest::newRow("move") << QByteArray(R"({"do": "move", "queue": "parking"})")
                          << Exhausted{Exhausted::Do::Move, QStringLiteral("parking")};
    QTest::newRow("dead-letter, or elsewhere") << QByteArray(R"({"do": "dead-letter", "queue": "q"})")
                                               << Exhausted{Exhausted::Do::DeadLetter, QStringLiteral("q")};
    QTest::newRow("dead-letter") << QByteArray(R"({"do": "dead-letter"})") << Exhausted{Exhausted::Do::DeadLetter, {}};
    QTest::newRow("notify") << QByteArray(R"({"do": "notify"})") << Exhausted{Exhausted::Do::Notify, {}};
}

void TestPolicyFile::theEndIsRead()
{
    QFETCH(const QByteArray, end);
    QFETCH(const Exhausted, expected);
    const Result<Policy> policy = read(R"("exhausted": )" + end);
    QVERIFY(policy.has_value());
    QVERIFY(policy->exhausted == expected);
}

void TestPolicyFile::aPolicyIsReadAsItWasWritten_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::newRow("the example") << example;
    const auto row = [](const char *name, const char *fields) {
        QTest::newRow(name) << QByteArray(R"({"name": "p", )") + fields + '}';
    };
    row("defaults", R"("delayed": 0)");
    row("exponential", R"("schedule": {"kind": "exponential", "first": "90s", "factor": 1.1, "cap": "61m"})");
    row("without a cap", R"("schedule": {"kind": "exponential", "first": "90s"})");
    row("list", R"("schedule": {"kind": "list", "delays": ["1s", "1d", "25m", "86399s"]}, "jitter": "33%")");
    row("cadence", R"("schedule": {"kind": "cadence", "every": "7d", "offset": "36h"}, "immediate": 0)");
    row("backstop of a cadence", R"("schedule": {"kind": "cadence", "every": "1h"}, "backstop": {"plus": "0s"})");
    row("a counter", R"("counter": "X-Custom-Retry-Count", "exhausted": {"do": "dead-letter", "queue": "q"})");
    row("names", R"("exhausted": {"do": "move", "queue": "a \"b\" \\ \u20ac \ufeff"})");
    row("rules",
        R"("classify": [{"message": "\"*\" \n ?", "as": "delayed"}, {"http_status": 100, "as": "transient"}])");
    row("built-in rules", R"("built_in_rules": "nservicebus")");
    row("subtypes", R"("subtypes": {"B": ["A", "B"], "A": []})");
    row("rate limit", R"("rate_limit": {})");
}

void TestPolicyFile::aPolicyIsReadAsItWasWritten()
{
    QFETCH(const QByteArray, file);
    const Result<Policy> policy = recovery::policyFrom(file);
    QVERIFY2(policy.has_value(), policy ? "" : qPrintable(policy.error().message));
    const QByteArray written = recovery::toJson(*policy);
    const Result<Policy> again = recovery::policyFrom(written);
    QVERIFY2(again.has_value(), again ? "" : qPrintable(again.error().message));
    QVERIFY2(*again == *policy, written.constData());
    QCOMPARE(recovery::toJson(*again), written);
}

void TestPolicyFile::mistakesAreNamedWithTheirPath_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QString>("path");
    int number = 0;
    for (const Mistake &one : mistakesInAFile)
        QTest::addRow("%d: %s", ++number, one.path) << QByteArray(one.text) << QString::fromLatin1(one.path);
    for (const Mistake &one : mistakesInAField) {
        QTest::addRow("%d: %s", ++number, one.path)
            << R"({"name": "p", )" + QByteArray(one.text) + '}' << QString::fromLatin1(one.path);
    }
}

// The path, then one or two sentences on one line.
void TestPolicyFile::mistakesAreNamedWithTheirPath()
{
    QFETCH(const QByteArray, file);
    QFETCH(const QString, path);
    const Result<Policy> policy = recovery::policyFrom(file);
    QVERIFY(!policy.has_value());
    QVERIFY(policy.error().kind == ErrorKind::Rejected);
    const QString message = policy.error().message;
    QVERIFY2(message.startsWith(path + QStringLiteral(": ")), qPrintable(message));
    const QString words = message.mid(path.size() + 2);
    QVERIFY2(words.front().isUpper() || words.front() == u'"', qPrintable(message));
    QVERIFY2(words.endsWith(u'.') && !words.contains(u'\n'), qPrintable(message));
}

void TestPolicyFile::aFieldThatIsNearIsNamed_data()
{
    QTest::addColumn<QByteArray>("fields");
    QTest::addColumn<QString>("near");
    QTest::newRow("a slip") << QByteArray(R"("imediate": 1)") << "\"immediate\"";
    QTest::newRow("another case") << QByteArray(R"("rateLimit": {})") << "\"rate_limit\"";
    QTest::newRow("in an object") << QByteArray(R"("schedule": {"knd": "linear"})") << "\"kind\"";
    QTest::newRow("in a rule") << QByteArray(R"("classify": [{"exeption": "A"}])") << "\"exception\"";
    QTest::newRow("none is near: all are named")
        << QByteArray(R"("backstop": {"limit": "1h"})") << "\"cycle\" or \"plus\"";
}

void TestPolicyFile::aFieldThatIsNearIsNamed()
{
    QFETCH(const QByteArray, fields);
    QFETCH(const QString, near);
    const Result<Policy> policy = read(fields);
    QVERIFY(!policy.has_value());
    QVERIFY2(policy.error().message.contains(near), qPrintable(policy.error().message));
}

void TestPolicyFile::whatIsNoJsonIsNamedWithItsPlace()
{
    const Result<Policy> policy = recovery::policyFrom("{\"name\": \"p\",\n  immediate: 5}");
    QVERIFY(!policy.has_value());
    QVERIFY(policy.error().message.contains(QStringLiteral("line 2, character 3")));
    for (const char *text : {"", " ", "[]", "null", "\"p\"", "{", "{\"name\": \"p\"} x"})
        QVERIFY2(!recovery::policyFrom(text).has_value(), text);
}

void TestPolicyFile::hostileFilesAreRefused_data()
{
    QTest::addColumn<QByteArray>("file");
    const auto row = [](const char *name, const QByteArray &fields) {
        QTest::newRow(name) << R"({"name": "p", )" + fields + '}';
    };
    const QByteArray longText(301, 'x');
    QTest::newRow("too many bytes") << QByteArray(256 * 1024 + 1, ' ');
    QTest::newRow("no UTF-8") << QByteArray("{\"name\": \"\xff\"}");
    QTest::newRow("deep") << QByteArray(100000, '[');
    QTest::newRow("deep objects") << QByteArray("{\"a\":").repeated(20000);
    QTest::newRow("a long name") << QByteArray(R"({"name": ")") + QByteArray(101, 'x') + "\"}";
    row("many rules", "\"classify\": [" + repeated(R"({"exception": "A", "as": "delayed"})", 101) + ']');
    row("a long glob", R"("classify": [{"message": ")" + longText + R"(", "as": "delayed"}])");
    row("a long type", R"("subtypes": {")" + longText + R"(": []})");
    row("a long subtype", R"("subtypes": {"A": [")" + longText + R"("]})");
    row("many subtypes", R"("subtypes": {"A": [)" + repeated("\"B\"", 201) + "]}");
    QByteArrayList types;
    for (int i = 0; i < 201; ++i)
        types.append("\"T" + QByteArray::number(i) + "\": []");
    row("many base types", "\"subtypes\": {" + types.join(',') + '}');
    row("many delays", R"("schedule": {"kind": "list", "delays": [)" + repeated("\"1s\"", 101) + "]}");
    row("many delayed retries", R"("delayed": 2147483647, "schedule": {"kind": "linear", "first": "1s"})");
    row("a long queue", R"("exhausted": {"do": "move", "queue": ")" + longText + "\"}");
    row("a long field", '"' + QByteArray(100000, 'x') + "\": 1");
    row("a long value", R"("jitter": ")" + QByteArray(100000, 'x') + '"');
    row("a span of too many years", R"("longest_gap": "9999999999999999d")");
    row("a NUL in a name", R"("exhausted": {"do": "move\u0000"})");
}

void TestPolicyFile::hostileFilesAreRefused()
{
    QFETCH(const QByteArray, file);
    const Result<Policy> policy = recovery::policyFrom(file);
    QVERIFY(!policy.has_value());
    QVERIFY(policy.error().kind == ErrorKind::Rejected);
    QVERIFY2(policy.error().message.size() < 500, qPrintable(policy.error().message));
}

void TestPolicyFile::everyTruncatedFileIsRefused()
{
    const QByteArray whole = example.trimmed();
    for (qsizetype size = 0; size < whole.size(); ++size)
        QVERIFY(!recovery::policyFrom(whole.left(size)).has_value());
}

// Whatever is read can be written, read again and used.
void TestPolicyFile::everyChangedByteIsReadOrRefused()
{
    core::SeededRandom random(3);
    int accepted = 0;
    for (int i = 0; i < 5000; ++i) {
        QByteArray file = example;
        file[qsizetype(random.below(quint64(file.size())))] = char(random.below(256));
        const Result<Policy> policy = recovery::policyFrom(file);
        if (!policy)
            continue;
        ++accepted;
        QVERIFY(recovery::checkPolicy(*policy).has_value());
        const Result<Policy> again = recovery::policyFrom(recovery::toJson(*policy));
        QVERIFY(again && *again == *policy);
        (void)recovery::decide(*policy, recovery::Failure{}, 1, core::fromMs(0), core::fromMs(0));
    }
    QVERIFY(accepted > 100); // spaces, names and numbers
}

void TestPolicyFile::aPolicyFromAWindowIsCheckedLikewise()
{
    Policy policy = policyOfTheExample();
    QVERIFY(recovery::checkPolicy(policy).has_value());
    policy.schedule.first = 10500ms; // a file cannot say it
    QVERIFY(recovery::checkPolicy(policy).error().message.startsWith(QStringLiteral("schedule.first: ")));
    policy = policyOfTheExample();
    policy.schedule.kind = Schedule::Kind::Exponential;
    policy.schedule.factor = std::nan("");
    QVERIFY(recovery::checkPolicy(policy).error().message.startsWith(QStringLiteral("schedule.factor: ")));
    policy = policyOfTheExample();
    policy.jitter = {Jitter::Kind::Percent, 0};
    QVERIFY(recovery::checkPolicy(policy).error().message.startsWith(QStringLiteral("jitter: ")));
}

REDRIVE_TEST(TestPolicyFile)
#include "tst_policyfile.moc"
