#pragma once

#include <QStringList>
#include <QStringView>

namespace records {

// A pattern for a whole text: `*` stands for any characters or none, `?` for exactly one (a UTF-16 unit), everything else
// for itself, in this case. There is no escape. The pattern is cut into the pieces between its `*`. Each piece is found
// at its first place and never looked for again, so the time is at most the product of both lengths. Any thread.
class Glob final
{
public:
    explicit Glob(const QString &pattern);

    [[nodiscard]] bool matches(QStringView text) const;
    [[nodiscard]] static bool isGlob(QStringView pattern); // false: it matches only itself

private:
    QStringList m_pieces; // one more than there are `*`
};

} // namespace records
