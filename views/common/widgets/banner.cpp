#include "views/common/widgets/banner.h"

#include "views/common/theme/styleproperty.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QPushButton>

namespace views {

namespace {

QString toneWord(models::Tone tone)
{
    switch (tone) {
    case models::Tone::Warn:
        return QStringLiteral("warn");
    case models::Tone::Bad:
        return QStringLiteral("bad");
    case models::Tone::Normal:
    case models::Tone::Muted:
    case models::Tone::Ok:
    case models::Tone::Accent:
        return QStringLiteral("notice");
    }
    Q_UNREACHABLE();
}

} // namespace

Banner::Banner(Kind kind, QWidget *parent)
    : QWidget(parent)
    , m_text(new PlainLabel)
    , m_button(new QPushButton)
{
    setObjectName(QStringLiteral("banner"));
    setAttribute(Qt::WA_StyledBackground);
    m_text->setObjectName(QStringLiteral("bannerText"));
    m_text->setWordWrap(true);
    m_button->setObjectName(QStringLiteral("bannerAction"));
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(10, 5, 8, 5);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_button);
    connect(m_button, &QPushButton::clicked, this, [this] {
        const std::function<void()> run = m_run; // the action may change this banner
        if (run)
            run();
    });
    m_button->setVisible(false);
    if (kind == Kind::Closable) {
        auto *close = new QPushButton(tr("Close"));
        close->setObjectName(QStringLiteral("bannerClose"));
        connect(close, &QPushButton::clicked, this, &Banner::dismiss);
        layout->addWidget(close);
    }
    dismiss();
}

void Banner::show(models::Tone tone, const QString &text, Action action)
{
    const bool losesKeys = action.text.isEmpty() && m_button->hasFocus();
    m_run = std::move(action.run);
    m_text->setText(text);
    setAccessibleName(text);
    m_button->setText(withoutMnemonics(action.text));
    m_button->setVisible(!action.text.isEmpty());
    setStyleProperty(this, "tone", toneWord(tone));
    setVisible(true);
    if (losesKeys)
        Q_EMIT keysLeft();
}

void Banner::dismiss()
{
    m_run = {};
    if (isAncestorOf(QApplication::focusWidget()))
        Q_EMIT keysLeft();
    setVisible(false);
}

QString Banner::text() const
{
    return isHidden() ? QString() : m_text->text();
}

} // namespace views

#include "moc_banner.cpp"
