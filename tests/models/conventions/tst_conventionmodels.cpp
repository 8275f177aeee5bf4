// What a person says about a message becomes a convention, line by line.
#include "backend/records/conventions/conventionfile.h"
#include "models/conventions/conventionlines.h"
#include "models/conventions/conventionstart.h"
#include "models/conventions/messageplaces.h"
#include "models/conventions/placeuse.h"
#include "tests/support/fakeclient/fakeclient.h"
#include "tests/support/testmain/testmain.h"

#include <QCborArray>
#include <QCborMap>
#include <QTest>

using models::PlaceUse;
using records::Convention;
using records::MessagePlace;

namespace {

const MessagePlace header{MessagePlace::In::Header, QStringLiteral("x"), {}};

QStringList placesOf(const models::MessagePlaces &places)
{
    QStringList texts;
    for (const models::PlaceRow &row : places.rows())
        texts.append(models::textOf(row.place));
    return texts;
}

} // namespace

class TestConventionModels final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyFieldOfAMessageIsAPlace()
    {
        records::Envelope envelope;
        envelope.headers = {{QStringLiteral("map"), QCborMap{{QStringLiteral("a/b"), QCborArray{1, QCborMap()}}}},
                            {QStringLiteral("json"), QStringLiteral("{\"c\":{\"d\":null}}")},
                            {QStringLiteral("text"), QStringLiteral("{no json")}};
        envelope.properties = {{QStringLiteral("reply_to"), QStringLiteral("q")}};
        envelope.body = "[{\"e\":1}]";
        models::MessagePlaces places;
        places.show(envelope);
        QCOMPARE(placesOf(places), (QStringList{QStringLiteral("Header map"), QStringLiteral("Header map /a~1b"),
                                                QStringLiteral("Header map /a~1b/0"),
                                                QStringLiteral("Header map /a~1b/1"), QStringLiteral("Header json"),
                                                QStringLiteral("Header json /c"), QStringLiteral("Header json /c/d"),
                                                QStringLiteral("Header text"), QStringLiteral("Body /0"),
                                                QStringLiteral("Body /0/e"), QStringLiteral("Property reply_to")}));
        QVERIFY(places.hasFields({MessagePlace::In::Header, QStringLiteral("map"), {}}));
        QVERIFY(!places.hasFields({MessagePlace::In::Header, QStringLiteral("text"), {}}));
        places.setFilter(QStringLiteral("json /c/"));
        QCOMPARE(placesOf(places), QStringList{QStringLiteral("Header json /c/d")});
    }

    void aWideMessageHasAnEnd()
    {
        records::Envelope envelope;
        QByteArray wide = "{\"a\":[";
        for (int i = 0; i < 20'000; ++i)
            wide += "{\"b\":1},";
        envelope.body = wide.chopped(1) + "]}";
        models::MessagePlaces places;
        places.show(envelope);
        QVERIFY(places.rows().size() <= 2000);
    }

    void whatIsSaidIsAddedOnce()
    {
        Convention convention;
        convention.name = QStringLiteral("a");
        convention.returnTo = QStringLiteral("orders");
        for (int repeat = 0; repeat < 2; ++repeat) {
            for (int use = 0; use < models::placeUseCount; ++use)
                models::say(convention, PlaceUse(use), header);
        }
        QCOMPARE(convention.reads.size(), 6);
        QCOMPARE(convention.beforeRetry.size(), 3);
        QVERIFY(convention.returnTo.isEmpty()); // the place says it now
        QVERIFY(records::checkConvention(convention));
        const MessagePlace newer{MessagePlace::In::Body, {}, QStringLiteral("/a")};
        models::say(convention, PlaceUse::CauseType, newer);
        QCOMPARE(convention.reads.at(0).from, (QList<MessagePlace>{newer, header}));
    }

    void whatCannotBeSaidIsRefused()
    {
        const MessagePlace stamp{MessagePlace::In::Header, QStringLiteral("redrive-stamp"), {}};
        QVERIFY(!models::refusalOf(PlaceUse::Remove, stamp).isEmpty());
        QVERIFY(models::refusalOf(PlaceUse::CauseType, stamp).isEmpty());
        const MessagePlace inside{MessagePlace::In::Header, QStringLiteral("x"), QStringLiteral("/a")};
        QVERIFY(!models::refusalOf(PlaceUse::EmptyIsMissing, inside).isEmpty());
        QVERIFY(models::refusalOf(PlaceUse::SetToZero, inside).isEmpty());
    }

    void everyLineCanBeRemoved()
    {
        Convention convention;
        convention.name = QStringLiteral("a");
        convention.isFor.connection = QStringLiteral("shop");
        convention.isFor.queues = {QStringLiteral("q"), QStringLiteral("r")};
        convention.isFor.dialects = {QStringLiteral("unknown")};
        convention.isFor.headers = {{QStringLiteral("x"), QStringLiteral("*")}};
        convention.isFor.group = Convention::For::Group{records::Classifier::MessageType, QStringLiteral("t")};
        convention.returnTo = QStringLiteral("orders");
        models::say(convention, PlaceUse::CauseType, header);
        models::say(convention, PlaceUse::CauseType, {MessagePlace::In::Body, {}, QStringLiteral("/a")});
        models::say(convention, PlaceUse::Remove, header);
        models::ConventionLines lines;
        lines.show(convention);
        QCOMPARE(lines.rows().size(), 10);
        for (int row = 9; row >= 0; --row) {
            const Convention fewer = lines.without(row);
            QVERIFY(records::checkConvention(fewer));
            models::ConventionLines again;
            again.show(fewer);
            QCOMPARE(again.rows().size(), 9);
            if (const std::optional<QString> value = lines.editable(row)) {
                again.show(lines.with(row, QStringLiteral("new")));
                QCOMPARE(again.editable(row), std::optional(QStringLiteral("new")));
            }
        }
    }

    void aConventionBeginsWithItsMessages()
    {
        support::FakeClient client;
        models::ConsoleSession session(client);
        api::ConnectionView view;
        view.connection.id = core::ConnectionId(3);
        view.connection.name = QStringLiteral("Production");
        client.snapshot.connections = {view};
        client.publish();
        records::FailedMessage message;
        message.connection = core::ConnectionId(3);
        message.queue = QStringLiteral("orders/$DeadLetterQueue");
        const Convention made = models::conventionFor(message, session, {QStringLiteral("ordersDeadLetterQueue")});
        QVERIFY(records::checkConvention(made));
        QCOMPARE(made.name, QStringLiteral("ordersDeadLetterQueue 2"));
        QCOMPARE(made.isFor.connection, QStringLiteral("Production"));
        const records::MessageFilter filter = models::messagesOf(made, session);
        QVERIFY(filter.connection == core::ConnectionId(3));
        QCOMPARE(filter.queue, message.queue);
    }
};

REDRIVE_TEST(TestConventionModels)
#include "tst_conventionmodels.moc"
