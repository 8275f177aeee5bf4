// The help is read from the source of a man page.
#include "models/help/manual.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using Kind = models::HelpParagraph::Kind;

namespace {

const QByteArray page = R"(.TH A 1
.SH COMMANDS
.SS Not this one
Text.
.SH THE CONSOLE
Before the first topic.
.SS The \-window
.\" help: window
One \fBtwo\fR
three, \fI\-\-four\fR.
.PP
Second.
.TP
\fBA term\fR
What it means,
in two lines.
.SS Empty
.SH OPTIONS
.SS Nor this
)";

QString told(const models::HelpParagraph &paragraph)
{
    QString all = paragraph.kind == Kind::Term ? QStringLiteral("# ") : QString();
    for (const models::HelpText &text : paragraph.texts)
        all += text.isStrong ? u'*' + text.text + u'*' : text.text;
    return all;
}

} // namespace

class TestManual final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void topicsAreTheSubsectionsOfTheSection()
    {
        const QList<models::HelpTopic> topics = models::helpTopicsFrom(page, QStringLiteral("THE CONSOLE"));
        QCOMPARE(topics.size(), 2);
        QCOMPARE(topics.at(0).title, QStringLiteral("The -window"));
        QCOMPARE(topics.at(0).id, QStringLiteral("window"));
        QVERIFY(topics.at(1).id.isEmpty());
        QCOMPARE(topics.at(1).title, QStringLiteral("Empty"));
        QVERIFY(topics.at(1).paragraphs.isEmpty());
        QVERIFY(models::helpTopicsFrom(page, QStringLiteral("NOTHING")).isEmpty());
    }

    void paragraphsKeepTheirFonts()
    {
        QStringList lines;
        const QList<models::HelpTopic> topics = models::helpTopicsFrom(page, QStringLiteral("THE CONSOLE"));
        for (const models::HelpParagraph &paragraph : topics.at(0).paragraphs)
            lines.append(told(paragraph));
        QCOMPARE(lines, (QStringList{QStringLiteral("One *two* three, *--four*."), QStringLiteral("Second."),
                                     QStringLiteral("# *A term*"), QStringLiteral("What it means, in two lines.")}));
    }

    void anythingIsRead()
    {
        for (const QByteArray &hostile : {QByteArray(), QByteArray(".SH THE CONSOLE"), QByteArray("\xff\\f"),
                                          QByteArray(".SH THE CONSOLE\n.TP\n.SS \n\\f\n\\fB\n.TP\n\\fR\\-")})
            QVERIFY(models::helpTopicsFrom(hostile, QStringLiteral("THE CONSOLE")).size() <= 1);
    }
};

REDRIVE_TEST(TestManual)
#include "tst_manual.moc"
