#pragma once

#include "views/common/theme/tokens.h"

#include <QIconEngine>

namespace views {

class Theme;

// Draws an icon of resources/icons in the current colour of its token, so that a change of theme needs no new icons.
class ThemedIcon final : public QIconEngine
{
public:
    ThemedIcon(const Theme &theme, QString name, Token token);

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State state) override;
    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override;
    [[nodiscard]] QIconEngine *clone() const override;
    [[nodiscard]] QString key() const override { return QStringLiteral("redrive"); }

private:
    const Theme &m_theme;
    QString m_name;
    Token m_token;
};

} // namespace views
