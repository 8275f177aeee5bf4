#pragma once

#include "views/common/page.h"

class QHBoxLayout;

namespace views {

// The connection or queue that all pages are narrowed to, as text; empty: none.
[[nodiscard]] QString placeText(const Console &console);

// The filters of a list beyond the filter row: one button for each, which removes it. GUI thread.
class FilterChips final : public QWidget
{
    Q_OBJECT

public:
    explicit FilterChips(const Theme &theme, QWidget *parent = nullptr);

    struct Chip
    {
        int id = 0;
        QString text; // may come from a broker; shown as plain text
    };
    void show(const QList<Chip> &chips); // hidden when empty

Q_SIGNALS:
    void removed(int id);

private:
    const Theme &m_theme;
    QHBoxLayout *m_layout;
};

} // namespace views
