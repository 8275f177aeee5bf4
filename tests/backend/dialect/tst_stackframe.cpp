#include "backend/dialect/stackframe.h"
#include "backend/records/messages/typename.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

class TestStackFrame final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theFirstFrameIsFound_data();
    void theFirstFrameIsFound();
    void wholeNamesTellCausesApart_data();
    void wholeNamesTellCausesApart();
    void theFrameOfJavaIsThatOfItsException_data();
    void theFrameOfJavaIsThatOfItsException();
    void typeNamesAreShortened_data();
    void typeNamesAreShortened();
    void aFrameInTheMessageIsNotTheFrame();
    void hostileStacksEndQuickly_data();
    void hostileStacksEndQuickly();
};

void TestStackFrame::theFirstFrameIsFound_data()
{
    QTest::addColumn<QString>("stack");
    QTest::addColumn<QString>("frame");
    const auto row = [](const char *name, const char *stack, const char *frame) {
        QTest::newRow(name) << QString::fromUtf8(stack) << QString::fromUtf8(frame);
    };
    row("dotnet",
        "System.TimeoutException: slow\n   at Shop.PaymentGateway.Authorize(Card card) in C:\\src\\g.cs:line 7\n   at "
        "B.C()",
        "PaymentGateway.Authorize(Card)");
    row("dotnet, carriage returns", "   at Shop.OrderStore.Save(Shop.Order order)\r\n   at B.C()\r\n",
        "OrderStore.Save(Order)");
    row("dotnet, several parameters", "   at A.B.C(Int32 n, System.String s, List`1 x)", "B.C(Int32, String, List`1)");
    row("dotnet, generic parameters", "   at A.B.C(Dictionary`2[System.Int32,Shop.Order] d, Int32 n)",
        "B.C(Dictionary`2[System.Int32,Shop.Order], Int32)");
    row("dotnet, no parameters", "   at Shop.Store.Open()", "Store.Open()");
    row("dotnet, constructor", "   at Shop.Store..ctor(String path)", "Store.ctor(String)");
    row("dotnet, async state machine", "   at Shop.Store.<Save>d__12.MoveNext()", "Store.Save()");
    row("dotnet, nested state machine", "   at Shop.Store+<Save>d__3.MoveNext()", "Store.Save()");
    row("dotnet, lambda", "   at Shop.Store.<>c__DisplayClass4_0.<Load>b__1(Int32 i)", "Store.Load(Int32)");
    row("dotnet, inner exception first",
        "System.Exception: out ---> System.IO.IOException: in\n   at Inner.Read()\n   --- End of inner "
        "exception stack trace ---\n   at Outer.Run()",
        "Inner.Read()");
    row("dotnet, German", "   bei Shop.Lager.Speichern(Bestellung b) in x.cs:Zeile 3.", "Lager.Speichern(Bestellung)");
    row("java",
        "java.lang.IllegalStateException: no\n\tat com.shop.OrderStore.save(OrderStore.java:42)\n\tat a.b.c(D.java:1)",
        "OrderStore.save()");
    row("java module", "\tat java.base/java.util.HashMap.get(HashMap.java:557)", "HashMap.get()");
    row("java native", "\tat sun.nio.ch.Net.connect0(Native Method)", "Net.connect0()");
    row("node", "Error: no\n    at OrderStore.save (/app/store.js:12:5)\n    at async run (/app/x.js:1:1)",
        "OrderStore.save()");
    row("python",
        "Traceback (most recent call last):\n  File \"/app/main.py\", line 3, in run\n    save(o)\n"
        "  File \"/app/orders.py\", line 12, in save\n    raise ValueError\nValueError: bad",
        "orders.save()");
    row("no frames", "System.Exception: it broke at (the) end", "");
    row("empty", "", "");
    row("a sentence with at", "at least (we) tried", "");
}

void TestStackFrame::theFirstFrameIsFound()
{
    QFETCH(QString, stack);
    QTEST(dialect::firstFrame(stack, QString()), "frame");
}

void TestStackFrame::wholeNamesTellCausesApart_data()
{
    QTest::addColumn<QString>("stack");
    QTest::addColumn<QString>("frame");
    const auto row = [](const char *name, const char *stack, const char *frame) {
        QTest::newRow(name) << QString::fromUtf8(stack) << QString::fromUtf8(frame);
    };
    row("dotnet", "   at Shop.Orders.Handler.Handle(Shop.Order order, Int32 n) in x.cs:line 7",
        "Shop.Orders.Handler.Handle(Shop.Order, Int32)");
    row("dotnet, async", "   at Shop.Mail.Handler.<Handle>d__12.MoveNext()", "Shop.Mail.Handler.Handle()");
    row("java", "x\n\tat java.base/com.shop.OrderStore.save(OrderStore.java:42)", "com.shop.OrderStore.save()");
    row("php", "#0 /app/H.php(42): App\\Shop\\Handler->__invoke(Object(App\\Order))", "App\\Shop\\Handler->__invoke()");
    row("python", "  File \"/app/orders.py\", line 12, in save", "orders.save()");
}

void TestStackFrame::wholeNamesTellCausesApart()
{
    QFETCH(QString, stack);
    QTEST(dialect::firstFrame(stack, {}, {}, dialect::Names::Whole), "frame");
}

void TestStackFrame::theFrameOfJavaIsThatOfItsException_data()
{
    QTest::addColumn<QString>("type");
    QTest::addColumn<QString>("frame");
    QTest::newRow("the innermost") << QStringLiteral("com.shop.NoStock") << QStringLiteral("Stock.take()");
    QTest::newRow("in between") << QStringLiteral("com.shop.NoStockAtAll") << QStringLiteral("Orders.place()");
    QTest::newRow("the wrapper") << QStringLiteral("org.spring.ListenerFailed") << QStringLiteral("Adapter.invoke()");
    QTest::newRow("another") << QStringLiteral("com.shop.No") << QStringLiteral("Adapter.invoke()");
    QTest::newRow("none") << QString() << QStringLiteral("Adapter.invoke()");
}

void TestStackFrame::theFrameOfJavaIsThatOfItsException()
{
    QFETCH(QString, type);
    const QString stack =
        QStringLiteral("org.spring.ListenerFailed: Listener threw\n\tat org.spring.Adapter.invoke(A.java:1)\n"
                       "Caused by: com.shop.NoStockAtAll: none\n\tat com.shop.Orders.place(O.java:2)\n"
                       "\t... 12 more\n"
                       "Caused by: com.shop.NoStock: none left\n\tat com.shop.Stock.take(S.java:3)\n"
                       "\t... 13 more\n");
    QTEST(dialect::firstFrame(stack, QStringLiteral("none left"), type), "frame");
}

void TestStackFrame::typeNamesAreShortened_data()
{
    QTest::addColumn<QString>("full");
    QTest::addColumn<QString>("shortName");
    QTest::newRow("namespace") << QStringLiteral("System.Data.SqlClient.SqlException")
                               << QStringLiteral("SqlException");
    QTest::newRow("none") << QStringLiteral("ValueError") << QStringLiteral("ValueError");
    QTest::newRow("generic") << QStringLiteral("Shop.Fault`1[Shop.Order]") << QStringLiteral("Fault`1[Shop.Order]");
    QTest::newRow("empty") << QString() << QString();
    QTest::newRow("dot at the end") << QStringLiteral("a.") << QString();
}

void TestStackFrame::typeNamesAreShortened()
{
    QFETCH(QString, full);
    QTEST(records::shortTypeName(full), "shortName");
}

void TestStackFrame::aFrameInTheMessageIsNotTheFrame()
{
    const QString message = QStringLiteral("forged\n   at Attacker.Evil(Int32 x)\n");
    const QString stack = QStringLiteral("System.Exception: ") + message + QStringLiteral("   at Shop.Real.Frame()");
    QCOMPARE(dialect::firstFrame(stack, message), QStringLiteral("Real.Frame()"));
}

void TestStackFrame::hostileStacksEndQuickly_data()
{
    QTest::addColumn<QString>("stack");
    constexpr int many = 4 * 1024 * 1024;
    QTest::newRow("one endless line") << QString(QStringLiteral("   at ") + QString(many, QLatin1Char('a')));
    QTest::newRow("only parentheses") << QString(QStringLiteral("   at ") + QString(many, QLatin1Char('(')));
    QTest::newRow("only line ends") << QString(many, QLatin1Char('\n'));
    QTest::newRow("dots") << QString(QStringLiteral("   at ") + QString(many, QLatin1Char('.')) + QStringLiteral("()"));
    QTest::newRow("brackets never closed")
        << QString(QStringLiteral("   at a.b(") + QString(many, QLatin1Char('[')) + QStringLiteral(")"));
    QTest::newRow("half an open file line") << QStringLiteral("File \"");
    QTest::newRow("lone surrogates") << QString(many, QChar(0xd800));
}

// What is looked at is bounded, so the result is too, whatever the size of the input.
void TestStackFrame::hostileStacksEndQuickly()
{
    QFETCH(QString, stack);
    QVERIFY(dialect::firstFrame(stack, QStringLiteral("message")).size() < 4096);
}

REDRIVE_TEST(TestStackFrame)
#include "tst_stackframe.moc"
