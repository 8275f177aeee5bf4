#include "backend/recovery/classification.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using recovery::Classifier;
using recovery::ClassRule;
using recovery::Failure;
using recovery::FailureClass;
using recovery::Policy;
using By = ClassRule::By;
using enum FailureClass;

class TestClassification final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void builtInRules_data();
    void builtInRules();
    void builtInRulesOfNServiceBus_data();
    void builtInRulesOfNServiceBus();
    void knownSubtypesNeedNoTable_data();
    void knownSubtypesNeedNoTable();
    void theFirstRuleDecidesAboutKnownSubtypes();
    void theRulesOfTheExample_data();
    void theRulesOfTheExample();
    void theFirstRuleDecides();
    void theRulesOfAPolicyComeFirst();
    void subtypesAreIncluded_data();
    void subtypesAreIncluded();
    void aGlobIncludesTheSubtypesOfItsTypes();
    void aCycleOfSubtypesEnds();
    void aDeepTableOfSubtypesEnds();
    void aRuleMatchesOnlyWhatIsThere();
    void aLongMessageIsComparedAtItsEnds();
};

namespace {

ClassRule rule(By by, const char *pattern, FailureClass as)
{
    return {.by = by, .pattern = QString::fromLatin1(pattern), .httpStatus = 0, .as = as};
}

ClassRule statusRule(int status, FailureClass as)
{
    return {.by = By::HttpStatus, .pattern = {}, .httpStatus = status, .as = as};
}

Failure exception(const QString &type, const QString &message = {})
{
    Failure failure;
    failure.exceptionType = type;
    failure.message = message;
    return failure;
}

Failure status(int number)
{
    Failure failure;
    failure.httpStatus = number;
    return failure;
}

Failure deadLetter(const char *reason)
{
    Failure failure;
    failure.deadLetterReason = QString::fromLatin1(reason);
    return failure;
}

FailureClass classOf(const QList<ClassRule> &rules, const Failure &failure)
{
    Policy policy;
    policy.rules = rules;
    return Classifier(policy).classOf(failure);
}

// Types of one's own beside the known ones.
Policy withSubtypes()
{
    Policy policy;
    policy.rules = {rule(By::Exception, "System.ArgumentException", Permanent)};
    policy.subtypes = {{QStringLiteral("System.ArgumentException"), {QStringLiteral("Shop.PriceException")}},
                       {QStringLiteral("Shop.PriceException"), {QStringLiteral("Shop.NegativePriceException")}}};
    return policy;
}

} // namespace

void TestClassification::builtInRules_data()
{
    QTest::addColumn<Failure>("failure");
    QTest::addColumn<FailureClass>("as");
    const auto type = [](const char *name, FailureClass as) {
        QTest::newRow(name) << exception(QString::fromLatin1(name)) << as;
    };
    type("NServiceBus.MessageDeserializationException", Permanent); // 003
    type("System.ComponentModel.DataAnnotations.ValidationException", Permanent); // 003
    type("FluentValidation.ValidationException", Permanent);
    type("ValidationException", Permanent);
    type("System.Text.Json.JsonException", Permanent); // 002
    type("Newtonsoft.Json.JsonReaderException", Permanent);
    type("Newtonsoft.Json.JsonSerializationException", Permanent);
    type("json.decoder.JSONDecodeError", Permanent);
    type("Symfony\\Component\\Messenger\\Exception\\MessageDecodingFailedException", Permanent);
    type("Microsoft.EntityFrameworkCore.DbUpdateConcurrencyException", Transient);
    type("jakarta.persistence.OptimisticLockException", Transient);
    type("System.InvalidOperationException", Transient); // NServiceBus retries what is not unrecoverable
    type("System.ArgumentException", Transient); // unrecoverable only where a policy says so
    type("", Transient);
    QTest::newRow("InvalidJson: 002") << deadLetter("InvalidJson") << Permanent;
    QTest::newRow("another reason") << deadLetter("MaxDeliveryCountExceeded") << Transient;
    QTest::newRow("precondition failed: 004") << status(412) << Transient;
    QTest::newRow("another status") << status(500) << Transient;
}

void TestClassification::builtInRules()
{
    QFETCH(const Failure, failure);
    QFETCH(const FailureClass, as);
    QCOMPARE(classOf({}, failure), as);
}

void TestClassification::builtInRulesOfNServiceBus_data()
{
    QTest::addColumn<QString>("type");
    QTest::addColumn<FailureClass>("as");
    QTest::newRow("its only one") << "NServiceBus.MessageDeserializationException" << Permanent;
    for (const char *other : {"System.Text.Json.JsonException", "System.Runtime.Serialization.SerializationException",
                              "FluentValidation.ValidationException", "System.ArgumentNullException"})
        QTest::newRow(other) << QString::fromLatin1(other) << Transient;
}

// "According to the default policy, only exceptions of type MessageDeserializationException are considered unrecoverable."
void TestClassification::builtInRulesOfNServiceBus()
{
    QFETCH(const QString, type);
    QFETCH(const FailureClass, as);
    Policy policy;
    policy.builtIn = recovery::BuiltInRules::NServiceBus;
    QCOMPARE(Classifier(policy).classOf(exception(type)), as);
}

// The example of NServiceBus: ValidationException and ArgumentException are declared, ArgumentNullException is thrown.
void TestClassification::knownSubtypesNeedNoTable_data()
{
    QTest::addColumn<QString>("base");
    QTest::addColumn<QString>("type");
    QTest::addColumn<bool>("derives");
    const auto row = [](const char *base, const char *type, bool derives = true) {
        QTest::addRow("%s, %s", base, type) << QString::fromLatin1(base) << QString::fromLatin1(type) << derives;
    };
    row("System.ArgumentException", "System.ArgumentNullException");
    row("System.IO.IOException", "System.IO.FileNotFoundException");
    row("System.SystemException", "System.IO.FileNotFoundException"); // indirect
    row("System.Exception", "Npgsql.PostgresException");
    row("System.Data.Common.DbException", "Microsoft.Data.SqlClient.SqlException");
    row("System.OperationCanceledException", "System.Threading.Tasks.TaskCanceledException");
    row("Microsoft.EntityFrameworkCore.DbUpdateException",
        "Microsoft.EntityFrameworkCore.DbUpdateConcurrencyException");
    row("java.io.IOException", "java.net.ConnectException");
    row("java.sql.SQLException", "java.sql.SQLTimeoutException");
    row("java.lang.RuntimeException", "org.springframework.dao.DuplicateKeyException");
    row("org.springframework.dao.TransientDataAccessException",
        "org.springframework.dao.OptimisticLockingFailureException");
    row("com.fasterxml.jackson.core.JsonProcessingException",
        "com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException");
    row("*.JsonProcessingException", "com.fasterxml.jackson.databind.exc.InvalidFormatException"); // as a glob
    row("System.ServiceModel.CommunicationException",
        "System.ServiceModel.FaultException`1[[Shop.Fault, Shop, Version=1.0.0.0]]"); // a generic type
    row("System.ServiceModel.FaultException", "System.ServiceModel.FaultException`1[Shop.Fault]");
    row("System.ServiceModel.FaultException`1[Shop.Fault]", "System.ServiceModel.FaultException`1[Shop.Fault]");
    row("*.FaultException", "System.ServiceModel.FaultException`1[Shop.Fault]");
    row("System.ServiceModel.FaultException", "System.ServiceModel.FaultException`1+Inner[Shop.Fault]", false);
    row("System.ServiceModel.FaultException", "System.ServiceModel.FaultException+Inner", false); // needs `subtypes`
    row("System.ArgumentNullException", "System.ArgumentException", false);
    row("System.TimeoutException", "java.util.concurrent.TimeoutException", false);
    row("java.io.IOException", "java.lang.IllegalStateException", false);
}

void TestClassification::knownSubtypesNeedNoTable()
{
    QFETCH(const QString, base);
    QFETCH(const QString, type);
    QFETCH(const bool, derives);
    QCOMPARE(classOf({rule(By::Exception, qPrintable(base), Permanent)}, exception(type)),
             derives ? Permanent : Transient);
}

// The first rule decides also where a later one names the type itself.
void TestClassification::theFirstRuleDecidesAboutKnownSubtypes()
{
    const Failure null = exception(QStringLiteral("System.ArgumentNullException"));
    const ClassRule base = rule(By::Exception, "System.ArgumentException", Permanent);
    const ClassRule own = rule(By::Exception, "System.ArgumentNullException", Delayed);
    QCOMPARE(classOf({base, own}, null), Permanent);
    QCOMPARE(classOf({own, base}, null), Delayed);
}

void TestClassification::theRulesOfTheExample_data()
{
    QTest::addColumn<Failure>("failure");
    QTest::addColumn<FailureClass>("as");
    QTest::newRow("exact type") << exception(QStringLiteral("Newtonsoft.Json.JsonException")) << Permanent;
    QTest::newRow("glob") << exception(QStringLiteral("System.Data.TimeoutException")) << Delayed;
    QTest::newRow("glob in another case") << exception(QStringLiteral("System.timeoutexception")) << Transient;
    QTest::newRow("dead-letter reason") << deadLetter("TTLExpiredException") << Permanent;
    QTest::newRow("status") << status(429) << Delayed;
    QTest::newRow("message") << exception(QStringLiteral("A.B"), QStringLiteral("an optimistic lock")) << Transient;
    QTest::newRow("type before message") << exception(QStringLiteral("A.TimeoutException"),
                                                      QStringLiteral("an optimistic lock"))
                                         << Delayed;
    QTest::newRow("nothing matches") << exception(QStringLiteral("A.B")) << Transient;
}

void TestClassification::theRulesOfTheExample()
{
    QFETCH(const Failure, failure);
    QFETCH(const FailureClass, as);
    const QList<ClassRule> rules{rule(By::Exception, "Newtonsoft.Json.JsonException", Permanent),
                                 rule(By::Exception, "*Timeout*", Delayed),
                                 rule(By::DeadLetterReason, "TTLExpiredException", Permanent), statusRule(429, Delayed),
                                 rule(By::Message, "*optimistic*", Transient)};
    QCOMPARE(classOf(rules, failure), as);
}

// Whatever the two rules look at.
void TestClassification::theFirstRuleDecides()
{
    Failure failure = exception(QStringLiteral("A.B"), QStringLiteral("words"));
    failure.httpStatus = 503;
    failure.deadLetterReason = QStringLiteral("reason");
    const QList<ClassRule> all{rule(By::Exception, "A.B", Delayed), rule(By::Exception, "A.*", Delayed),
                               rule(By::Message, "w*", Delayed), statusRule(503, Delayed),
                               rule(By::DeadLetterReason, "reason", Delayed)};
    for (const ClassRule &first : all) {
        for (ClassRule second : all) {
            second.as = Permanent;
            QCOMPARE(classOf({first, second}, failure), Delayed);
            QCOMPARE(classOf({second, first}, failure), Permanent);
        }
    }
}

void TestClassification::theRulesOfAPolicyComeFirst()
{
    const Failure invalid = exception(QStringLiteral("Shop.ValidationException"));
    QCOMPARE(classOf({rule(By::Exception, "Shop.ValidationException", Delayed)}, invalid), Delayed);
    QCOMPARE(classOf({rule(By::Exception, "*", Delayed)}, invalid), Delayed);
    QCOMPARE(classOf({statusRule(412, Permanent)}, status(412)), Permanent);
}

void TestClassification::subtypesAreIncluded_data()
{
    QTest::addColumn<QString>("type");
    QTest::addColumn<FailureClass>("as");
    QTest::newRow("the type") << "System.ArgumentException" << Permanent;
    QTest::newRow("a subtype") << "System.ArgumentNullException" << Permanent;
    QTest::newRow("a subtype of the policy") << "Shop.PriceException" << Permanent;
    QTest::newRow("an indirect subtype") << "Shop.NegativePriceException" << Permanent;
    QTest::newRow("a base type") << "System.Exception" << Transient;
    QTest::newRow("a name that begins alike") << "System.ArgumentException2" << Transient;
}

void TestClassification::subtypesAreIncluded()
{
    QFETCH(const QString, type);
    QFETCH(const FailureClass, as);
    QCOMPARE(Classifier(withSubtypes()).classOf(exception(type)), as);
}

void TestClassification::aGlobIncludesTheSubtypesOfItsTypes()
{
    Policy policy = withSubtypes();
    policy.rules = {rule(By::Exception, "System.Arg*", Delayed)};
    QCOMPARE(Classifier(policy).classOf(exception(QStringLiteral("Shop.NegativePriceException"))), Delayed);
    policy.rules.prepend(rule(By::Exception, "Shop.NegativePriceException", Permanent));
    QCOMPARE(Classifier(policy).classOf(exception(QStringLiteral("Shop.NegativePriceException"))), Permanent);
    QCOMPARE(Classifier(policy).classOf(exception(QStringLiteral("Shop.PriceException"))), Delayed);
}

void TestClassification::aCycleOfSubtypesEnds()
{
    Policy policy;
    policy.rules = {rule(By::Exception, "A", Permanent)};
    policy.subtypes = {{QStringLiteral("A"), {QStringLiteral("B"), QStringLiteral("A")}},
                       {QStringLiteral("B"), {QStringLiteral("C")}},
                       {QStringLiteral("C"), {QStringLiteral("A")}}};
    const Classifier classifier(policy);
    QCOMPARE(classifier.classOf(exception(QStringLiteral("C"))), Permanent);
    QCOMPARE(classifier.classOf(exception(QStringLiteral("D"))), Transient);
}

void TestClassification::aDeepTableOfSubtypesEnds()
{
    constexpr int depth = 100000;
    Policy policy;
    policy.rules = {rule(By::Exception, "T0", Permanent)};
    for (int i = 0; i < depth; ++i)
        policy.subtypes.insert(QStringLiteral("T%1").arg(i), {QStringLiteral("T%1").arg(i + 1)});
    QCOMPARE(Classifier(policy).classOf(exception(QStringLiteral("T%1").arg(depth))), Permanent);
}

void TestClassification::aRuleMatchesOnlyWhatIsThere()
{
    for (const By by : {By::Exception, By::Message, By::DeadLetterReason})
        QCOMPARE(classOf({rule(by, "*", Permanent)}, status(500)), Transient);
}

void TestClassification::aLongMessageIsComparedAtItsEnds()
{
    const QString middle(10'000'000, u'x');
    const Failure failure = exception({}, QStringLiteral("begin") + middle + QStringLiteral("end"));
    QCOMPARE(classOf({rule(By::Message, "begin*end", Permanent)}, failure), Permanent);
    QCOMPARE(classOf({rule(By::Message, "*begin", Permanent)}, failure), Transient);
}

REDRIVE_TEST(TestClassification)
#include "tst_classification.moc"
