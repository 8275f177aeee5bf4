#pragma once

#include "views/common/page.h"

class QHBoxLayout;

namespace views {

// The connection or queue that every page is narrowed to; empty: none.
[[nodiscard]] QString placeText(const Console &console);

// What narrows the list beside the filter row, each with a way out.
class FilterChips final : public QWidget
{
    Q_OBJECT

public:
    explicit FilterChips(const Theme &theme, QWidget *parent = nullptr);

    struct Chip
    {
        int id = 0;
        QString text; // untrusted: shown plain
    };
    void show(const QList<Chip> &chips); // none: hidden

Q_SIGNALS:
    void removed(int id);

private:
    const Theme &m_theme;
    QHBoxLayout *m_layout;
};

} // namespace views
