#include "models/messages/messagescope.h"

#include "models/common/text.h"

namespace models {

namespace {

constexpr qsizetype exceptAtMost = 1000;

std::vector<bool> marked(const MessagesModel &model, const QItemSelection &selection)
{
    std::vector<bool> rows(size_t(model.rowCount()), false);
    for (const QItemSelectionRange &range : selection) {
        for (int row = range.top(); row <= range.bottom() && size_t(row) < rows.size(); ++row)
            rows[size_t(row)] = true;
    }
    return rows;
}

} // namespace

QList<core::MessageId> selectedIds(const MessagesModel &model, const QItemSelection &selection)
{
    const std::vector<bool> rows = marked(model, selection);
    QList<core::MessageId> ids;
    for (size_t row = 0; row < rows.size(); ++row) {
        if (rows[row])
            ids.append(model.ids().at(qsizetype(row)));
    }
    return ids;
}

ActionScope messageScope(const MessagesModel &model, const QItemSelection &selection)
{
    const std::vector<bool> rows = marked(model, selection);
    const qsizetype chosen = std::count(rows.cbegin(), rows.cend(), true);
    if (chosen == 0)
        return {};
    ActionScope scope;
    scope.count = chosen;
    scope.asOfChange = model.asOfChange();
    scope.connection = model.query().filter.connection;
    const qsizetype left = qsizetype(rows.size()) - chosen;
    const bool wholeFilter = model.isListed() && left <= exceptAtMost && (left == 0 ? chosen > 1 : chosen > 10 * left);
    scope.filter = model.query().filter;
    QList<core::MessageId> &named = wholeFilter ? scope.filter.except : scope.filter.messages;
    named.clear();
    for (size_t row = 0; row < rows.size(); ++row) {
        if (rows[row] != wholeFilter)
            named.append(model.ids().at(qsizetype(row)));
    }
    if (wholeFilter)
        scope.words = left == 0 ? Text::tr("everything in this filter")
                                : Text::tr("everything in this filter except %1").arg(formatNumber(left));
    if (!scope.connection.isValid()) {
        if (const records::FailedMessage *first =
                model.messageAt(int(std::find(rows.cbegin(), rows.cend(), true) - rows.cbegin()));
            first != nullptr && chosen == 1)
            scope.connection = first->connection;
    }
    return scope;
}

QItemSelection rowsOf(const MessagesModel &model, const QSet<core::MessageId> &ids)
{
    QItemSelection selection;
    const int last = model.columnCount() - 1;
    const QList<core::MessageId> &all = model.ids();
    for (qsizetype row = 0; row < all.size() && !ids.isEmpty(); ++row) {
        if (!ids.contains(all.at(row)))
            continue;
        const qsizetype first = row;
        while (row + 1 < all.size() && ids.contains(all.at(row + 1)))
            ++row;
        selection.append(QItemSelectionRange(model.index(int(first), 0), model.index(int(row), last)));
    }
    return selection;
}

} // namespace models
