#include "views/policies/ruleseditor.h"

#include "views/common/lists/datatable.h"
#include "views/common/theme/styleproperty.h"
#include "views/common/widgets/plaintext.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>

#include <utility>

namespace views {

using models::ClassRulesModel;
using recovery::ClassRule;

namespace {

constexpr int rulesHeight = 128; // the head and three rules

} // namespace

RulesEditor::RulesEditor(const Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_table(new DataTable(theme, -1))
    , m_sentence(new PlainLabel)
{
    m_table->setObjectName(QStringLiteral("classRules"));
    m_table->setAccessibleName(tr("Classification rules"));
    m_table->setModel(&m_model);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setWidths({52, 150, 0, 260}, ClassRulesModel::Pattern);
    m_table->setFixedHeight(rulesHeight);
    m_table->setProperty("framed", true);
    m_table->installEventFilter(this);
    m_sentence->setObjectName(QStringLiteral("rulesError"));
    m_sentence->setWordWrap(true);
    m_sentence->setProperty("tone", QStringLiteral("bad"));
    m_sentence->setVisible(false);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(makeButtons());
    layout->addWidget(m_table);
    layout->addWidget(makeFields());
    layout->addWidget(m_sentence);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &RulesEditor::showChosen);
    connect(m_table, &DataTable::opened, this, [this] { m_pattern->setFocus(); });
    connect(&m_model, &ClassRulesModel::edited, this, &RulesEditor::edited);
    showChosen();
}

QWidget *RulesEditor::makeButtons()
{
    auto *bar = new QWidget;
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    auto *title = new PlainLabel(tr("Which failures are worth a retry"));
    title->setProperty("strong", true);
    row->addWidget(title, 1);
    const auto button = [row](const QString &name, const QString &text, const QString &tip) {
        auto *one = new QPushButton(text);
        one->setObjectName(name);
        one->setAutoDefault(false);
        one->setToolTip(plainToolTip(tip));
        row->addWidget(one);
        return one;
    };
    m_add = button(QStringLiteral("ruleAdd"), tr("Add rule"), tr("Add a rule at the end"));
    m_remove = button(QStringLiteral("ruleRemove"), tr("Remove rule"), tr("Remove the selected rule"));
    m_up = button(QStringLiteral("ruleUp"), tr("Move up"), tr("The first rule that matches decides"));
    m_down = button(QStringLiteral("ruleDown"), tr("Move down"), tr("The first rule that matches decides"));
    connect(m_add, &QPushButton::clicked, this, &RulesEditor::addRule);
    connect(m_remove, &QPushButton::clicked, this, &RulesEditor::removeRule);
    connect(m_up, &QPushButton::clicked, this, [this] { moveRule(-1); });
    connect(m_down, &QPushButton::clicked, this, [this] { moveRule(1); });
    return bar;
}

QWidget *RulesEditor::makeFields()
{
    auto *bar = new QWidget;
    m_by = new QComboBox;
    m_by->setObjectName(QStringLiteral("ruleBy"));
    m_by->setAccessibleName(tr("Condition of the selected rule"));
    for (int i = 0; i <= int(lastOf(ClassRule::By())); ++i)
        m_by->addItem(models::textOf(ClassRule::By(i)), i);
    m_pattern = new QLineEdit;
    m_pattern->setObjectName(QStringLiteral("rulePattern"));
    m_pattern->setAccessibleName(tr("Pattern of the selected rule"));
    m_pattern->setToolTip(plainToolTip(
        tr("An asterisk stands for any characters, a question mark for one. An exception type includes its subtypes: "
           "those of .NET and Java are known.")));
    m_as = new QComboBox;
    m_as->setObjectName(QStringLiteral("ruleAs"));
    m_as->setAccessibleName(tr("Class of the selected rule"));
    for (int i = 0; i <= int(lastOf(recovery::FailureClass())); ++i)
        m_as->addItem(models::textOf(recovery::FailureClass(i)), i);
    connect(m_by, &QComboBox::currentIndexChanged, this, &RulesEditor::changeChosen);
    connect(m_pattern, &QLineEdit::textChanged, this, &RulesEditor::changeChosen);
    connect(m_as, &QComboBox::currentIndexChanged, this, &RulesEditor::changeChosen);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(m_by);
    row->addWidget(m_pattern, 1);
    row->addWidget(m_as);
    return bar;
}

void RulesEditor::setRules(const QList<ClassRule> &rules)
{
    if (rules == m_model.rules())
        return;
    m_model.setRules(rules);
    showChosen();
}

void RulesEditor::setWrong(const QString &path, const QString &sentence)
{
    static const QRegularExpression place(QStringLiteral("^classify\\[(\\d+)\\]"));
    const QRegularExpressionMatch match = place.match(path);
    m_model.setWrong(match.hasMatch() ? match.captured(1).toInt() : -1);
    m_sentence->setText(match.hasMatch() ? tr("Rule %1: %2").arg(match.captured(1).toInt() + 1).arg(sentence)
                                         : sentence);
    m_sentence->setVisible(!sentence.isEmpty());
    setStyleProperty(m_pattern, "wrong", match.hasMatch() && match.captured(1).toInt() == chosen());
}

int RulesEditor::chosen() const
{
    return m_table->currentIndex().isValid() ? m_table->currentIndex().row() : -1;
}

void RulesEditor::choose(int row)
{
    if (row >= 0 && row < m_model.rowCount())
        m_table->selectRow(row);
    showChosen();
}

void RulesEditor::addRule()
{
    choose(m_model.add());
    m_table->scrollToBottom();
    m_pattern->setFocus();
}

void RulesEditor::removeRule()
{
    const int row = chosen();
    m_model.remove(row);
    choose(std::min(row, m_model.rowCount() - 1));
}

void RulesEditor::moveRule(int by)
{
    const int row = chosen();
    m_model.move(row, by);
    choose(std::clamp(row + by, 0, m_model.rowCount() - 1));
}

void RulesEditor::showChosen()
{
    const int row = chosen();
    const bool any = row >= 0 && row < m_model.rowCount();
    m_remove->setEnabled(any);
    m_up->setEnabled(any && row > 0);
    m_down->setEnabled(any && row + 1 < m_model.rowCount());
    for (QWidget *field :
         {static_cast<QWidget *>(m_by), static_cast<QWidget *>(m_pattern), static_cast<QWidget *>(m_as)})
        field->setEnabled(any);
    m_pattern->setPlaceholderText(m_model.rowCount() == 0 ? tr("No rule yet: the built-in rules decide")
                                                          : tr("Such as *Timeout*"));
    if (!any)
        return;
    const ClassRule rule = m_model.rules().at(row);
    m_showing = true;
    m_by->setCurrentIndex(int(rule.by));
    m_as->setCurrentIndex(int(rule.as));
    const bool isStatus = rule.by == ClassRule::By::HttpStatus;
    m_pattern->setText(!isStatus ? rule.pattern : rule.httpStatus == 0 ? QString() : QString::number(rule.httpStatus));
    m_showing = false;
}

// A status that is not a number is kept as 0, which the check refuses at its field.
void RulesEditor::changeChosen()
{
    if (m_showing || chosen() < 0)
        return;
    ClassRule rule;
    rule.by = ClassRule::By(m_by->currentData().toInt());
    rule.as = recovery::FailureClass(m_as->currentData().toInt());
    if (rule.by == ClassRule::By::HttpStatus)
        rule.httpStatus = m_pattern->text().trimmed().toInt();
    else
        rule.pattern = m_pattern->text();
    m_model.change(chosen(), rule);
}

bool RulesEditor::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_table && event->type() == QEvent::KeyPress
        && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Delete) {
        removeRule();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace views

#include "moc_ruleseditor.cpp"
