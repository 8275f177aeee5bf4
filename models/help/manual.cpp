#include "models/help/manual.h"

#include <QFile>

namespace models {

namespace {

constexpr QLatin1StringView idMark(".\\\" help: ");

// Turns the lines of a section into topics.
class ManualReader final
{
public:
    void take(const QString &line)
    {
        if (line.startsWith(QLatin1String(".SS ")))
            m_topics.append({{}, unescaped(line.mid(4)), {}});
        else if (line.startsWith(idMark) && !m_topics.isEmpty())
            m_topics.last().id = line.mid(idMark.size()).trimmed();
        else if (line.startsWith(QLatin1String(".PP")))
            m_goesOn = false;
        else if (line.startsWith(QLatin1String(".TP")))
            m_isTerm = true;
        else if (!m_topics.isEmpty() && !line.startsWith(u'.') && !line.isEmpty())
            addText(line);
        if (line.startsWith(u'.'))
            m_goesOn = false;
    }

    [[nodiscard]] QList<HelpTopic> topics() const { return m_topics; }

private:
    // "\-" is a minus, and "\&" nothing.
    static QString unescaped(QString text)
    {
        return text.replace(QLatin1String("\\-"), QLatin1String("-")).remove(QLatin1String("\\&"));
    }

    void addText(const QString &line)
    {
        QList<HelpParagraph> &paragraphs = m_topics.last().paragraphs;
        if (m_isTerm)
            paragraphs.append({HelpParagraph::Kind::Term, {}});
        else if (!m_goesOn)
            paragraphs.append(HelpParagraph());
        QList<HelpText> &texts = paragraphs.last().texts;
        if (m_goesOn && !texts.isEmpty()) {
            if (texts.last().isStrong)
                texts.append(HelpText{{}, false});
            texts.last().text += u' ';
        }
        addFonts(line, texts);
        m_goesOn = !m_isTerm; // a term is one line
        m_isTerm = false;
    }

    static void addFonts(const QString &line, QList<HelpText> &texts)
    {
        const QStringList pieces = line.split(QLatin1String("\\f"));
        for (qsizetype i = 0; i < pieces.size(); ++i) {
            const bool isStrong = i > 0 && !pieces.at(i).startsWith(u'R');
            const QString text = unescaped(i == 0 ? pieces.at(i) : pieces.at(i).mid(1));
            if (text.isEmpty())
                continue;
            if (!texts.isEmpty() && texts.last().isStrong == isStrong)
                texts.last().text += text;
            else
                texts.append({text, isStrong});
        }
    }

    QList<HelpTopic> m_topics;
    bool m_isTerm = false; // the next line is a term
    bool m_goesOn = false; // the next line belongs to the last paragraph
};

} // namespace

QList<HelpTopic> helpTopicsFrom(const QByteArray &manPage, const QString &section)
{
    ManualReader reader;
    bool isInside = false;
    const QStringList lines = QString::fromUtf8(manPage).split(u'\n');
    for (const QString &line : lines) {
        if (line.startsWith(QLatin1String(".SH ")))
            isInside = line.mid(4) == section;
        else if (isInside)
            reader.take(line);
    }
    return reader.topics();
}

const QList<HelpTopic> &helpTopics()
{
    static const QList<HelpTopic> topics = [] {
        QFile page(QStringLiteral(":/manual.1"));
        return page.open(QIODevice::ReadOnly) ? helpTopicsFrom(page.readAll(), QStringLiteral("THE CONSOLE"))
                                              : QList<HelpTopic>();
    }();
    return topics;
}

} // namespace models
