#include "views/policies/formfield.h"

#include "views/common/theme/styleproperty.h"

#include <QHBoxLayout>

namespace views {

FormField::FormField(const QString &path, const QList<QWidget *> &parts, QWidget *parent)
    : QWidget(parent)
    , m_path(path)
    , m_parts(parts)
    , m_sentence(new PlainLabel)
{
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    for (QWidget *part : parts)
        row->addWidget(part, part->sizePolicy().horizontalPolicy() == QSizePolicy::Expanding ? 1 : 0);
    row->addStretch(0);
    m_sentence->setObjectName(QStringLiteral("fieldError"));
    m_sentence->setWordWrap(true);
    m_sentence->setProperty("tone", QStringLiteral("bad"));
    m_sentence->setVisible(false);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(3);
    layout->addLayout(row);
    layout->addWidget(m_sentence);
    setFocusProxy(parts.constFirst());
}

bool FormField::isAt(const QString &path) const
{
    return path == m_path || path.startsWith(m_path + QLatin1Char('[')) || path.startsWith(m_path + QLatin1Char('.'));
}

void FormField::setWrong(const QString &sentence)
{
    if (sentence == wrong())
        return;
    m_sentence->setText(sentence);
    m_sentence->setVisible(!sentence.isEmpty());
    for (QWidget *part : std::as_const(m_parts)) {
        setStyleProperty(part, "wrong", !sentence.isEmpty());
        part->setAccessibleDescription(sentence);
    }
}

QString FormField::wrong() const
{
    return m_sentence->text();
}

} // namespace views

#include "moc_formfield.cpp"
