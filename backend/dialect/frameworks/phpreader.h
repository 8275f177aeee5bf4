// Reads the tokens of serialize() of PHP for PhpSerialized, without recursion.
#pragma once

#include "backend/dialect/frameworks/phpserialized.h"

namespace dialect {

// Whether PHP counts it: keys and aliases have no number.
[[nodiscard]] inline bool isNumbered(const PhpValue &value)
{
    return !value.isKey && value.kind != PhpKind::Alias;
}

class PhpReader final
{
public:
    // Both must outlive the reader.
    PhpReader(const QByteArray &bytes, std::vector<PhpValue> &values)
        : m_bytes(bytes)
        , m_values(values)
    {
    }

    // False if the bytes are not exactly one value.
    [[nodiscard]] bool read();

private:
    struct Open
    {
        int value = 0; // index
        int left = 0; // keys and values that are still to come
    };

    [[nodiscard]] bool readValue(bool isKey);
    [[nodiscard]] bool readContent(char letter, PhpValue &value);
    [[nodiscard]] bool readNumber(PhpValue &value, bool (*isOne)(QByteArrayView text));
    [[nodiscard]] bool readText(PhpValue &value);
    [[nodiscard]] bool readEscaped(PhpValue &value);
    [[nodiscard]] bool readHolder(PhpValue &value);
    [[nodiscard]] bool readCustom(PhpValue &value);
    [[nodiscard]] bool closeFull();
    [[nodiscard]] bool take(const char *text);
    [[nodiscard]] int takeCount(); // -1 if there is none

    const QByteArray &m_bytes;
    std::vector<PhpValue> &m_values;
    std::vector<Open> m_open;
    int m_at = 0;
    int m_numbered = 0;
};

} // namespace dialect
