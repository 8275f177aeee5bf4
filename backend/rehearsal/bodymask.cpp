#include "backend/rehearsal/bodymask.h"

#include <QUtf8StringView>

#include <algorithm>

namespace rehearsal {

namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

char maskedChar(char c)
{
    return isLetter(c) ? 'x' : isDigit(c) ? '0' : c;
}

// Reads a body from left to right, and changes it in place.
class Masker final
{
public:
    explicit Masker(const QByteArray &body)
        : m_body(body)
    {
    }

    QByteArray json()
    {
        while (m_at < m_body.size()) {
            const char c = m_body.at(m_at);
            if (c == '"')
                jsonString();
            else if (isDigit(c))
                jsonNumber();
            else if (isLetter(c))
                jsonWord();
            else
                ++m_at;
        }
        return m_body;
    }

    QByteArray xml()
    {
        while (m_at < m_body.size()) {
            if (startsWith("<!--"))
                maskUntil(4, "-->");
            else if (startsWith("<![CDATA["))
                maskUntil(9, "]]>");
            else if (m_body.at(m_at) == '<')
                xmlTag();
            else
                xmlText(m_at + 1);
        }
        return m_body;
    }

    QByteArray plain()
    {
        maskTo(m_body.size());
        return m_body;
    }

private:
    [[nodiscard]] bool startsWith(const char *text) const
    {
        return QByteArrayView(m_body).sliced(m_at).startsWith(text);
    }
    // The place behind this text; the end of the body if it does not come.
    [[nodiscard]] qsizetype behind(const QByteArray &text, qsizetype from) const
    {
        const qsizetype found = m_body.indexOf(text, from);
        return found < 0 ? m_body.size() : found + text.size();
    }
    void maskOne()
    {
        m_body[m_at] = maskedChar(m_body.at(m_at));
        ++m_at;
    }
    void maskTo(qsizetype end)
    {
        while (m_at < end)
            maskOne();
    }
    void maskUntil(qsizetype opening, const QByteArray &closing)
    {
        m_at += opening;
        maskTo(behind(closing, m_at)); // no letters in it
    }

    [[nodiscard]] qsizetype endOfString() const
    {
        qsizetype end = m_at + 1;
        while (end < m_body.size() && m_body.at(end) != '"')
            end += m_body.at(end) == '\\' ? 2 : 1;
        return std::min(end + 1, m_body.size());
    }

    void jsonString()
    {
        const qsizetype end = endOfString();
        qsizetype next = end;
        while (next < m_body.size() && QByteArrayView(" \t\r\n").contains(m_body.at(next)))
            ++next;
        const bool isName = next < m_body.size() && m_body.at(next) == ':';
        if (isName)
            m_at = end;
        while (m_at < end)
            jsonChar(end);
    }

    void jsonChar(qsizetype end)
    {
        constexpr qsizetype unicodeEscape = 6; // \u0041
        if (m_body.at(m_at) != '\\') {
            maskOne();
        } else if (startsWith("\\u") && m_at + unicodeEscape <= end) {
            m_body.replace(m_at, unicodeEscape, "\\u0078");
            m_at += unicodeEscape;
        } else {
            m_at = std::min(m_at + 2, end);
        }
    }

    void jsonNumber()
    {
        m_body[m_at++] = '1';
        while (m_at < m_body.size()
               && (isDigit(m_body.at(m_at)) || QByteArrayView("+-.eE").contains(m_body.at(m_at)))) {
            if (isDigit(m_body.at(m_at)))
                m_body[m_at] = '0';
            ++m_at;
        }
    }

    void jsonWord()
    {
        qsizetype end = m_at;
        while (end < m_body.size() && isLetter(m_body.at(end)))
            ++end;
        const QByteArrayView word = QByteArrayView(m_body).sliced(m_at, end - m_at);
        if (word == "true" || word == "false" || word == "null")
            m_at = end;
        maskTo(end);
    }

    void xmlTag()
    {
        while (m_at < m_body.size() && m_body.at(m_at) != '>') {
            const char quote = m_body.at(m_at++);
            if (quote == '"' || quote == '\'')
                xmlText(behind(QByteArray(1, quote), m_at));
        }
        ++m_at;
    }

    void xmlText(qsizetype end)
    {
        while (m_at < end) {
            if (m_body.at(m_at) == '&')
                xmlEntity();
            else
                maskOne();
        }
    }

    // &amp; is structure, &#65; is a letter.
    void xmlEntity()
    {
        constexpr qsizetype longestEntity = 12;
        const QByteArrayView nearby =
            QByteArrayView(m_body).sliced(m_at).first(std::min(longestEntity, m_body.size() - m_at));
        const qsizetype semicolon = nearby.indexOf(';');
        if (semicolon < 0)
            return maskOne();
        const qsizetype end = m_at + semicolon + 1;
        if (startsWith("&#"))
            m_body.replace(m_at, end - m_at, QByteArray(end - m_at, 'x'));
        m_at = end;
    }

    QByteArray m_body;
    qsizetype m_at = 0;
};

} // namespace

QByteArray maskedBody(const QByteArray &body)
{
    if (!QUtf8StringView(body).isValidUtf8() || body.contains('\0'))
        return QByteArray(body.size(), '\0');
    const QByteArray trimmed = body.trimmed();
    const char first = trimmed.isEmpty() ? ' ' : trimmed.at(0);
    Masker masker(body);
    if (first == '{' || first == '[' || first == '"')
        return masker.json();
    return first == '<' ? masker.xml() : masker.plain();
}

} // namespace rehearsal
