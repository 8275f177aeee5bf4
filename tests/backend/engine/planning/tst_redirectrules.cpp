#include "backend/broker/brokertraits.h"
#include "backend/engine/planning/planpreviewbuilder.h"
#include "backend/engine/planning/redirectrules.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::ErrorKind;
using records::Redirect;

namespace {

Redirect redirect(const char *from, const char *to)
{
    return {Redirect::Of::Queue, QString::fromLatin1(from), QString::fromLatin1(to)};
}

Redirect everything(const char *to)
{
    return {Redirect::Of::Everything, {}, QString::fromLatin1(to)};
}

Redirect unknown(const char *to)
{
    return {Redirect::Of::Unknown, {}, QString::fromLatin1(to)};
}

engine::PlanBasis basisOf(records::BrokerKind kind)
{
    engine::PlanBasis basis;
    basis.connection.name = QStringLiteral("shop");
    basis.connection.kind = kind;
    basis.connection.rights = records::defaultRights | records::Right::Redirect;
    basis.known = true;
    for (const char *name : {"Orders", "billing", "error", "redrive.a.1.b"}) {
        broker::QueueInfo queue;
        queue.name = QString::fromLatin1(name);
        queue.depth = 0;
        if (queue.name.startsWith(u"redrive."))
            queue.role = broker::QueueRole::Ours;
        basis.listing.queues << queue;
    }
    basis.failing = {QStringLiteral("error")};
    return basis;
}

QString goes(const QList<Redirect> &inForce, const char *destination,
             Qt::CaseSensitivity sensitivity = Qt::CaseSensitive)
{
    const QString queue = QString::fromLatin1(destination);
    const Redirect *found = records::redirectOf(inForce, queue, sensitivity);
    return found == nullptr ? queue : found->to;
}

} // namespace

class TestRedirectRules final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void thePlansOwnOutrankTheStandingOnesAndTheNarrowerTheWider()
    {
        const QList<Redirect> standing{redirect("a", "standing"), redirect("b", "standing")};
        const QList<Redirect> some =
            records::redirectsInForce({unknown("plan for unknown"), redirect("a", "plan")}, standing);
        QCOMPARE(goes(some, "a"), QStringLiteral("plan"));
        QCOMPARE(goes(some, "b"), QStringLiteral("standing"));
        QCOMPARE(goes(some, "c"), QStringLiteral("c"));
        QCOMPARE(goes(some, ""), QStringLiteral("plan for unknown"));
        QCOMPARE(goes(some, "standing"), QStringLiteral("standing"));

        const QList<Redirect> all =
            records::redirectsInForce({everything("plan for all"), redirect("a", "plan")}, standing);
        QCOMPARE(goes(all, "a"), QStringLiteral("plan"));
        QCOMPARE(goes(all, "b"), QStringLiteral("plan for all")); // it overrides the standing one
        QCOMPARE(goes(all, ""), QStringLiteral("plan for all"));
    }

    void whatOneGivesIsNotLookedUpAgain()
    {
        const QList<Redirect> chain =
            records::redirectsInForce({redirect("a", "b")}, {redirect("b", "c"), redirect("c", "a")});
        QCOMPARE(goes(chain, "a"), QStringLiteral("b"));
        QCOMPARE(goes(chain, "b"), QStringLiteral("c"));
    }

    void namesAreThoseOfTheBroker()
    {
        const QList<Redirect> rules{redirect("orders", "billing")};
        QCOMPARE(goes(rules, "Orders"), QStringLiteral("Orders"));
        QCOMPARE(goes(rules, "Orders", Qt::CaseInsensitive), QStringLiteral("billing"));
        QCOMPARE(goes(rules, "orders2", Qt::CaseInsensitive), QStringLiteral("orders2")); // exact: no pattern
        QVERIFY(!engine::checkRedirectTarget(basisOf(records::BrokerKind::RabbitMq), QStringLiteral("orders")));
        QVERIFY(engine::checkRedirectTarget(basisOf(records::BrokerKind::ServiceBus), QStringLiteral("orders")));
    }

    void aQueueThatWouldSendThemBackOrLoseThemIsRefused_data()
    {
        QTest::addColumn<QString>("to");
        QTest::addColumn<ErrorKind>("kind");
        QTest::addColumn<QString>("why");
        QTest::newRow("no name") << QString() << ErrorKind::Rejected << QStringLiteral("needs the name");
        QTest::newRow("too long") << QString(1001, u'x') << ErrorKind::Rejected << QStringLiteral("1001 characters");
        QTest::newRow("ours") << QStringLiteral("redrive.a.1.b") << ErrorKind::Rejected
                              << QStringLiteral("queue of Redrive");
        QTest::newRow("holds failed") << QStringLiteral("error") << ErrorKind::Rejected
                                      << QStringLiteral("straight back");
        QTest::newRow("not there") << QStringLiteral("gone") << ErrorKind::NotFound
                                   << QStringLiteral("no queue gone on shop");
    }

    void aQueueThatWouldSendThemBackOrLoseThemIsRefused()
    {
        QFETCH(const QString, to);
        QFETCH(const ErrorKind, kind);
        QFETCH(const QString, why);
        const core::Result<> done = engine::checkRedirectTarget(basisOf(records::BrokerKind::RabbitMq), to);
        QVERIFY(!done);
        QVERIFY(done.error().kind == kind);
        QVERIFY2(done.error().message.contains(why), qPrintable(done.error().message));
        QVERIFY(!done.error().message.contains(u'\n'));
    }

    void whatTheBrokerDoesNotTellIsNotRefused()
    {
        engine::PlanBasis basis = basisOf(records::BrokerKind::RabbitMq);
        QCOMPARE(engine::targetNotKnown(basis), QString());
        basis.known = false;
        basis.trouble = QStringLiteral("connection refused");
        QVERIFY(engine::checkRedirectTarget(basis, QStringLiteral("gone")));
        QVERIFY(engine::targetNotKnown(basis).contains(u"connection refused"));
        QVERIFY(!engine::checkRedirectTarget(basis, QStringLiteral("error"))); // known without the broker
        basis.known = true;
        basis.listing.complete = false; // a key that may not list them
        QVERIFY(engine::checkRedirectTarget(basis, QStringLiteral("gone")));
        QVERIFY(engine::targetNotKnown(basis).contains(u"does not list"));
    }

    void whatIsOfferedAreQueuesOfServices()
    {
        QCOMPARE(engine::redirectTargets(basisOf(records::BrokerKind::RabbitMq)),
                 (QStringList{QStringLiteral("billing"), QStringLiteral("Orders")}));
    }

    // Otherwise a plan would leave messages out for a queue that it calls a good destination.
    void aQueueThatExistsTakesMessagesOrSaysWhyNot_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("of Redrive") << QStringLiteral("redrive.a.1.b");
        QTest::newRow("dead letters") << QStringLiteral("Orders/$DeadLetterQueue");
    }

    void aQueueThatExistsTakesMessagesOrSaysWhyNot()
    {
        QFETCH(const QString, name);
        engine::PlanBasis basis = basisOf(records::BrokerKind::ServiceBus);
        broker::QueueInfo dead;
        dead.name = QStringLiteral("Orders/$DeadLetterQueue");
        dead.role = broker::QueueRole::DeadLetter;
        basis.listing.queues << dead;
        for (const broker::QueueInfo &queue : std::as_const(basis.listing.queues))
            QCOMPARE(engine::existingQueues(basis)->contains(queue.name), engine::cannotSendTo(basis, queue).isEmpty());
        store::FreezeTally evaluated;
        records::FrozenShare share;
        share.destination = {name, records::Certainty::Exact, QStringLiteral("test")};
        share.count = 3;
        evaluated.missing << share;
        const api::PlanPreview shown = engine::previewOf(basis, {}, evaluated, {}, {});
        QCOMPARE(shown.missingDestinations.size(), 1);
        QCOMPARE(shown.missingDestinations.first().exists, std::optional(true));
        QVERIFY(shown.missingDestinations.first().cannotSend.contains(name));
    }

    // A subscription gets messages only from its topic.
    void nothingIsRedirectedToASubscription()
    {
        for (const records::BrokerKind kind : {records::BrokerKind::ServiceBus, records::BrokerKind::RabbitMq}) {
            const bool possible = kind != records::BrokerKind::ServiceBus;
            engine::PlanBasis basis = basisOf(kind);
            for (const char *name : {"Topic/subscriptions/one", "Topic/Subscriptions/one/two"}) {
                broker::QueueInfo queue;
                queue.name = QString::fromLatin1(name);
                basis.listing.queues << queue;
            }
            QCOMPARE(engine::checkRedirectTarget(basis, QStringLiteral("Topic/subscriptions/one")).has_value(),
                     possible);
            QVERIFY(engine::checkRedirectTarget(basis, QStringLiteral("Topic/Subscriptions/one/two")));
            QCOMPARE(engine::redirectTargets(basis).contains(QStringLiteral("Topic/subscriptions/one")), possible);
        }
        for (const char *dead : {"Topic/Subscriptions/one/$DeadLetterQueue", "orders/$deadletterqueue"})
            QVERIFY(!broker::acceptsMessages(records::BrokerKind::ServiceBus, QString::fromLatin1(dead)));
    }

    void standingOnesMustFitTogether_data()
    {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<bool>("ignoreCase");
        QTest::addColumn<QString>("why"); // empty: it fits
        QTest::newRow("another") << "c"
                                 << "d" << false << "";
        QTest::newRow("to the same queue") << "c"
                                           << "b" << false << "";
        QTest::newRow("to itself") << "c"
                                   << "c" << false << "to itself";
        QTest::newRow("to itself in other letters") << "c"
                                                    << "C" << true << "to itself";
        QTest::newRow("other letters are another queue") << "c"
                                                         << "C" << false << "";
        QTest::newRow("the same once more") << "a"
                                            << "b" << false << "a is already redirected to b";
        QTest::newRow("elsewhere") << "a"
                                   << "d" << false << "a is already redirected to b";
        QTest::newRow("elsewhere in other letters") << "A"
                                                    << "d" << true << "a is already redirected to b";
        QTest::newRow("into another") << "c"
                                      << "a" << false << "Redirect c to b";
        QTest::newRow("on from another") << "b"
                                         << "d" << false << "a is already redirected to b";
        QTest::newRow("back") << "b"
                              << "a" << false << "a is itself redirected to b";
        QTest::newRow("from nowhere") << ""
                                      << "a" << false << "needs the name";
    }

    void standingOnesMustFitTogether()
    {
        QFETCH(const QString, from);
        QFETCH(const QString, to);
        QFETCH(const bool, ignoreCase);
        QFETCH(const QString, why);
        const core::Result<> done = engine::checkStanding({redirect("a", "b")}, {Redirect::Of::Queue, from, to},
                                                          ignoreCase ? Qt::CaseInsensitive : Qt::CaseSensitive);
        QCOMPARE(done.has_value(), why.isEmpty());
        if (!done)
            QVERIFY2(done.error().message.contains(why), qPrintable(done.error().message));
    }

    void thereAreNotEndlesslyMany()
    {
        QList<Redirect> many;
        for (int n = 0; n < records::mostRedirects; ++n)
            many << Redirect{Redirect::Of::Queue, QString::number(n), QStringLiteral("z")};
        const core::Result<> done = engine::checkStanding(many, redirect("x", "z"), Qt::CaseSensitive);
        QVERIFY(done.error().message.contains(u"at most 200 redirects"));
    }

    void aPlanNeedsQueuesThatFit()
    {
        engine::PlanBasis basis = basisOf(records::BrokerKind::RabbitMq);
        const auto check = [&basis](const QList<Redirect> &redirects) {
            const core::Result<> done = engine::checkPlanRedirects(basis, redirects);
            return done ? QString() : done.error().message;
        };
        QCOMPARE(check({redirect("a", "billing"), unknown("Orders"), everything("billing")}), QString());
        QCOMPARE(check({redirect("gone", "gone")}), QString()); // cancels a standing redirect
        QVERIFY(check({redirect("a", "gone")}).contains(u"no queue gone"));
        QVERIFY(check({everything("error")}).contains(u"straight back"));
        QVERIFY(check({unknown("")}).contains(u"needs the name"));
        QVERIFY(check({redirect("", "billing")}).contains(u"needs the name"));
        QVERIFY(check({redirect("a", "billing"), redirect("a", "Orders")}).contains(u"for a to more than one"));
        QVERIFY(check({everything("billing"), everything("Orders")}).contains(u"more than one"));
        QCOMPARE(check({}), QString());
    }

    void theSentenceSaysThemAll()
    {
        QCOMPARE(engine::redirectsPart({}), QString());
        QCOMPARE(engine::redirectsPart({everything("b")}), QStringLiteral(", all sent to “b”"));
        QCOMPARE(engine::redirectsPart({redirect("a", "b"), unknown("c"), everything("d")}),
                 QStringLiteral(", those for “a” sent to “b”, those without a known destination sent to “c”, "
                                "all others sent to “d”"));
        QList<Redirect> many;
        for (int n = 0; n < 7; ++n)
            many << redirect("a\n", "b");
        const QString sentence = engine::redirectsPart(many);
        QVERIFY(sentence.endsWith(u", and 2 more"));
        QVERIFY(!sentence.contains(u'\n'));
    }
};

REDRIVE_TEST(TestRedirectRules)
#include "tst_redirectrules.moc"
