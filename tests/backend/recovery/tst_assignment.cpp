// Which policy is for which message: the most specific assignment wins.
#include "backend/recovery/assignment.h"
#include "backend/recovery/files/rulefile.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using recovery::Assignment;
using recovery::Assignments;
using recovery::Rule;
using recovery::Scope;
using recovery::Subject;

namespace {

const core::ConnectionId shop{1};
const core::ConnectionId other{2};

Subject subject()
{
    Subject one;
    one.connection = shop;
    one.groups = {core::GroupId{10}, core::GroupId{11}, core::GroupId{12}, core::GroupId{13}, core::GroupId{14}};
    one.facts = {.queue = QStringLiteral("shop-errors"),
                 .destination = QStringLiteral("billing"),
                 .exception = QStringLiteral("System.TimeoutException"),
                 .message = QStringLiteral("The server did not answer in 30 s."),
                 .messageType = QStringLiteral("Shop.Order"),
                 .endpoint = QStringLiteral("Billing")};
    one.failedIn = 1;
    return one;
}

Assignment toQueue(qint64 id, const QString &queue, core::ConnectionId connection = shop)
{
    Scope scope;
    scope.connection = connection;
    scope.queue = queue;
    return {core::AssignmentId{id}, QStringLiteral("p"), scope};
}

Assignment toGroup(qint64 id, qint64 group)
{
    Scope scope;
    scope.of = Scope::Of::Group;
    scope.connection = shop;
    scope.group = core::GroupId{group};
    return {core::AssignmentId{id}, QStringLiteral("p"), scope};
}

Assignment toRule(qint64 id, const Rule &rule, core::ConnectionId connection = {})
{
    Scope scope;
    scope.of = Scope::Of::Rule;
    scope.connection = connection;
    scope.rule = rule;
    return {core::AssignmentId{id}, QStringLiteral("p"), scope};
}

qint64 winner(const QList<Assignment> &all)
{
    const Assignments assignments(all);
    const Assignment *const found = assignments.of(subject());
    return found == nullptr ? 0 : found->id.value;
}

Rule exception(const char *glob)
{
    Rule rule;
    rule.exception = QString::fromLatin1(glob);
    return rule;
}

} // namespace

class TestAssignment final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theMoreSpecificWins()
    {
        Rule two = exception("*Timeout*");
        two.endpoint = QStringLiteral("Billing");
        const QList<Assignment> all{toQueue(1, QStringLiteral("shop-errors")), toRule(2, exception("*")),
                                    toRule(3, two), toGroup(4, 13), // by endpoint
                                    toGroup(5, 10)}; // by exception and stack
        QCOMPARE(winner(all), 5);
        QCOMPARE(winner(all.mid(0, 4)), 4);
        QCOMPARE(winner(all.mid(0, 3)), 3);
        QCOMPARE(winner(all.mid(0, 2)), 2);
        QCOMPARE(winner(all.mid(0, 1)), 1);
    }

    void ofEqualOnesTheOlderWins()
    {
        QCOMPARE(winner({toRule(7, exception("*Timeout*")), toRule(3, exception("System.*"))}), 3);
    }

    void whatDoesNotMatchHasNoPolicy()
    {
        QCOMPARE(winner({}), 0);
        QCOMPARE(winner({toQueue(1, QStringLiteral("shop"))}), 0);
        QCOMPARE(winner({toQueue(1, QStringLiteral("shop-errors"), other)}), 0);
        QCOMPARE(winner({toGroup(1, 99)}), 0);
        QCOMPARE(winner({toRule(1, exception("*Json*"))}), 0);
        QCOMPARE(winner({toRule(1, exception("*"), other)}), 0);
        Rule both = exception("*Timeout*");
        both.messageType = QStringLiteral("Shop.Invoice");
        QCOMPARE(winner({toRule(1, both)}), 0);
    }

    void everyFieldOfARuleCounts()
    {
        for (QString Rule::*const field : {&Rule::queue, &Rule::destination, &Rule::exception, &Rule::message,
                                           &Rule::messageType, &Rule::endpoint}) {
            Rule rule;
            rule.*field = subject().facts.*field;
            QCOMPARE(winner({toRule(1, rule)}), 1);
            (rule.*field).prepend(QLatin1Char('x'));
            QCOMPARE(winner({toRule(1, rule)}), 0);
        }
    }

    void aRuleFileIsReadAndWritten()
    {
        const auto read =
            recovery::ruleFrom(R"({"connection": "shop", "exception": "*Timeout*", "message_type": "Shop.*"})");
        QVERIFY(read.has_value());
        QCOMPARE(read->connection, QStringLiteral("shop"));
        QCOMPARE(read->rule.exception, QStringLiteral("*Timeout*"));
        QCOMPARE(read->rule.messageType, QStringLiteral("Shop.*"));
        const auto again = recovery::ruleFrom(recovery::toJson(read->rule, read->connection));
        QVERIFY(again.has_value());
        QCOMPARE(again->rule, read->rule);
    }

    void aWrongRuleFileNamesItsField_data()
    {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QString>("named");
        QTest::newRow("nothing") << QByteArray("{}") << QStringLiteral("pattern");
        QTest::newRow("only a connection") << QByteArray(R"({"connection": "shop"})") << QStringLiteral("pattern");
        QTest::newRow("unknown field") << QByteArray(R"({"exeption": "*"})") << QStringLiteral("exception");
        QTest::newRow("not a text") << QByteArray(R"({"queue": 3})") << QStringLiteral("queue");
        QTest::newRow("empty") << QByteArray(R"({"queue": ""})") << QStringLiteral("queue");
        QTest::newRow("no JSON") << QByteArray("{") << QStringLiteral("line 1");
        QTest::newRow("too long") << QByteArray("{\"queue\": \"") + QByteArray(1000, 'x') + QByteArray("\"}")
                                  << QStringLiteral("queue");
    }

    void aWrongRuleFileNamesItsField()
    {
        QFETCH(const QByteArray, file);
        QFETCH(const QString, named);
        const auto read = recovery::ruleFrom(file);
        QVERIFY(!read.has_value());
        QVERIFY(read.error().kind == core::ErrorKind::Rejected);
        QVERIFY2(read.error().message.contains(named), qPrintable(read.error().message));
    }
};

REDRIVE_TEST(TestAssignment)
#include "tst_assignment.moc"
