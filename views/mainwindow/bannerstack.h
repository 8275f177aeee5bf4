#pragma once

#include <QTimer>
#include <QWidget>

class QVBoxLayout;

namespace views {

class Banner;

// The banners of a window, over the lower edge of its pages. They come and go at any time, and a page that moved then
// would be under the pointer with something else: so nothing below the pointer moves. The pages make room for them, and
// take it back, only while the pointer is elsewhere, and a banner does not appear under the pointer. GUI thread.
class BannerStack final : public QWidget
{
    Q_OBJECT

public:
    // `over`: has the pages, in a layout.
    explicit BannerStack(QWidget *over);

    // From top to bottom. `before`: one that is there; null: at the end.
    void add(Banner *banner, const Banner *before = nullptr);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void place();
    void makeRoom();
    [[nodiscard]] int wantedHeight() const; // 0: no banner is shown

    QWidget *m_over;
    QVBoxLayout *m_column;
    QTimer m_again; // the pointer was where a banner should appear
};

} // namespace views
