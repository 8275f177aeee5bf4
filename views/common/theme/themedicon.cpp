#include "views/common/theme/themedicon.h"

#include "views/common/theme/theme.h"

#include <QFile>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

namespace views {

ThemedIcon::ThemedIcon(const Theme &theme, QString name, Token token)
    : m_theme(theme)
    , m_name(std::move(name))
    , m_token(token)
{
}

void ThemedIcon::paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State state)
{
    const QSize pixels = rect.size() * painter->device()->devicePixelRatioF();
    painter->drawPixmap(rect, pixmap(pixels, mode, state));
}

QPixmap ThemedIcon::pixmap(const QSize &size, QIcon::Mode mode, QIcon::State)
{
    const QColor color = m_theme.color(mode == QIcon::Disabled ? Token::Muted : m_token);
    const QString cached =
        QStringLiteral("redrive-%1-%2-%3x%4")
            .arg(m_name, color.name(), QString::number(size.width()), QString::number(size.height()));
    QPixmap pixmap;
    if (QPixmapCache::find(cached, &pixmap))
        return pixmap;
    pixmap = QPixmap(size);
    pixmap.fill(Qt::transparent);
    QFile file(QStringLiteral(":/icons/%1.svg").arg(m_name));
    if (file.open(QIODevice::ReadOnly)) {
        QSvgRenderer renderer(file.readAll().replace("currentColor", color.name().toLatin1()));
        QPainter painter(&pixmap);
        renderer.render(&painter);
    }
    QPixmapCache::insert(cached, pixmap);
    return pixmap;
}

QIconEngine *ThemedIcon::clone() const
{
    return new ThemedIcon(m_theme, m_name, m_token);
}

} // namespace views
