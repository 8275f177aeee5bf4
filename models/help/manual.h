// The help of the window: the section THE CONSOLE of the man page, which is compiled in. So there is one text. Pure
// functions for any thread.
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>

namespace models {

// A piece of text in one style.
struct HelpText
{
    QString text;
    bool isStrong = false;

    friend bool operator==(const HelpText &, const HelpText &) = default;
};

struct HelpParagraph
{
    enum class Kind { Plain, Term }; // Term: a few words that the next paragraph explains
    Kind kind = Kind::Plain;
    QList<HelpText> texts;
};

struct HelpTopic
{
    QString id; // a word for the program, from a comment in the man page
    QString title;
    QList<HelpParagraph> paragraphs;
};

// The topics, in their order, of the source of a man page: each subsection of the section with this title. It reads .SS, .PP, .TP,
// its fonts B, I and R, and comments of the form "help: ID". Other requests are left out.
[[nodiscard]] QList<HelpTopic> helpTopicsFrom(const QByteArray &manPage, const QString &section);

// Those of this program. Resources must be there (views::initResources).
[[nodiscard]] const QList<HelpTopic> &helpTopics();

} // namespace models
