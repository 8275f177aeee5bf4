#pragma once

#include "backend/records/connection.h"
#include "views/common/widgets/plaintext.h"

namespace views {

// The background colour of an environment; white text is readable on each, in both themes.
[[nodiscard]] QColor environmentColor(records::Environment environment);

// A small label: the name of an environment on its colour. GUI thread.
class Badge final : public QLabel
{
    Q_OBJECT

public:
    explicit Badge(QWidget *parent = nullptr);

    void show(records::Environment environment);
    void showDemo(); // marks the demonstration, which touches no data of the user

private:
    void show(const QString &word, const QColor &ground);
};

// Draws the same for delegates, right-aligned in `room` and vertically centred. Returns the rectangle it drew.
QRect drawBadge(QPainter *painter, const QRect &room, records::Environment environment);

} // namespace views
