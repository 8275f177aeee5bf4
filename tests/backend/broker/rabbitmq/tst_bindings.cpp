// Which queues an exchange leads to, as its bindings say. tst_rabbitmq_bindings asks a real RabbitMQ the same.
#include "backend/broker/rabbitmq/bindings.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using broker::Routes;
using broker::rabbitmq::BindingWalk;

namespace {

// An exchange with its bindings, "queue audit #" or "exchange next key".
struct Exchange
{
    QString type;
    QStringList bindings;
    QCborMap arguments{};
};

QCborArray bindingsOf(const Exchange &exchange)
{
    QCborArray list;
    for (const QString &line : exchange.bindings) {
        const QStringList words = line.split(QLatin1Char(' '));
        list.append(QCborMap{{QStringLiteral("destination_type"), words.value(0)},
                             {QStringLiteral("destination"), words.value(1)},
                             {QStringLiteral("routing_key"), words.value(2)}});
    }
    return list;
}

// Walks over these exchanges; one that is not there was deleted.
Routes walked(const QMap<QString, Exchange> &world, const QString &first, const QStringList &keys, int *read = nullptr)
{
    BindingWalk walk(first, keys);
    while (const std::optional<QString> name = walk.next()) {
        const Exchange exchange = world.value(*name);
        QCborMap answer;
        if (world.contains(*name))
            answer = {{QStringLiteral("type"), exchange.type}, {QStringLiteral("arguments"), exchange.arguments}};
        walk.read(answer, bindingsOf(exchange));
        if (read != nullptr)
            ++*read;
    }
    return walk.routes();
}

QString name(const char *text, int number)
{
    return QString::fromLatin1(text) + QString::number(number);
}

} // namespace

class TestBindings final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // Source: RabbitMQ, "Topics" tutorial; rabbit_exchange_type_topic.erl.
    void topicsMatchWordByWord_data()
    {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QString>("key");
        QTest::addColumn<bool>("matches");
        const auto row = [](const char *pattern, const char *key, bool matches) {
            QTest::addRow("'%s' for '%s'", pattern, key)
                << QString::fromLatin1(pattern) << QString::fromLatin1(key) << matches;
        };
        row("*.orange.*", "quick.orange.rabbit", true);
        row("*.orange.*", "quick.orange.fox.x", false);
        row("*.*.rabbit", "lazy.orange.rabbit", true);
        row("lazy.#", "lazy.brown.fox", true);
        row("lazy.#", "lazy", true);
        row("lazy.#", "lazyer", false);
        row("#", "", true);
        row("#", "a.b.c", true);
        row("*", "", false);
        row("*", "a", true);
        row("*", "a.b", false);
        row("", "", true);
        row("", "a", false);
        row("a..b", "a..b", true);
        row("a.*.b", "a..b", true); // an empty word is a word
        row("a.*", "a.", true);
        row("a.#.b", "a.b", true);
        row("a.#.b", "a.x.y.b", true);
        row("a.#.b", "a.x.y", false);
        row("#.b.#", "a.b.c", true);
        row("#.#.#", "a", true);
        row("#.*", "", false);
        row("orders.created", "orders.created", true);
        row("orders.created", "Orders.created", false);
        row("orders.*", "orders", false);
    }

    void topicsMatchWordByWord()
    {
        QFETCH(const QString, pattern);
        QFETCH(const QString, key);
        QFETCH(const bool, matches);
        QCOMPARE(broker::rabbitmq::topicMatches(pattern, key), matches);
    }

    void aPatternOfManyHashesEnds()
    {
        const QString pattern = QStringLiteral("#.a.").repeated(60) + QLatin1Char('#');
        QVERIFY(broker::rabbitmq::topicMatches(pattern, QStringLiteral("a.").repeated(100) + QLatin1Char('a')));
        QVERIFY(!broker::rabbitmq::topicMatches(pattern, QStringLiteral("b.").repeated(100) + QLatin1Char('b')));
        QVERIFY(!broker::rabbitmq::topicMatches(QStringLiteral("#"), QString(256, QLatin1Char('a')))); // no key
    }

    void eachTypeRoutesInItsWay_data()
    {
        QTest::addColumn<QString>("type");
        QTest::addColumn<QStringList>("queues");
        QTest::addColumn<bool>("certain");
        QTest::newRow("direct") << QStringLiteral("direct") << QStringList{QStringLiteral("a")} << true;
        QTest::newRow("topic") << QStringLiteral("topic") << QStringList{QStringLiteral("a"), QStringLiteral("b")}
                               << true;
        QTest::newRow("fanout") << QStringLiteral("fanout")
                                << QStringList{QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")} << true;
        QTest::newRow("headers") << QStringLiteral("headers") << QStringList() << false;
        QTest::newRow("of a plugin") << QStringLiteral("x-consistent-hash") << QStringList() << false;
        QTest::newRow("delayed topic") << QStringLiteral("x-delayed-message")
                                       << QStringList{QStringLiteral("a"), QStringLiteral("b")} << true;
    }

    void eachTypeRoutesInItsWay()
    {
        QFETCH(const QString, type);
        QFETCH(const QStringList, queues);
        QFETCH(const bool, certain);
        const QCborMap arguments{{QStringLiteral("x-delayed-type"), QStringLiteral("topic")}};
        const Exchange exchange{
            type,
            {QStringLiteral("queue b x.*"), QStringLiteral("queue a x.y"), QStringLiteral("queue c z")},
            arguments};
        const Routes routes = walked({{QStringLiteral("e"), exchange}}, QStringLiteral("e"), {QStringLiteral("x.y")});
        QCOMPARE(routes.queues, queues);
        QCOMPARE(routes.isCertain(), certain);
        QCOMPARE(routes.undecided, certain ? QStringList() : QStringList{QStringLiteral("e")});
    }

    void theDefaultExchangeNeedsNoQuestion()
    {
        int read = 0;
        const Routes routes = walked({}, {}, {QStringLiteral("orders"), QStringLiteral("audit")}, &read);
        QCOMPARE(routes.queues, (QStringList{QStringLiteral("audit"), QStringLiteral("orders")}));
        QCOMPARE(read, 0);
    }

    void anyOfSeveralKeysLeadsThere()
    {
        const Exchange exchange{QStringLiteral("direct"), {QStringLiteral("queue a k"), QStringLiteral("queue b cc")}};
        const QMap<QString, Exchange> world{{QStringLiteral("e"), exchange}};
        QCOMPARE(walked(world, QStringLiteral("e"), {QStringLiteral("k"), QStringLiteral("cc")}).queues,
                 (QStringList{QStringLiteral("a"), QStringLiteral("b")}));
    }

    void exchangesBehindAreFollowedOnce()
    {
        const QString direct = QStringLiteral("direct");
        const QMap<QString, Exchange> world{
            {QStringLiteral("e"), {direct, {QStringLiteral("exchange f k"), QStringLiteral("exchange gone k")}}},
            {QStringLiteral("f"), {direct, {QStringLiteral("exchange e k"), QStringLiteral("queue a k")}}}, // a cycle
        };
        int read = 0;
        const Routes routes = walked(world, QStringLiteral("e"), {QStringLiteral("k")}, &read);
        QCOMPARE(routes.queues, QStringList{QStringLiteral("a")});
        QVERIFY(routes.isWhole);
        QCOMPARE(read, 3);
    }

    void theAlternateExchangeIsNamed()
    {
        const QCborMap arguments{{QStringLiteral("alternate-exchange"), QStringLiteral("unrouted")}};
        const Exchange exchange{QStringLiteral("direct"), {}, arguments};
        const Routes routes = walked({{QStringLiteral("e"), exchange}}, QStringLiteral("e"), {QStringLiteral("k")});
        QCOMPARE(routes.alternate, QStringLiteral("unrouted"));
        QVERIFY(routes.queues.isEmpty());
    }

    void hostileAnswersAreBounded()
    {
        QMap<QString, Exchange> deep;
        for (int i = 0; i < 10; ++i) {
            deep[name("e", i)] = {
                QStringLiteral("fanout"),
                {QStringLiteral("exchange ") + name("e", i + 1), QStringLiteral("queue ") + name("q", i)}};
        }
        int read = 0;
        Routes routes = walked(deep, QStringLiteral("e0"), {QString()}, &read);
        QCOMPARE(read, BindingWalk::deepest);
        QCOMPARE(routes.queues.size(), BindingWalk::deepest);
        QVERIFY(!routes.isCertain());

        Exchange wide{QStringLiteral("fanout"), {}};
        for (int i = 0; i < 1000; ++i) {
            wide.bindings.append(QStringLiteral("queue ") + name("q", i));
            wide.bindings.append(QStringLiteral("exchange ") + name("x", i));
        }
        read = 0;
        routes = walked({{QStringLiteral("e"), wide}}, QStringLiteral("e"), {QString()}, &read);
        QCOMPARE(routes.queues.size(), BindingWalk::mostQueues);
        QCOMPARE(read, BindingWalk::mostExchanges);
        QVERIFY(!routes.isWhole);
    }

    void answersOfWrongTypesLeadNowhere()
    {
        BindingWalk walk(QStringLiteral("e"), {QStringLiteral("k")});
        const QCborMap exchange{{QStringLiteral("type"), QStringLiteral("fanout")},
                                {QStringLiteral("arguments"), QStringLiteral("none")}};
        walk.read(exchange, {1, QCborValue(), QCborMap{{QStringLiteral("destination"), 4}},
                             QCborMap{{QStringLiteral("destination"), QStringLiteral("q")},
                                      {QStringLiteral("destination_type"), QCborArray()}},
                             QCborMap{{QStringLiteral("destination"), QString(300, QLatin1Char('q'))},
                                      {QStringLiteral("destination_type"), QStringLiteral("queue")}}});
        QVERIFY(!walk.next());
        QCOMPARE(walk.routes(), Routes());
    }
};

REDRIVE_TEST(TestBindings)
#include "tst_bindings.moc"
