#include "views/common/filterrow.h"

#include "views/common/theme.h"

#include <QAction>
#include <QResizeEvent>

namespace views {

FilterRow::FilterRow(QWidget *parent)
    : QWidget(parent)
    , m_layout(new QHBoxLayout(this))
    , m_counts(new PlainLabel)
{
    setObjectName(QStringLiteral("filterRow"));
    setAttribute(Qt::WA_StyledBackground);
    m_layout->setContentsMargins(8, 5, 8, 5);
    m_layout->setSpacing(7);
    m_counts->setObjectName(QStringLiteral("muted"));
    m_counts->setAccessibleName(tr("Counts"));
}

QComboBox *FilterRow::addChoice(const QString &label, const QString &objectName)
{
    auto *text = new PlainLabel(label);
    text->setObjectName(QStringLiteral("muted"));
    auto *choice = new QComboBox;
    choice->setObjectName(objectName);
    choice->setAccessibleName(label);
    choice->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    choice->setMinimumWidth(118); // a narrow window shortens the words before it squeezes the panes beside
    text->setBuddy(choice);
    choice->setToolTip(plainToolTip(label));
    m_labels.append(text);
    m_layout->addWidget(text);
    m_layout->addWidget(choice);
    return choice;
}

QLineEdit *FilterRow::addBox(const Theme &theme, const QString &hint, const QString &objectName)
{
    auto *box = new QLineEdit;
    box->setObjectName(objectName);
    box->setAccessibleName(hint);
    box->setPlaceholderText(hint);
    box->setClearButtonEnabled(true);
    box->addAction(theme.icon(QStringLiteral("search"), Token::Muted), QLineEdit::LeadingPosition);
    box->setMinimumWidth(90);
    box->setMaximumWidth(320);
    m_layout->addWidget(box, 100); // before the stretch at the end gets any
    return box;
}

QString FilterRow::searchTip()
{
    return tr("Any part of an exception, type, id or queue, three characters or more; or words in headers and bodies "
              "(their first 256 KB), of which the last may be unfinished.");
}

void FilterRow::addButton(QWidget *button)
{
    m_layout->addWidget(button);
}

void FilterRow::finish()
{
    m_layout->addStretch(1);
    m_layout->addWidget(m_counts);
}

void FilterRow::resizeEvent(QResizeEvent *event)
{
    constexpr int labelledFrom = 790;
    QWidget::resizeEvent(event);
    for (PlainLabel *label : std::as_const(m_labels))
        label->setVisible(event->size().width() >= labelledFrom);
}

void FilterRow::setCounts(const QString &text)
{
    m_counts->setText(text);
}

} // namespace views
