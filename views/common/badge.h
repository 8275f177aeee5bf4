#pragma once

#include "backend/records/connection.h"
#include "views/common/plaintext.h"

namespace views {

// The ground colour of an environment; white text is readable on each, in both themes.
[[nodiscard]] QColor environmentColor(records::Environment environment);

// The environment's word on its colour.
class Badge final : public QLabel
{
    Q_OBJECT

public:
    explicit Badge(QWidget *parent = nullptr);

    void show(records::Environment environment);
    void showDemo(); // of the demonstration, which touches nothing of the user's

private:
    void show(const QString &word, const QColor &ground);
};

// The same, for delegates: the rectangle it took, right-aligned in `room` and vertically centred.
QRect drawBadge(QPainter *painter, const QRect &room, records::Environment environment);

} // namespace views
