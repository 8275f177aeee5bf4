#include "models/common/roles.h"
#include "models/detail/headersmodel.h"
#include "tests/support/testmain/testmain.h"

#include <QAbstractItemModelTester>
#include <QCborArray>
#include <QTest>

using models::HeadersModel;

namespace {

const QString secret = QStringLiteral("Bearer abc123");

records::Envelope envelope()
{
    records::Envelope one;
    one.headers = {{QStringLiteral("NServiceBus.FailedQ"), QStringLiteral("orders")},
                   {QStringLiteral("Authorization"), secret},
                   {QStringLiteral("x-numbers"), QCborArray{1, 2.5}},
                   {QStringLiteral("NServiceBus.FailedQ"), QStringLiteral("a second one")}};
    one.properties = {{QStringLiteral("MessageId"), QStringLiteral("m-1")}};
    return one;
}

} // namespace

class TestHeadersModel final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void headersThenProperties();
    void filtersByNameAndValue();
    void secretsAreMaskedEverywhere();
    void aSecretIsShownWhenAskedFor();
    void anotherMessagesSecretIsMaskedAgain();
    void maskedValuesAreNotSearched();
    void hostileTextIsMadeVisible();

private:
    QString text(int row, int column) { return m_model.index(row, column).data().toString(); }

    HeadersModel m_model;
    QAbstractItemModelTester m_tester{&m_model};
};

void TestHeadersModel::headersThenProperties()
{
    m_model.show(envelope());
    QCOMPARE(m_model.rowCount(), 5); // a name that occurs twice has two rows
    QCOMPARE(text(0, HeadersModel::Name), QStringLiteral("NServiceBus.FailedQ"));
    QCOMPARE(text(2, HeadersModel::Value), QStringLiteral("[1, 2.5]"));
    QCOMPARE(text(4, HeadersModel::Value), QStringLiteral("m-1"));
    QCOMPARE(m_model.index(4, 0).data(models::KindRole).toInt(), 1);
    QCOMPARE(m_model.index(0, HeadersModel::Name).data(models::ElideRole).toInt(), int(Qt::ElideMiddle));
    QVERIFY(m_model.asText().contains(QStringLiteral("NServiceBus.FailedQ: a second one\n")));
}

void TestHeadersModel::filtersByNameAndValue()
{
    m_model.show(envelope());
    m_model.setFilter(QStringLiteral("FAILEDQ"));
    QCOMPARE(m_model.rowCount(), 2);
    m_model.setFilter(QStringLiteral("second"));
    QCOMPARE(m_model.rowCount(), 1);
    m_model.setFilter({});
    QCOMPARE(m_model.rowCount(), 5);
}

void TestHeadersModel::secretsAreMaskedEverywhere()
{
    m_model.show(envelope());
    for (const int role : {int(Qt::DisplayRole), int(Qt::ToolTipRole), int(Qt::AccessibleTextRole)}) {
        for (int column = 0; column < HeadersModel::ColumnCount; ++column)
            QVERIFY(!m_model.index(1, column).data(role).toString().contains(QStringLiteral("abc123")));
    }
    QVERIFY(!m_model.asText().contains(QStringLiteral("abc123")));
    QVERIFY(m_model.asText().contains(QStringLiteral("Authorization: ")));
    QCOMPARE(m_model.index(1, 0).data(models::ToneRole).toInt(), int(models::Tone::Warn));
}

void TestHeadersModel::aSecretIsShownWhenAskedFor()
{
    m_model.show(envelope());
    m_model.reveal(1);
    QCOMPARE(text(1, HeadersModel::Value), secret);
    QVERIFY(m_model.asText().contains(secret));
    m_model.show(envelope()); // the same message, read again
    QCOMPARE(text(1, HeadersModel::Value), secret);
    m_model.reveal(99); // no such row
}

void TestHeadersModel::anotherMessagesSecretIsMaskedAgain()
{
    m_model.show(envelope());
    m_model.reveal(1);
    records::Envelope other = envelope();
    other.headers[1].value = QStringLiteral("Bearer of another message");
    m_model.show(other);
    QVERIFY(!text(1, HeadersModel::Value).contains(QStringLiteral("another")));
}

void TestHeadersModel::maskedValuesAreNotSearched()
{
    records::Envelope other = envelope();
    other.headers[1].value = QStringLiteral("Bearer never seen");
    m_model.show(other);
    m_model.setFilter(QStringLiteral("never seen"));
    QCOMPARE(m_model.rowCount(), 0);
    m_model.setFilter({});
}

void TestHeadersModel::hostileTextIsMadeVisible()
{
    records::Envelope hostile;
    hostile.headers = {{QStringLiteral("na\nme\u202e"), QStringLiteral("<b>bold</b>\x01")}};
    m_model.show(hostile);
    QVERIFY(!text(0, HeadersModel::Name).contains(QLatin1Char('\n')));
    QVERIFY(!text(0, HeadersModel::Name).contains(QChar(0x202e)));
    QVERIFY(!text(0, HeadersModel::Value).contains(QChar(1)));
    QVERIFY(text(0, HeadersModel::Value).startsWith(QStringLiteral("<b>bold</b>")));
}

REDRIVE_TEST(TestHeadersModel)
#include "tst_headersmodel.moc"
