// Which headers a person may change, by framework, and that no way round leads to the others.
#include "backend/dialect/editing.h"
#include "backend/dialect/frameworks/packed.h"
#include "backend/records/messages/message.h"
#include "backend/records/messages/stamp.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using records::Edit;
using records::Envelope;
using records::HeaderCare;
using Do = records::EditStep::Do;

class TestEditing final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void headersHaveTheCareTheyNeed_data()
    {
        QTest::addColumn<QString>("dialect");
        QTest::addColumn<QString>("header");
        QTest::addColumn<int>("care");
        const auto row = [](const char *dialect, const char *header, HeaderCare care) {
            QTest::addRow("%s: %s", dialect, header)
                << QString::fromLatin1(dialect) << QString::fromLatin1(header) << int(care);
        };
        row("unknown", "x-tenant", HeaderCare::Free);
        row("unknown", "Redrive-Stamp", HeaderCare::Locked);
        row("unknown", "redrive-stamp", HeaderCare::Locked);
        row("unknown", "x-death", HeaderCare::Locked);
        row("unknown", "CC", HeaderCare::Locked);
        row("unknown", "reply-to", HeaderCare::Sensitive);
        row("unknown", "traceparent", HeaderCare::Locked);
        row("NServiceBus", "NServiceBus.MessageId", HeaderCare::Locked);
        row("NServiceBus", "NServiceBus.ConversationId", HeaderCare::Locked);
        row("NServiceBus", "NServiceBus.OriginatingSagaId", HeaderCare::Locked);
        row("NServiceBus", "NServiceBus.ExceptionInfo.Message", HeaderCare::Locked);
        row("NServiceBus", "NServiceBus.EnclosedMessageTypes", HeaderCare::Sensitive);
        row("NServiceBus", "NServiceBus.ReplyToAddress", HeaderCare::Sensitive);
        row("NServiceBus", "NServiceBus.OriginatingMachine", HeaderCare::Free);
        row("MassTransit", "MT-Fault-Message", HeaderCare::Locked);
        row("MassTransit", "MT-Fault-Address", HeaderCare::Sensitive);
        row("Rebus", "rbs2-msg-id", HeaderCare::Locked);
        row("Rebus", "rbs2-return-address", HeaderCare::Sensitive);
    }

    void headersHaveTheCareTheyNeed()
    {
        QFETCH(const QString, dialect);
        QFETCH(const QString, header);
        QFETCH(const int, care);
        const dialect::Care found = dialect::careOf(dialect, header);
        QCOMPARE(int(found.care), care);
        QCOMPARE(found.why.isEmpty(), found.care == HeaderCare::Free);
    }

    void lockedHeadersStay_data()
    {
        QTest::addColumn<Edit>("edit");
        const QString locked = QStringLiteral("NServiceBus.MessageId");
        const QString free = QStringLiteral("x-tenant");
        QTest::newRow("set") << Edit{{{Do::SetHeader, locked, {}, 1}}};
        QTest::newRow("removed") << Edit{{{Do::RemoveHeader, locked}}};
        QTest::newRow("removed where it is there") << Edit{{{Do::RemoveHeader, locked, {}, {}, {}, true}}};
        QTest::newRow("renamed") << Edit{{{Do::RenameHeader, locked, QStringLiteral("x")}}};
        QTest::newRow("renamed to") << Edit{{{Do::RenameHeader, free, QStringLiteral("NServiceBus.CorrelationId")}}};
        QTest::newRow("in two steps") << Edit{{{Do::SetHeader, free, {}, 1}, {Do::RemoveHeader, locked}}};
    }

    void lockedHeadersStay()
    {
        QFETCH(const Edit, edit);
        Envelope message;
        message.headers = {{QStringLiteral("NServiceBus.MessageId"), QStringLiteral("m")},
                           {QStringLiteral("x-tenant"), QStringLiteral("t")}};
        const core::Result<Envelope> done = dialect::edited(QStringLiteral("NServiceBus"), message, edit);
        QVERIFY(!done);
        QVERIFY2(done.error().message.contains(u"is locked"), qPrintable(done.error().message));
    }

    void packedHeadersAreAsLocked()
    {
        Envelope message;
        message.properties = {{QStringLiteral("SentTimestamp"), QStringLiteral("1")}};
        message.body = R"({"Headers":{"NServiceBus.MessageId":"m","x-tenant":"t"},"Body":"e30="})";
        QVERIFY(dialect::packedHeaders(message));
        const auto edited = [&message](const QString &pointer, const QString &value) {
            const Edit edit{{{Do::SetJson, pointer, value}}};
            return dialect::edited(QStringLiteral("NServiceBus"), message, edit);
        };
        QVERIFY(!edited(QStringLiteral("/Headers/NServiceBus.MessageId"), QStringLiteral("\"n\"")));
        QVERIFY(!edited(QStringLiteral("/Headers/NServiceBus.CorrelationId"), QStringLiteral("\"n\"")));
        QVERIFY(!edited(QStringLiteral("/Headers"), QStringLiteral("{}")));
        QVERIFY(!edited(QString(), QStringLiteral("{}")));
        QCOMPARE(edited(QStringLiteral("/Headers/x-tenant"), QStringLiteral("\"u\""))->body,
                 QByteArray(R"({"Headers":{"NServiceBus.MessageId":"m","x-tenant":"u"},"Body":"e30="})"));
    }
};

REDRIVE_TEST(TestEditing)
#include "tst_editing.moc"
