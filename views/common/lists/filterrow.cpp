#include "views/common/lists/filterrow.h"

#include "models/common/text.h"
#include "views/common/lists/widecombobox.h"
#include "views/common/theme/theme.h"

#include <QAction>
#include <QResizeEvent>

namespace views {

static constexpr int leastBox = 110; // pixels, enough to read the search text

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
    auto *choice = new WideComboBox;
    choice->setObjectName(objectName);
    choice->setAccessibleName(label);
    choice->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    choice->setMinimumWidth(118); // so that a narrow window truncates the choice instead of squeezing the panes
    text->setBuddy(choice);
    choice->setToolTip(plainToolTip(label));
    m_labels.append(text);
    m_fixed.append(choice);
    m_layout->addWidget(text);
    m_layout->addWidget(choice);
    return choice;
}

QComboBox *FilterRow::addStatusChoice(models::ConsoleSession &session, const QString &objectName)
{
    using records::MessageStatus;
    QComboBox *choice = addChoice(tr("Status"), objectName);
    for (const MessageStatus status : records::messageStatuses)
        choice->addItem(models::textOf(status), int(status));
    const auto explain = [choice, &session] {
        const int inRetry = choice->findData(int(MessageStatus::RetryIssued));
        const QString tip = plainToolTip(models::inRetryTip(session.snapshot().connections));
        choice->setItemData(inRetry, tip, Qt::ToolTipRole);
        choice->setToolTip(choice->currentIndex() == inRetry ? tip : plainToolTip(choice->accessibleName()));
    };
    connect(choice, &QComboBox::currentIndexChanged, this, explain);
    connect(&session, &models::ConsoleSession::connectionsChanged, this, explain);
    explain();
    return choice;
}

QLineEdit *FilterRow::addBox(const Theme &theme, const QString &hint, const QString &objectName)
{
    auto *box = new QLineEdit;
    box->setObjectName(objectName);
    box->setAccessibleName(hint);
    box->setPlaceholderText(hint);
    box->setClearButtonEnabled(true);
    QAction *sign = box->addAction(theme.icon(QStringLiteral("search"), Token::Muted), QLineEdit::LeadingPosition);
    sign->setText(hint);
    box->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // has what the choices leave, not a part of theirs
    box->setMinimumWidth(90);
    box->setMaximumWidth(320);
    m_boxes.append(box);
    m_layout->addWidget(box, 100); // gets its room before the stretch at the end
    return box;
}

QString FilterRow::searchTip()
{
    return tr(
        "Type at least 3 characters. The search finds any part of an exception, type, ID or queue name. In headers and "
        "bodies (first 256 KB) it finds whole words and the beginning of the last word, but no other part of a word.");
}

void FilterRow::addButton(QWidget *button)
{
    m_fixed.append(button);
    m_layout->addWidget(button);
}

void FilterRow::finish()
{
    m_layout->addStretch(1);
    m_layout->addWidget(m_counts);
}

void FilterRow::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    arrange();
}

// The sum of the preferred widths, with the gap beside each widget.
int FilterRow::wanted(const QList<QWidget *> &widgets) const
{
    int sum = 0;
    for (const QWidget *widget : widgets)
        sum += widget->sizeHint().width() + m_layout->spacing();
    return sum;
}

// Keeps the choices readable as long as possible: hides first the labels (their text is also the tool tip of the
// choice), then the counts.
void FilterRow::arrange()
{
    const QMargins margins = m_layout->contentsMargins();
    QList<QWidget *> fixed = m_fixed;
    fixed.removeIf(
        [](const QWidget *one) { return one->isHidden() && one->testAttribute(Qt::WA_WState_ExplicitShowHide); });
    int room = width() - margins.left() - margins.right() - wanted(fixed) - int(m_boxes.size()) * leastBox;
    const bool counted = room >= wanted({m_counts});
    room -= counted ? wanted({m_counts}) : 0;
    m_counts->setVisible(counted);
    const bool labelled = counted && room >= wanted(m_labels);
    for (QWidget *label : std::as_const(m_labels))
        label->setVisible(labelled);
}

void FilterRow::setCounts(const QString &text)
{
    m_counts->setText(text);
    arrange();
}

} // namespace views

#include "moc_filterrow.cpp"
