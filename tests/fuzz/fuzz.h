// What every fuzz target needs: its bytes in pieces, and a way to say which property they broke. A target is one file with
// one LLVMFuzzerTestOneInput: libFuzzer calls it with what it makes up, replay.cpp with the files of the corpus.
#pragma once

#include <QByteArray>
#include <QByteArrayList>
#include <QString>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace fuzz {

// Ends the program: libFuzzer keeps the input, a replay fails.
[[noreturn]] inline void violated(const char *property, const QByteArray &shown = {})
{
    std::fprintf(stderr, "VIOLATED: %s\n%s\n", property, shown.left(4096).constData());
    std::abort();
}

inline void holds(bool condition, const char *property, const QByteArray &shown = {})
{
    if (!condition)
        violated(property, shown);
}

// The first byte of an input says which of the target's parsers it is for; the rest is for that one, in parts between
// separators of one byte where it takes several.
class Input final
{
public:
    Input(const uint8_t *data, size_t size)
        : m_bytes(reinterpret_cast<const char *>(data), qsizetype(size))
    {
    }

    [[nodiscard]] char mode() const { return m_bytes.isEmpty() ? '\0' : m_bytes.at(0); }
    [[nodiscard]] QByteArray rest() const { return m_bytes.mid(1); }
    [[nodiscard]] QString text() const { return QString::fromUtf8(rest()); }
    // Empty ones too, so that each keeps its place.
    [[nodiscard]] QByteArrayList parts() const { return rest().split(separator); }

    static constexpr char separator = '\x1e';

private:
    const QByteArray m_bytes;
};

// What may turn a terminal or a line of text around, as a person reads it.
[[nodiscard]] inline bool isHarmful(char32_t one)
{
    switch (QChar::category(one)) {
    case QChar::Other_Control:
    case QChar::Other_Format:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph:
        return true;
    default:
        return false;
    }
}

[[nodiscard]] inline bool hasHarmful(const QString &text, const QString &allowed = {})
{
    for (const char32_t one : text.toUcs4()) {
        if (isHarmful(one) && !(one < 0x80 && allowed.contains(QChar(char16_t(one)))))
            return true;
    }
    return false;
}

} // namespace fuzz
