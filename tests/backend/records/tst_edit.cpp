// Edits: what each step does to a message, that all else keeps its bytes, and what is refused with which words.
#include "backend/records/editing/difference.h"
#include "backend/records/editing/editfile.h"
#include "backend/records/editing/editing.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using namespace records;
using Do = EditStep::Do;

class TestEdit final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void headersAreSetRemovedAndRenamed();
    void aHeaderKeepsItsPlaceAndOtherKinds();
    void jsonIsChangedWhereItLies_data();
    void jsonIsChangedWhereItLies();
    void whatDoesNotFitIsToldAndNothingIsHalfEdited_data();
    void whatDoesNotFitIsToldAndNothingIsHalfEdited();
    void textIsReplaced_data();
    void textIsReplaced();
    void aPatternWithoutEndEnds();
    void aPatternEndsOnEveryBody_data();
    void aPatternEndsOnEveryBody();
    void aStepMayBeLeftOutWhereItFindsNothing();
    void lengthsAreBounded();
    void theEditBetweenTwoMessagesMakesTheOneOfTheOther();
    void whatIsTypedKeepsTheKind();
    void filesAreReadAndWritten();
    void whatIsWrongInAFileIsTold_data();
    void whatIsWrongInAFileIsTold();
    void aDifferenceTellsWhatChanged();
    void aLongLineIsCutToWhatDiffers();
    void jsonOnOneLineIsComparedInLines();
    void manyLinesAreComparedQuickly();
};

namespace {

Envelope message(const QByteArray &body)
{
    Envelope envelope;
    envelope.headers = {{QStringLiteral("tenant"), QStringLiteral("south")}, {QStringLiteral("priority"), 5}};
    envelope.properties = {{QStringLiteral("message_id"), QStringLiteral("m-1")}};
    envelope.body = body;
    return envelope;
}

Edit json(const QString &pointer, const QString &value)
{
    return {{{Do::SetJson, pointer, value}}};
}

QString misfit(const Edit &edit, const Envelope &on)
{
    const core::Result<Envelope> done = apply(edit, on);
    return done ? QStringLiteral("fits") : done.error().message;
}

} // namespace

void TestEdit::headersAreSetRemovedAndRenamed()
{
    const Edit edit{{{Do::SetHeader, QStringLiteral("tenant"), {}, QStringLiteral("north")},
                     {Do::SetHeader, QStringLiteral("new"), {}, 1.0},
                     {Do::RenameHeader, QStringLiteral("priority"), QStringLiteral("x-priority")}}};
    const Envelope edited = apply(edit, message("{}")).value();
    const Headers expected{{QStringLiteral("tenant"), QStringLiteral("north")},
                           {QStringLiteral("x-priority"), 5},
                           {QStringLiteral("new"), 1.0}};
    QCOMPARE(toCbor(edited.headers), toCbor(expected));
    QCOMPARE(edited.body, QByteArray("{}"));
    QCOMPARE(toCbor(edited.properties), toCbor(message({}).properties));
    const Edit removal{{{Do::RemoveHeader, QStringLiteral("tenant")}}};
    QCOMPARE(apply(removal, message("{}"))->headers.size(), 1);
}

void TestEdit::aHeaderKeepsItsPlaceAndOtherKinds()
{
    Envelope original = message("x");
    original.headers.append({QStringLiteral("bytes"), QByteArray("\xff\x00\x01", 3)});
    original.headers.append({QStringLiteral("one"), 1.0});
    const Edit edit{{{Do::SetHeader, QStringLiteral("tenant"), {}, true}}};
    Headers expected = original.headers;
    expected[0].value = true;
    QCOMPARE(toCbor(apply(edit, original)->headers), toCbor(expected));
}

void TestEdit::jsonIsChangedWhereItLies_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<QString>("value"); // null: removed
    QTest::addColumn<QByteArray>("edited");

    const auto row = [](const char *name, const char *body, const char *pointer, const char *value,
                        const char *edited) {
        QTest::newRow(name) << QByteArray(body) << QString::fromUtf8(pointer)
                            << (value == nullptr ? QString() : QString::fromUtf8(value)) << QByteArray(edited);
    };
    row("a member", R"j({"b":1,"a":2})j", "/a", "3", R"j({"b":1,"a":3})j");
    row("nothing else is printed anew",
        "{\"big\":123456789012345678901234567890 , \"f\":1.50,\r\n \"a\" : 1 , \"d\":1,\"d\":2}", "/a", "\"x\"",
        "{\"big\":123456789012345678901234567890 , \"f\":1.50,\r\n \"a\" : \"x\" , \"d\":1,\"d\":2}");
    row("a big number goes in as it is", R"j({"a":1})j", "/a", "123456789012345678901.0e5",
        R"j({"a":123456789012345678901.0e5})j");
    row("deep", R"j({"a":[{"b":{"c":null}}]})j", "/a/0/b/c", R"j({"x":[1]})j", R"j({"a":[{"b":{"c":{"x":[1]}}}]})j");
    row("a new member", R"j({"a":1})j", "/b", "2", R"j({"a":1,"b":2})j");
    row("a new member looks as those before", "{\n    \"a\": 1,\n    \"b\": 2\n}", "/c", "3",
        "{\n    \"a\": 1,\n    \"b\": 2,\n    \"c\": 3\n}");
    row("the first member", "{ }", "/a", "1", "{\"a\":1 }");
    row("the name of a new member is quoted", "{}", "/q\"\\\n", "1", "{\"q\\\"\\\\\\n\":1}");
    row("of a list", "[1, 2,3]", "/1", "9", "[1, 9,3]");
    row("at the end of a list", "[1, 2]", "/-", "3", "[1, 2, 3]");
    row("at the end of a list by its number", "[1]", "/1", "2", "[1,2]");
    row("into an empty list", "[ ]", "/-", "1", "[1 ]");
    row("names with / and ~", R"j({"a/b":{"m~n":1}})j", "/a~1b/m~0n", "2", R"j({"a/b":{"m~n":2}})j");
    row("an empty name", R"j({"":{"":1}})j", "//", "2", R"j({"":{"":2}})j");
    row("an escaped name", R"j({"\u0061\n":1})j", "/a\n", "2", R"j({"\u0061\n":2})j");
    row("a name with a byte order mark is another",
        "{\"\xef\xbb\xbf"
        "a\":1,\"a\":2}",
        "/a", "3",
        "{\"\xef\xbb\xbf"
        "a\":1,\"a\":3}");
    row("a surrogate pair", R"j({"\ud83d\ude00":1})j", "/😀", "2", R"j({"\ud83d\ude00":2})j");
    row("white space around what comes is left out", "{\"a\": 1 }", "/a", " 2\n", "{\"a\": 2 }");
    row("all of it", " {\"a\":1}\n", "", "[]", " []\n");
    row("behind a byte order mark", "\xef\xbb\xbf{\"a\":1}", "/a", "2", "\xef\xbb\xbf{\"a\":2}");
    row("removed from the middle", R"j({"a":1, "b":2 ,"c":3})j", "/b", nullptr, R"j({"a":1 ,"c":3})j");
    row("removed from the front", R"j({ "a":1, "b":2})j", "/a", nullptr, R"j({ "b":2})j");
    row("removed from the end", "{\"a\":1,\n\"b\":2\n}", "/b", nullptr, "{\"a\":1\n}");
    row("the only one removed", R"j({ "a":1 })j", "/a", nullptr, "{  }");
    row("removed from a list", "[1,2,3]", "/0", nullptr, "[2,3]");
}

void TestEdit::jsonIsChangedWhereItLies()
{
    QFETCH(QByteArray, body);
    QFETCH(QString, pointer);
    QFETCH(QString, value);
    QFETCH(QByteArray, edited);

    const Edit edit = value.isNull() ? Edit{{{Do::RemoveJson, pointer}}} : json(pointer, value);
    QVERIFY(checkEdit(edit));
    const core::Result<Envelope> done = apply(edit, message(body));
    QVERIFY2(done, done ? "" : qPrintable(done.error().message));
    QCOMPARE(done->body, edited);
    QCOMPARE(toCbor(done->headers), toCbor(message({}).headers));
}

void TestEdit::whatDoesNotFitIsToldAndNothingIsHalfEdited_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<Edit>("edit");
    QTest::addColumn<QString>("why");

    const auto row = [](const char *name, const QByteArray &body, const Edit &edit, const char *why) {
        QTest::newRow(name) << body << edit << QString::fromUtf8(why);
    };
    row("no parent", R"j({"a":1})j", json(QStringLiteral("/b/c"), QStringLiteral("1")),
        "The edit does not fit this message: the body has no /b.");
    row("not in a value", R"j({"a":1})j", json(QStringLiteral("/a/c"), QStringLiteral("1")),
        "The edit does not fit this message: the body has no /a/c.");
    row("beyond the list", "[1]", json(QStringLiteral("/2"), QStringLiteral("1")),
        "The edit does not fit this message: the body has no /2.");
    row("no number of a list", "[1]", json(QStringLiteral("/01"), QStringLiteral("1")),
        "The edit does not fit this message: the body has no /01.");
    row("nothing to remove", "{}", {{{Do::RemoveJson, QStringLiteral("/a")}}},
        "The edit does not fit this message: the body has no /a.");
    row("a long pointer", "[]", json(QStringLiteral("/") + QString(3000, u'c'), QStringLiteral("1")),
        qPrintable(
            QStringLiteral("The edit does not fit this message: the body has no /%1….").arg(QString(199, u'c'))));
    row("twice", R"j({"a":1,"a":2})j", json(QStringLiteral("/a"), QStringLiteral("1")),
        "The edit does not fit this message: the body has /a twice, so it is unclear which one to change.");
    row("no JSON", "a=1", json(QStringLiteral("/a"), QStringLiteral("1")),
        "The edit does not fit this message: the body is not valid JSON.");
    row("cut JSON", R"j({"a":1)j", json(QStringLiteral("/a"), QStringLiteral("1")),
        "The edit does not fit this message: the body is not valid JSON.");
    row("too deep", QByteArray(100000, '['), json(QStringLiteral("/0"), QStringLiteral("1")),
        "The edit does not fit this message: the body is not valid JSON.");
    row("not UTF-8", "{\"a\":\"\xe4\"}", json(QStringLiteral("/a"), QStringLiteral("1")),
        "The edit does not fit this message: the body is not valid UTF-8 text.");
    row("UTF-16", QByteArray("\xff\xfe{\0}\0", 6), json(QStringLiteral("/a"), QStringLiteral("1")),
        "The edit does not fit this message: the body is not text.");
    row("binary", QByteArray("PK\x03\x04\0\0", 6), {{{Do::ReplaceText, QStringLiteral("P"), QStringLiteral("Q")}}},
        "The edit does not fit this message: the body is not text.");
    row("no match", "abc", {{{Do::ReplaceText, QStringLiteral("x+"), QStringLiteral("y")}}},
        "The edit does not fit this message: nothing in the body matches x+.");
    row("no header", "", {{{Do::RemoveHeader, QStringLiteral("Tenant")}}},
        "The edit does not fit this message: the message has no header Tenant.");
    row("a new name that is taken", "", {{{Do::RenameHeader, QStringLiteral("tenant"), QStringLiteral("priority")}}},
        "The edit does not fit this message: the message already has a header priority.");
    row("the second step", "{}",
        {{{Do::SetHeader, QStringLiteral("a"), {}, 1}, {Do::RemoveJson, QStringLiteral("/x")}}},
        "Step 2 of the edit does not fit this message: the body has no /x.");
}

void TestEdit::whatDoesNotFitIsToldAndNothingIsHalfEdited()
{
    QFETCH(QByteArray, body);
    QFETCH(Edit, edit);
    QFETCH(QString, why);
    QCOMPARE(misfit(edit, message(body)), why);
}

void TestEdit::textIsReplaced_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QString>("with");
    QTest::addColumn<QByteArray>("edited");

    const auto row = [](const char *name, const char *body, const char *pattern, const char *with, const char *edited) {
        QTest::newRow(name) << QByteArray(body) << QString::fromUtf8(pattern) << QString::fromUtf8(with)
                            << QByteArray(edited);
    };
    row("every match", "a-b-c", "-", "+", "a+b+c");
    row("groups", "tenant=7;tenant=8", "(\\w+)=(\\d)", "\\2:\\1", "7:tenant;8:tenant");
    row("the whole match", "ab", "b", "[\\0]", "a[b]");
    row("a backslash", "a", "a", "\\\\1", "\\1");
    row("two digits where there are so many groups", "abcdefghijk", "(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)(k)", "\\11\\1",
        "ka");
    row("one digit where there are not", "ab", "(a)", "\\10", "a0b");
    row("another backslash stays", "a", "a", "\\n", "\\n");
    row("nothing may match", "ab", "x*", "-", "-a-b-");
    row("nothing matches between characters of any length", "😀b", "x*", "-", "-😀-b-");
    row("a byte order mark stays in front",
        "\xef\xbb\xbf"
        "ab",
        "^a", "x", "\xef\xbb\xbfxb");
    row("not ASCII", "größe", "ö(.)", "oe\\1", "groeße");
    row("to nothing", "abc", "b", "", "ac");
}

void TestEdit::textIsReplaced()
{
    QFETCH(QByteArray, body);
    QFETCH(QString, pattern);
    QFETCH(QString, with);
    QFETCH(QByteArray, edited);

    const Edit edit{{{Do::ReplaceText, pattern, with}}};
    QVERIFY(checkEdit(edit));
    const core::Result<Envelope> done = apply(edit, message(body));
    QVERIFY2(done, done ? "" : qPrintable(done.error().message));
    QCOMPARE(done->body, edited);
}

void TestEdit::aPatternWithoutEndEnds()
{
    const Edit edit{{{Do::ReplaceText, QStringLiteral("^(a|aa)+$"), QStringLiteral("x")}}};
    QCOMPARE(misfit(edit, message(QByteArray(200, 'a') + '!')),
             QStringLiteral("The edit does not fit this message: the regular expression takes too long on the body."));
}

// Without a limit for all places together, each of the rows that are refused would take minutes.
void TestEdit::aPatternEndsOnEveryBody_data()
{
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("edited"); // empty: it takes too long
    const auto row = [](const char *name, const char *pattern, const QByteArray &body, const QByteArray &edited) {
        QTest::newRow(name) << QString::fromUtf8(pattern) << body << edited;
    };
    const QByteArray long1(400 * 1024, 'x');
    row("from each place to the end", "x*[yz]", long1, {});
    row("to the end and back", "x+x+[yz]", long1, {});
    row("over a line and back once", "^.*tenant", long1 + "tenant" + long1, "=" + long1);
    row("many places to the end", "[xy]*z|b", long1.left(5000) + " b", long1.left(5000) + " =");
    row("behind a match", "b|[xy]*z", "b" + long1.left(5000) + " b", "=" + long1.left(5000) + " =");
    row("back again and again, then a match", "(x+x+)+!|q", QByteArray(12, 'x') + "q!", QByteArray(12, 'x') + "=!");
    const QByteArray pairs = QByteArray("a=1 ").repeated(10'000);
    row("many matches", "a=(\\d)", pairs, QByteArray("= ").repeated(10'000));
    row("beyond the first plane", "(?:\u20ac|.)*?b", QByteArray("\xf0\x9f\x98\x80").repeated(1000) + "b", "=");
}

void TestEdit::aPatternEndsOnEveryBody()
{
    QFETCH(QString, pattern);
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, edited);
    const Edit edit{{{Do::ReplaceText, pattern, QStringLiteral("=")}}};
    QVERIFY(checkEdit(edit));
    // What is to end in time does so on a busy machine, too.
    const core::Milliseconds longest =
        edited.isEmpty() ? records::TextPattern::longestWork : core::Milliseconds(std::chrono::minutes(1));
    const core::Result<Envelope> done = apply(edit, message(body), {longest});
    QCOMPARE(done.has_value(), !edited.isEmpty());
    if (done)
        QVERIFY2(done->body == edited, done->body.right(100).constData());
    else
        QVERIFY(done.error().kind == core::ErrorKind::Refused);
}

void TestEdit::aStepMayBeLeftOutWhereItFindsNothing()
{
    Edit edit{{{Do::RemoveHeader, QStringLiteral("debug")},
               {Do::RenameHeader, QStringLiteral("old"), QStringLiteral("new")},
               {Do::SetJson, QStringLiteral("/x/y"), QStringLiteral("1")},
               {Do::RemoveJson, QStringLiteral("/z")},
               {Do::ReplaceText, QStringLiteral("q"), QStringLiteral("r")}}};
    for (EditStep &step : edit.steps)
        step.whereThere = true;
    QVERIFY(apply(edit, message("{}")).value() == message("{}"));
    // Where it cannot be done at all, it is not left out.
    QVERIFY(!apply(edit, message("no JSON")));
}

void TestEdit::lengthsAreBounded()
{
    const Edit text{{{Do::ReplaceText, QStringLiteral("a"), QString(1000, u'b')}}};
    QCOMPARE(misfit(text, message(QByteArray(8192, 'a'))),
             QStringLiteral("The edit does not fit this message: the edited body would be longer than 4194304 bytes."));
    const Edit tag{{{Do::SetHeader, QStringLiteral("a"), {}, 1}}};
    const QByteArray long_(longestEditedBody + 1, 'a');
    QCOMPARE(misfit(text, message(long_)),
             QStringLiteral("The edit does not fit this message: the body has more than 4194304 bytes."));
    QVERIFY(apply(tag, message(long_))); // headers need no body
    Edit many;
    many.steps = QList<EditStep>(mostEditSteps + 1, tag.steps.first());
    QCOMPARE(checkEdit(many).error().message, QStringLiteral("An edit can have at most 100 steps; this one has 101."));
}

void TestEdit::theEditBetweenTwoMessagesMakesTheOneOfTheOther()
{
    const Envelope before = message("{\"a\":1}");
    Envelope after = before;
    set(after.headers, QStringLiteral("priority"), 5.0); // another kind is another value
    set(after.headers, QStringLiteral("new"), QStringLiteral("x"));
    remove(after.headers, u"tenant");
    after.body = QByteArray("\xff\xfe", 2);
    const Edit edit = editBetween(before, after);
    QVERIFY(checkEdit(edit));
    QCOMPARE(toCbor(apply(edit, before)->headers), toCbor(after.headers));
    QCOMPARE(apply(edit, before)->body, after.body);
    QVERIFY(editFrom(toJson(edit)).value() == edit);
    QVERIFY(editBetween(before, before).isEmpty());
}

void TestEdit::whatIsTypedKeepsTheKind()
{
    const QCborValue integer(5);
    const QCborValue fraction(0.5);
    const QCborValue yes(true);
    QVERIFY(valueFrom(QStringLiteral("7"), &integer).isInteger());
    QVERIFY(valueFrom(QStringLiteral("7"), &fraction).isDouble());
    QVERIFY(valueFrom(QStringLiteral("false"), &yes).isFalse());
    QVERIFY(valueFrom(QStringLiteral("seven"), &integer).isString());
    QVERIFY(valueFrom(QStringLiteral("7"), nullptr).isString());
}

void TestEdit::filesAreReadAndWritten()
{
    const QByteArray file = R"j({"steps": [
        {"header": "x-tenant", "set": "north \u00e4"},
        {"header": "x-number", "set": 42},
        {"header": "x-fraction", "set": 1.0},
        {"set": true, "header": "x-yes"},
        {"header": "x-old", "remove": true, "where_there": true},
        {"header": "x-a", "rename": "x-b"},
        {"pointer": "/customer/id", "set": 123456789012345678901234567890},
        {"pointer": "/o", "set": {"b" : 1, "a":[ ]}},
        {"pointer": "/debug", "remove": true, "where_there": false},
        {"pattern": "tenant=(\\w+)", "replace": "customer=\\1"},
        {"body": "all of it\n"},
        {"body_base64": "/wA="}
    ]
})j";
    const core::Result<Edit> edit = editFrom(file);
    QVERIFY2(edit, edit ? "" : qPrintable(edit.error().message));
    QCOMPARE(edit->steps.size(), 12);
    QCOMPARE(edit->steps.at(0).value.toString(), QStringLiteral("north ä"));
    QVERIFY(edit->steps.at(1).value.isInteger());
    QVERIFY(edit->steps.at(2).value.isDouble());
    QVERIFY(edit->steps.at(3).value.isTrue());
    QVERIFY(edit->steps.at(4).whereThere);
    QCOMPARE(edit->steps.at(6).text, QStringLiteral("123456789012345678901234567890"));
    QCOMPARE(edit->steps.at(7).text, QStringLiteral("{\"b\" : 1, \"a\":[ ]}"));
    QVERIFY(!edit->steps.at(8).whereThere);
    QCOMPARE(edit->steps.at(10).body, QByteArray("all of it\n"));
    QCOMPARE(edit->steps.at(11).body, QByteArray("\xff\x00", 2));
    QVERIFY(editFrom(toJson(*edit)).value() == *edit);
    QVERIFY(editFrom("\xef\xbb\xbf" + file).value() == *edit);
}

void TestEdit::whatIsWrongInAFileIsTold_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QString>("what");
    const auto row = [](const char *name, const QByteArray &file, const char *what) {
        QTest::newRow(name) << file << QString::fromUtf8(what);
    };
    const auto step = [&](const char *name, const QByteArray &one, const char *what) {
        row(name, "{\"steps\": [\n" + one + "]}",
            qPrintable(QStringLiteral("Step 1 (line 2): %1.").arg(QLatin1String(what))));
    };
    row("nothing", "", "The edit is not valid JSON: see line 1, character 1.");
    row("no JSON", "{\"steps\": [\n  {\"header\" \"x\"}]}", "The edit is not valid JSON: see line 2, character 13.");
    row("not UTF-8", "{\"steps\": [\"\xff\"]}", "The edit is not valid UTF-8. Save it as UTF-8.");
    row("a list", "[]", "An edit must be an object with a list of steps: {\"steps\": [...]}.");
    row("more beside it", R"j({"steps": [], "x": 1})j",
        "An edit must be an object with a list of steps: {\"steps\": [...]}.");
    row("no step", R"j({"steps": []})j", "An edit needs at least one step.");
    step("no object", "1", "a step must be an object, for example {\"header\": \"x\", \"remove\": true}");
    step("about nothing", "{}", "a step needs a \"header\", a \"pointer\", a \"pattern\" or a \"body\"");
    step("nothing to do", R"j({"header": "x"})j", "a header needs \"set\", \"rename\" or \"remove\": true");
    step("a slip", R"j({"header": "x", "sett": 1})j", "a header needs \"set\", \"rename\" or \"remove\": true");
    step("two things at once", R"j({"header": "x", "set": 1, "remove": true})j",
         "the field \"remove\" does not belong in this step or occurs twice");
    step("twice", R"j({"header": "x", "header": "y", "set": 1})j",
         "the field \"header\" does not belong in this step or occurs twice");
    step("a list as a value", R"j({"header": "x", "set": []})j",
         "\"set\" of a header must be a string, a number of at most 64 bits, true or false");
    step("a number that would be rounded", R"j({"header": "x", "set": 123456789012345678901})j",
         "\"set\" of a header must be a string, a number of at most 64 bits, true or false");
    step("a number without end", R"j({"header": "x", "set": 1e999})j",
         "\"set\" of a header must be a string, a number of at most 64 bits, true or false");
    step("a name with a line break", R"j({"header": "x\r\nHost: y", "set": 1})j",
         "a header name must have 1 to 1000 characters and no control characters");
    step("no pointer", R"j({"pointer": "a/b", "set": 1})j",
         "\"a/b\" is not a JSON pointer: start it with /, and write ~0 for ~ and ~1 for / in names");
    step("a pointer with a slip", R"j({"pointer": "/a~2", "set": 1})j",
         "\"/a~2\" is not a JSON pointer: start it with /, and write ~0 for ~ and ~1 for / in names");
    step("no pattern", R"j({"pattern": "(a", "replace": ""})j",
         "\"(a\" is not a valid regular expression: missing closing parenthesis");
    step("a group that is not there", R"j({"pattern": "(a)", "replace": "\\2"
})j",
         "the replacement uses \\2, but the last group of \"(a)\" is 1");
    step("no base64", R"j({"body_base64": "?"})j", "\"body_base64\" is not valid Base64");
    step("where it is there, perhaps", R"j({"header": "x", "remove": true, "where_there": 1})j",
         "\"where_there\" must be true or false");
}

void TestEdit::whatIsWrongInAFileIsTold()
{
    QFETCH(QByteArray, file);
    QFETCH(QString, what);
    const core::Result<Edit> edit = editFrom(file);
    QVERIFY(!edit);
    QCOMPARE(edit.error().message, what);
    QVERIFY(edit.error().kind == core::ErrorKind::Rejected);
}

void TestEdit::aDifferenceTellsWhatChanged()
{
    using Kind = BodyLine::Kind;
    const Envelope before = message("1\n2\n3\n4\n5\n6\nold\n8\n9\n10\n11\n12\n13");
    Envelope after = message("1\n2\n3\n4\n5\n6\nnew\nmore\n8\n9\n10\n11\n12\n13");
    set(after.headers, QStringLiteral("tenant"), QStringLiteral("north"));
    set(after.headers, QStringLiteral("new"), 1);
    remove(after.headers, u"priority");
    const Difference found = difference(before, after);
    QCOMPARE(found.headers.size(), 3);
    QCOMPARE(found.headers.at(0).name, QStringLiteral("tenant"));
    QCOMPARE(found.headers.at(0).after->toString(), QStringLiteral("north"));
    QVERIFY(!found.headers.at(1).after);
    QVERIFY(!found.headers.at(2).before);
    QList<Kind> kinds;
    for (const BodyLine &line : found.body)
        kinds << line.kind;
    QVERIFY((kinds
             == QList<Kind>{Kind::Skipped, Kind::Same, Kind::Same, Kind::Same, Kind::Removed, Kind::Added, Kind::Added,
                            Kind::Same, Kind::Same, Kind::Same, Kind::Skipped}));
    QCOMPARE(found.body.first().before, 3);
    QCOMPARE(found.body.at(4).text, QStringLiteral("old"));
    QCOMPARE(found.body.at(4).before, 7);
    QCOMPARE(found.body.at(6).after, 8);
    QCOMPARE(found.body.at(7).before, 8);
    QCOMPARE(found.body.at(7).after, 9);
    QVERIFY(difference(before, before).isEmpty());
    after.body = QByteArray("\0", 1);
    QVERIFY(!difference(before, after).bodyIsText);
    QVERIFY(difference(before, after).bodyChanges);
}

void TestEdit::aLongLineIsCutToWhatDiffers()
{
    const QByteArray head(5000, 'h');
    const QByteArray tail(5000, 't');
    const Difference found = difference(message(head + "old" + tail), message(head + "new one" + tail));
    QCOMPARE(found.body.size(), 2);
    QCOMPARE(found.body.at(0).text, QStringLiteral("…%1old%2…").arg(QString(60, u'h'), QString(60, u't')));
    QCOMPARE(found.body.at(1).text, QStringLiteral("…%1new one%2…").arg(QString(60, u'h'), QString(60, u't')));
}

// As it is read and edited. Where only white space differs that is what is told.
void TestEdit::jsonOnOneLineIsComparedInLines()
{
    using Kind = BodyLine::Kind;
    const QByteArray one = R"({"a":{"b":1,"c":"x"},"d":[1,2,3]})";
    QByteArray other = one;
    other.replace("\"x\"", "\"y\"");
    const Difference found = difference(message(one), message(other));
    QVERIFY(found.bodyLinedUp);
    const auto changed = [](const Difference &all, Kind kind) {
        QStringList lines;
        for (const BodyLine &line : all.body) {
            if (line.kind == kind)
                lines.append(line.text.trimmed());
        }
        return lines;
    };
    QCOMPARE(changed(found, Kind::Removed), QStringList{QStringLiteral("\"c\": \"x\"")});
    QCOMPARE(changed(found, Kind::Added), QStringList{QStringLiteral("\"c\": \"y\"")});
    const Difference broken = difference(message(one), message(QByteArray(other).replace("1,2", "1 2,")));
    QVERIFY(broken.bodyLinedUp && changed(broken, Kind::Removed).size() < 4);
    QByteArray spaced = one;
    spaced.replace(":", ": ");
    const Difference space = difference(message(one), message(spaced));
    QVERIFY(!space.bodyLinedUp);
    QCOMPARE(changed(space, Kind::Added), QStringList{QString::fromUtf8(spaced)});
    const QByteArray deep = QByteArray(100'000, '[');
    QVERIFY(difference(message(one), message(deep)).bodyChanges); // and ends
}

void TestEdit::manyLinesAreComparedQuickly()
{
    QByteArray one;
    QByteArray other;
    for (int i = 0; i < 200000; ++i) {
        one += QByteArray::number(i) + '\n';
        other += QByteArray::number(i * 7) + '\n';
    }
    const Difference found = difference(message(one), message(other));
    QVERIFY(found.bodyCut);
    QCOMPARE(found.body.size(), mostDifferentLines);
}

REDRIVE_TEST(TestEdit)
#include "tst_edit.moc"
