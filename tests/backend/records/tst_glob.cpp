#include "backend/records/conventions/glob.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using records::Glob;

class TestGlob final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void matchesTheWholeText_data();
    void matchesTheWholeText();
    void agreesWithTheDefinition();
    void manyStarsCostNoExponentialTime();
    void knowsAGlob();
};

void TestGlob::matchesTheWholeText_data()
{
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("matches");
    const auto row = [](const char *pattern, const char *text, bool matches) {
        QTest::addRow("%s on %s", pattern, text)
            << QString::fromLatin1(pattern) << QString::fromLatin1(text) << matches;
    };
    row("abc", "abc", true);
    row("abc", "abcd", false);
    row("abc", "ABC", false);
    row("", "", true);
    row("", "a", false);
    row("*", "", true);
    row("*", "anything", true);
    row("?", "", false);
    row("?", "a", true);
    row("??", "a", false);
    row("a*", "a", true);
    row("a*a", "a", false);
    row("a*a", "aa", true);
    row("*Timeout*", "System.TimeoutException", true);
    row("*Timeout*", "timeout", false);
    row("*.TimeoutException", "System.TimeoutException", true);
    row("*.TimeoutException", "TimeoutException", false);
    row("System.*Exception", "System.IO.IOException", true);
    row("*ab*ab*", "abab", true);
    row("*ab*ab*", "aab", false);
    row("*a?c*", "xxabcxx", true);
    row("*a?c*", "xxacxx", false);
    row("**", "x", true);
    row("[a]", "a", false);
    row("a.c", "abc", false);
    row("a\\*", "a*", false);
}

void TestGlob::matchesTheWholeText()
{
    QFETCH(const QString, pattern);
    QFETCH(const QString, text);
    QFETCH(const bool, matches);
    QCOMPARE(Glob(pattern).matches(text), matches);
}

namespace {

// The definition, character by character.
bool isMatch(QStringView pattern, QStringView text)
{
    if (pattern.isEmpty())
        return text.isEmpty();
    if (pattern.front() == u'*')
        return isMatch(pattern.sliced(1), text) || (!text.isEmpty() && isMatch(pattern, text.sliced(1)));
    return !text.isEmpty() && (pattern.front() == u'?' || pattern.front() == text.front())
           && isMatch(pattern.sliced(1), text.sliced(1));
}

QString wordOf(int number, const QString &letters, int length)
{
    QString word;
    for (int i = 0; i < length; ++i, number /= int(letters.size()))
        word += letters.at(number % int(letters.size()));
    return word;
}

} // namespace

// Every pattern of up to 5 of the characters "ab?*" on every text of up to 5 of "ab".
void TestGlob::agreesWithTheDefinition()
{
    const QString patternLetters = QStringLiteral("ab?*");
    const QString textLetters = QStringLiteral("ab");
    QStringList texts;
    for (int length = 0; length <= 5; ++length) {
        for (int i = 0; i < 1 << length; ++i)
            texts.append(wordOf(i, textLetters, length));
    }
    for (int length = 0; length <= 5; ++length) {
        for (int i = 0; i < 1 << (2 * length); ++i) {
            const QString pattern = wordOf(i, patternLetters, length);
            const Glob glob(pattern);
            for (const QString &text : texts) {
                if (glob.matches(text) != isMatch(pattern, text))
                    QFAIL(qPrintable(QStringLiteral("pattern %1, text %2").arg(pattern, text)));
            }
        }
    }
}

// A matcher that tries every place of every star would not end.
void TestGlob::manyStarsCostNoExponentialTime()
{
    const Glob stars(QStringLiteral("a*").repeated(100) + QStringLiteral("b"));
    QVERIFY(!stars.matches(QString(8192, u'a')));
    const Glob marks(QStringLiteral("*") + QStringLiteral("?a").repeated(140) + QStringLiteral("b*"));
    QVERIFY(!marks.matches(QString(8192, u'a')));
}

void TestGlob::knowsAGlob()
{
    QVERIFY(Glob::isGlob(u"*.Exception"));
    QVERIFY(Glob::isGlob(u"a?"));
    QVERIFY(!Glob::isGlob(u"System.Exception"));
}

REDRIVE_TEST(TestGlob)
#include "tst_glob.moc"
