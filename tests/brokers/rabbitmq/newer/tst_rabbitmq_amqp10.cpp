// Messages of an AMQP 1.0 client on RabbitMQ 4, on their way through the whole engine: what of them arrives, what is said of the
// rest, and a message that RabbitMQ itself cannot show. With rhea, a client from npm.
#include "backend/api/requests/retryplan.h"
#include "tests/brokers/rabbitmq/newer/newerrabbit.h"
#include "tests/support/must.h"
#include "tests/support/nodeserver/nodeserver.h"
#include "tests/support/testmain/testmain.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

#include <algorithm>
#include <cstdlib>

using records::MessageFlag;
using records::MessageStatus;
using support::NewerRabbit;
using test::must;

namespace {

constexpr int timeoutMs = NewerRabbit::timeoutMs;
const QString errors = NewerRabbit::errors;
const QString orders = NewerRabbit::orders;
const QString exception = NewerRabbit::exception;

} // namespace

class TestRabbitMqAmqp10 final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup() { m_rabbit.close(); }
    void whatHttpShowsArrivesAndTheRestIsSaid_data();
    void whatHttpShowsArrivesAndTheRestIsSaid();
    void whatCannotGoBackIsLeftOut();
    void bodiesOfAmqp10AreNotEdited();
    void aMessageThatBreaksShovelsIsNamed_data();
    void aMessageThatBreaksShovelsIsNamed();

private:
    void send(const QStringList &names);
    [[nodiscard]] QMap<QString, QJsonObject> receive(const QString &queue, int count);
    [[nodiscard]] QByteArray run(const QStringList &arguments);
    void openConsole(bool doublesAllowed = true);
    [[nodiscard]] QMap<QString, records::MessageFlags> flags();
    [[nodiscard]] api::PlanPreview preview(const records::Plan &plan = {});

    NewerRabbit m_rabbit;
};

void TestRabbitMqAmqp10::initTestCase()
{
    if (support::nodeProgram().isEmpty() || !QDir(support::nodePackages() + QStringLiteral("/rhea")).exists())
        QSKIP("rhea is not installed: packaging/install-testservers.sh installs it");
    (void)m_rabbit.start(QVersionNumber(4), "AMQP 1.0 is part of RabbitMQ from 4.0 on");
}

void TestRabbitMqAmqp10::init()
{
    m_rabbit.makeHost();
    m_rabbit.makeQueues();
}

QByteArray TestRabbitMqAmqp10::run(const QStringList &arguments)
{
    QProcess client;
    client.start(support::nodeProgram(), QStringList{QStringLiteral(REDRIVE_AMQP10_CLIENT), support::nodePackages(),
                                                     m_rabbit.server().amqpUrl(m_rabbit.vhost())}
                                             + arguments);
    if (!client.waitForFinished(timeoutMs) || client.exitCode() != 0)
        qFatal("%s", client.readAllStandardError().constData());
    return client.readAllStandardOutput();
}

void TestRabbitMqAmqp10::send(const QStringList &names)
{
    (void)run(QStringList{errors, QStringLiteral("send")} + names);
}

// By the id that all of them have in a property of the application.
QMap<QString, QJsonObject> TestRabbitMqAmqp10::receive(const QString &queue, int count)
{
    const QByteArray lines = run({queue, QStringLiteral("receive"), QString::number(count)});
    QMap<QString, QJsonObject> found;
    for (const QByteArray &line : lines.split('\n')) {
        const QJsonObject one = QJsonDocument::fromJson(line).object();
        const QString id =
            one[QLatin1String("application_properties")][QLatin1String("NServiceBus.MessageId")].toString();
        if (!line.isEmpty())
            found.insert(id, one);
    }
    return found;
}

void TestRabbitMqAmqp10::openConsole(bool doublesAllowed)
{
    records::Connection connection = m_rabbit.connection();
    connection.doublesAllowed = doublesAllowed;
    connection.rights |= records::Right::Edit;
    m_rabbit.openConsole(connection);
}

QMap<QString, records::MessageFlags> TestRabbitMqAmqp10::flags()
{
    QMap<QString, records::MessageFlags> found;
    const QList<records::FailedMessage> messages = m_rabbit.console().messages(MessageStatus::Unresolved);
    for (const records::FailedMessage &one : messages)
        found.insert(one.messageId, one.flags);
    return found;
}

api::PlanPreview TestRabbitMqAmqp10::preview(const records::Plan &plan)
{
    const std::optional<api::GroupRow> group = m_rabbit.console().group(exception);
    const api::ConfirmRetry confirm = must(m_rabbit.console().plan(*group, plan));
    return must(m_rabbit.console().client().ask(api::PreviewRetry{confirm.draft}).result());
}

void TestRabbitMqAmqp10::whatHttpShowsArrivesAndTheRestIsSaid_data()
{
    QTest::addColumn<bool>("doublesAllowed");
    QTest::newRow("staging queue") << true;
    QTest::newRow("intent log") << false;
}

void TestRabbitMqAmqp10::whatHttpShowsArrivesAndTheRestIsSaid()
{
    QFETCH(bool, doublesAllowed);
    const QStringList names{QStringLiteral("data"),      QStringLiteral("value"),      QStringLiteral("sequence"),
                            QStringLiteral("annotated"), QStringLiteral("properties"), QStringLiteral("number"),
                            QStringLiteral("uuidid")};
    send(names);
    openConsole(doublesAllowed);
    must(m_rabbit.console().takeAll());
    const QMap<QString, records::MessageFlags> known = flags();
    QCOMPARE(known.size(), names.size());
    for (auto one = known.cbegin(); one != known.cend(); ++one) {
        const bool shows = QStringList{names.at(1), names.at(2), names.at(3)}.contains(one.key());
        QCOMPARE(one.value(), shows ? records::MessageFlags(MessageFlag::Amqp10) : records::MessageFlags());
    }
    const api::PlanPreview plan = preview();
    QCOMPARE(plan.frozenCount, names.size());
    QCOMPARE(plan.warnings.size(), 1);
    QVERIFY(plan.warnings.first().kind == api::PlanWarning::Kind::Amqp10);
    QCOMPARE(plan.warnings.first().count, 3);
    QVERIFY2(plan.guarantee.contains(QLatin1String("AMQP 1.0")), qPrintable(plan.guarantee));

    const core::Result<core::OperationId> id = m_rabbit.console().retryGroup(exception);
    QVERIFY2(id, test::why(id).constData());
    QTRY_VERIFY_WITH_TIMEOUT(m_rabbit.console().allCompleted(), timeoutMs);
    const QMap<QString, QJsonObject> got = receive(orders, int(names.size()));
    QCOMPARE(got.keys(), QStringList(known.keys()));
    const auto part = [&got](const QString &name, const char *field) {
        return got.value(name).value(QLatin1String(field));
    };
    QCOMPARE(part(names.at(0), "body")[QLatin1String("content")].toString(), QStringLiteral("bytes 7b2261223a317d"));
    QCOMPARE(part(names.at(1), "body").toObject(),
             (QJsonObject{{QStringLiteral("a"), 1}, {QStringLiteral("b"), QStringLiteral("x")}}));
    QCOMPARE(part(names.at(2), "body")[QLatin1String("content")].toArray(), (QJsonArray{1, QStringLiteral("two")}));
    QCOMPARE(part(names.at(3), "message_annotations")[QLatin1String("x-opt-shop")].toString(), QStringLiteral("north"));
    QCOMPARE(part(names.at(4), "priority").toInt(), 7);
    QCOMPARE(part(names.at(4), "group_id").toString(), QStringLiteral("g"));
    QVERIFY(part(names.at(4), "subject").isUndefined()); // as the guarantee says
    QVERIFY(part(names.at(4), "group_sequence").isUndefined());
    QCOMPARE(part(names.at(5), "message_id").toString(), QStringLiteral("77"));
    QCOMPARE(part(names.at(6), "message_id").toString(), QStringLiteral("bytes 00112233445566778899aabbccddeeff"));
}

void TestRabbitMqAmqp10::whatCannotGoBackIsLeftOut()
{
    send({QStringLiteral("longid"), QStringLiteral("binaryid"), QStringLiteral("nothing"), QStringLiteral("data")});
    openConsole();
    must(m_rabbit.console().takeAll());
    const api::PlanPreview plan = preview();
    QCOMPARE(plan.frozenCount, 1);
    QCOMPARE(plan.leftOut[records::LeftOut::NotFaithful], 3);
}

void TestRabbitMqAmqp10::bodiesOfAmqp10AreNotEdited()
{
    send({QStringLiteral("value"), QStringLiteral("data")});
    openConsole();
    must(m_rabbit.console().takeAll());
    records::Plan edit;
    edit.edit.steps = {{records::EditStep::Do::ReplaceText, QStringLiteral("a"), QStringLiteral("long name")}};
    const api::PlanPreview plan = preview(edit);
    QCOMPARE(plan.frozenCount, 1);
    QCOMPARE(plan.leftOut[records::LeftOut::EditMisfit], 1);
    QVERIFY2(plan.misfits.first().reason.contains(QLatin1String("AMQP 1.0")), qPrintable(plan.misfits.first().reason));
}

void TestRabbitMqAmqp10::aMessageThatBreaksShovelsIsNamed_data()
{
    QTest::addColumn<QString>("type");
    QTest::addColumn<QString>("kind");
    QTest::addColumn<int>("limit"); // 0: the default
    QTest::newRow("classic, uuid") << QStringLiteral("classic") << QStringLiteral("uuid") << 0;
    QTest::newRow("quorum, char") << QStringLiteral("quorum") << QStringLiteral("char") << 0;
    QTest::newRow("quorum without a limit, uuid") << QStringLiteral("quorum") << QStringLiteral("uuid") << -1;
}

// All before it is taken, at most once more than it is there and flagged then; those behind it follow when it is gone.
void TestRabbitMqAmqp10::aMessageThatBreaksShovelsIsNamed()
{
    QFETCH(QString, type);
    QFETCH(QString, kind);
    QFETCH(int, limit);
    m_rabbit.admin().removeQueue(errors);
    QCborMap arguments{{QStringLiteral("x-queue-type"), type}};
    if (limit != 0)
        arguments.insert(QStringLiteral("x-delivery-limit"), limit);
    m_rabbit.admin().makeQueue(errors, arguments);
    QStringList before;
    for (int i = 0; i < 30; ++i)
        before.append(QStringLiteral("data-%1").arg(i));
    send(before + QStringList{kind, QStringLiteral("data-behind")});
    openConsole();
    const core::Result<records::IntakeCounts> taken = m_rabbit.console().takeAll();
    QVERIFY(!taken);
    QVERIFY2(taken.error().kind == core::ErrorKind::Refused, qPrintable(taken.error().message));
    QVERIFY2(taken.error().message.contains(errors) && taken.error().message.contains(QLatin1String("AMQP 1.0")),
             qPrintable(taken.error().message));
    if (type == QLatin1String("classic")) {
        QCOMPARE(flags().size(), before.size());
        QCOMPARE(m_rabbit.admin().depth(errors), 2);
    } else { // what a broken shovel returns changes its place: the last one before it may be behind it now, or the one behind it before
        QVERIFY(std::abs(flags().size() - before.size()) <= 1);
        QVERIFY(flags().size() + m_rabbit.admin().depth(errors) >= before.size() + 2);
    }
    const qint64 stored = m_rabbit.console().count(MessageStatus::Unresolved);
    QVERIFY(!m_rabbit.console().takeAll()); // and no message comes again
    QCOMPARE(m_rabbit.console().count(MessageStatus::Unresolved), stored);

    if (type == QLatin1String("quorum")) // which of the two comes first is not told
        return;
    QCOMPARE(receive(errors, 1).keys(), QStringList(kind)); // as its consumer would take it out
    const auto follows = [this] {
        (void)m_rabbit.console().takeAll();
        return flags().contains(QStringLiteral("data-behind"));
    };
    QTRY_VERIFY_WITH_TIMEOUT(follows(), timeoutMs);
    QTRY_COMPARE_WITH_TIMEOUT(m_rabbit.admin().depth(errors), 0, timeoutMs);
}

REDRIVE_TEST(TestRabbitMqAmqp10)
#include "tst_rabbitmq_amqp10.moc"
