#pragma once

#include <QScrollArea>

class QDialog;

namespace views {

class DialogFoot;

// The part of a dialog between its head and its foot. It scrolls where the screen has no room for all of it.
class DialogBody final : public QScrollArea
{
    Q_OBJECT

public:
    explicit DialogBody(QWidget *content, QWidget *parent);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    // The height in which nothing has to scroll, in a dialog of this width.
    [[nodiscard]] int contentHeight(int width) const;
};

// Made in this order, which is the order of the tab key. The dialog is the parent of each.
struct DialogParts
{
    QWidget *head = nullptr; // may be null
    QWidget *body = nullptr;
    DialogFoot *foot = nullptr;
};

// Puts the parts of a dialog together, so that its buttons are on the screen however small that is: only the body
// scrolls, and on a low screen the head scrolls with it. GUI thread.
DialogBody *frameDialog(QDialog &dialog, const DialogParts &parts);

// Gives the dialog this size in pixels, as far as the screen has room. A height of 0: as high as its content.
void fitDialog(QDialog &dialog, int width, int height = 0);

} // namespace views
