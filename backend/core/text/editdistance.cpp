#include "backend/core/text/editdistance.h"

#include <QList>

#include <algorithm>
#include <numeric>

namespace core {

int editDistance(const QString &one, const QString &other)
{
    QList<int> row(other.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (qsizetype i = 0; i < one.size(); ++i) {
        int diagonal = std::exchange(row[0], int(i) + 1);
        for (qsizetype j = 0; j < other.size(); ++j) {
            const int replaced = diagonal + (one.at(i) == other.at(j) ? 0 : 1);
            diagonal = row.at(j + 1);
            row[j + 1] = std::min({replaced, row.at(j) + 1, diagonal + 1});
        }
    }
    return row.last();
}

QString nearestOf(const QString &name, const QStringList &words)
{
    constexpr int mostChanges = 2;
    constexpr qsizetype longest = 24;
    if (name.size() > longest)
        return {};
    QString nearest;
    int least = mostChanges + 1;
    for (const QString &word : words) {
        const int changes = editDistance(name, word);
        if (changes < least && changes * 2 < word.size()) {
            nearest = word;
            least = changes;
        }
    }
    return nearest;
}

} // namespace core
