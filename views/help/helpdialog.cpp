#include "views/help/helpdialog.h"

#include "models/help/manual.h"
#include "views/common/theme/resources.h"
#include "views/common/widgets/dialogfoot.h"
#include "views/common/widgets/dialogframe.h"

#include <QHBoxLayout>
#include <QListWidget>
#include <QPushButton>
#include <QTextBrowser>
#include <QTextCursor>

#include <algorithm>

namespace views {

namespace {

constexpr int textIndent = 18;
constexpr qreal gap = 8;

// Made of plain texts and formats, never of markup.
void write(QTextCursor &cursor, const models::HelpParagraph &paragraph, bool isExplanation)
{
    QTextBlockFormat block;
    block.setBottomMargin(paragraph.kind == models::HelpParagraph::Kind::Term ? 2 : gap);
    block.setLeftMargin(isExplanation ? textIndent : 0);
    cursor.insertBlock(block);
    for (const models::HelpText &text : paragraph.texts) {
        QTextCharFormat format;
        format.setFontWeight(text.isStrong || paragraph.kind == models::HelpParagraph::Kind::Term ? QFont::DemiBold
                                                                                                  : QFont::Normal);
        cursor.insertText(text.text, format);
    }
}

void write(QTextDocument &document, const models::HelpTopic &topic)
{
    QTextCursor cursor(&document);
    QTextBlockFormat block;
    block.setBottomMargin(gap);
    QTextCharFormat title;
    title.setFontWeight(QFont::Bold);
    title.setProperty(QTextFormat::FontSizeAdjustment, 1);
    cursor.setBlockFormat(block);
    cursor.insertText(topic.title, title);
    bool isExplanation = false;
    for (const models::HelpParagraph &paragraph : topic.paragraphs) {
        write(cursor, paragraph, isExplanation);
        isExplanation = paragraph.kind == models::HelpParagraph::Kind::Term;
    }
}

} // namespace

HelpDialog::HelpDialog(QWidget *parent)
    : QDialog(parent)
    , m_titles(new QListWidget)
    , m_text(new QTextBrowser)
{
    constexpr QSize size{680, 420};
    constexpr int titlesWidth = 190;
    initResources();
    setObjectName(QStringLiteral("helpDialog"));
    setWindowTitle(tr("Help"));
    setAttribute(Qt::WA_DeleteOnClose);
    m_titles->setObjectName(QStringLiteral("helpTitles"));
    m_titles->setAccessibleName(tr("Topics"));
    m_titles->setFixedWidth(titlesWidth);
    m_text->setObjectName(QStringLiteral("helpText"));
    m_text->setAccessibleName(tr("Help"));
    m_text->setOpenLinks(false);
    for (const models::HelpTopic &topic : models::helpTopics())
        m_titles->addItem(topic.title);
    auto *body = new QWidget(this);
    auto *middle = new QHBoxLayout(body);
    middle->addWidget(m_titles);
    middle->addWidget(m_text, 1);
    auto *foot = new DialogFoot(this);
    foot->addStretch();
    const QPushButton *close = foot->addLeave(QStringLiteral("helpClose"), tr("Close"));
    foot->setAct(DialogFoot::Act::CannotBeUndone); // so that Enter closes it
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_titles, &QListWidget::currentRowChanged, this, &HelpDialog::showRow);
    frameDialog(*this, {nullptr, body, foot});
    fitDialog(*this, size.width(), size.height());
}

void HelpDialog::showTopic(const QString &id)
{
    const QList<models::HelpTopic> &all = models::helpTopics();
    const auto found =
        std::find_if(all.begin(), all.end(), [&id](const models::HelpTopic &one) { return one.id == id; });
    m_titles->setCurrentRow(found == all.end() ? 0 : int(found - all.begin()));
}

QString HelpDialog::topic() const
{
    return models::helpTopics().value(m_titles->currentRow()).id;
}

void HelpDialog::showRow(int row)
{
    m_text->clear();
    if (row < 0 || row >= models::helpTopics().size())
        return;
    write(*m_text->document(), models::helpTopics().at(row));
    m_text->moveCursor(QTextCursor::Start);
}

} // namespace views

#include "moc_helpdialog.cpp"
