#include "views/edits/steprow.h"

#include "models/common/formatters.h"
#include "views/common/theme/theme.h"
#include "views/common/widgets/plaintext.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QToolButton>

namespace views {

namespace {

using Do = records::EditStep::Do;
using models::TypedStep;

QToolButton *flatButton(const Theme &theme, const QString &icon, const QString &name, const QString &words,
                        QWidget *parent)
{
    auto *button = new QToolButton(parent);
    button->setObjectName(QStringLiteral("flat"));
    button->setProperty("name", name);
    button->setIcon(theme.icon(icon));
    button->setAccessibleName(words);
    button->setToolTip(plainToolTip(words));
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

} // namespace

StepRow::StepRow(const TypedStep &step, const Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_body(step.body)
    , m_number(new PlainLabel({}, this))
    , m_what(new QComboBox(this))
    , m_name(new QLineEdit(step.name, this))
    , m_text(new QLineEdit(step.text, this))
    , m_bodyText(new PlainLabel({}, this))
    , m_form(new QComboBox(this))
    , m_whereThere(new QCheckBox(tr("if present"), this))
    , m_up(flatButton(theme, QStringLiteral("chevron-up"), QStringLiteral("stepUp"), tr("Move step up"), this))
    , m_remove(flatButton(theme, QStringLiteral("trash"), QStringLiteral("stepRemove"), tr("Remove step"), this))
{
    makeFields(step, theme);
    fit();
    m_form->setCurrentIndex(m_form->findData(int(step.form)));
    connect(m_what, &QComboBox::currentIndexChanged, this, [this] {
        fit();
        Q_EMIT edited();
    });
    connect(m_form, &QComboBox::currentIndexChanged, this, &StepRow::edited);
    connect(m_name, &QLineEdit::textChanged, this, &StepRow::edited);
    connect(m_text, &QLineEdit::textChanged, this, &StepRow::edited);
    connect(m_whereThere, &QCheckBox::toggled, this, &StepRow::edited);
    connect(m_up, &QToolButton::clicked, this, &StepRow::upWanted);
    connect(m_remove, &QToolButton::clicked, this, &StepRow::removeWanted);
}

void StepRow::makeFields(const TypedStep &step, const Theme &)
{
    setObjectName(QStringLiteral("stepRow"));
    m_what->setObjectName(QStringLiteral("stepWhat"));
    m_what->setAccessibleName(tr("Action of this step"));
    for (const Do what :
         {Do::SetHeader, Do::RemoveHeader, Do::RenameHeader, Do::SetJson, Do::RemoveJson, Do::ReplaceText})
        m_what->addItem(TypedStep::title(what), int(what));
    if (step.what == Do::SetBody) // such a step comes from a file or from an edited message
        m_what->addItem(TypedStep::title(Do::SetBody), int(Do::SetBody));
    m_what->setCurrentIndex(m_what->findData(int(step.what)));
    m_name->setObjectName(QStringLiteral("stepName"));
    m_text->setObjectName(QStringLiteral("stepText"));
    m_form->setObjectName(QStringLiteral("stepForm"));
    m_form->setAccessibleName(tr("Type of the value"));
    m_bodyText->setText(tr("%1, from a file or an edited message").arg(models::formatSize(m_body.size())));
    m_bodyText->setProperty("tone", QStringLiteral("muted"));
    m_whereThere->setObjectName(QStringLiteral("stepWhereThere"));
    m_whereThere->setChecked(step.whereThere);
    m_whereThere->setToolTip(
        plainToolTip(tr("Checked: when this step finds nothing in a message, the message is sent without this step. "
                        "Unchecked: the message is left out of the retry.")));
    m_number->setProperty("tone", QStringLiteral("muted"));
    m_number->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("100")));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(m_number);
    row->addWidget(m_what);
    row->addWidget(m_name, 3);
    row->addWidget(m_text, 3);
    row->addWidget(m_bodyText, 3);
    row->addWidget(m_form);
    row->addWidget(m_whereThere);
    row->addWidget(m_up);
    row->addWidget(m_remove);
}

void StepRow::fit()
{
    const auto what = Do(m_what->currentData().toInt());
    const QSignalBlocker quiet(m_form);
    const int before = m_form->count() > 0 ? m_form->currentData().toInt() : 0;
    m_form->clear();
    for (const TypedStep::Form form : TypedStep::forms(what))
        m_form->addItem(TypedStep::textOf(form), int(form));
    m_form->setCurrentIndex(std::max(0, m_form->findData(before)));
    m_form->setVisible(m_form->count() > 0);
    m_name->setPlaceholderText(TypedStep::nameHint(what));
    m_name->setAccessibleName(TypedStep::nameHint(what));
    m_name->setVisible(what != Do::SetBody);
    m_text->setPlaceholderText(TypedStep::textHint(what));
    m_text->setAccessibleName(TypedStep::textHint(what));
    m_text->setVisible(!TypedStep::textHint(what).isEmpty());
    m_bodyText->setVisible(what == Do::SetBody);
    m_whereThere->setVisible(what != Do::SetHeader && what != Do::SetBody); // both work on every message
}

TypedStep StepRow::step() const
{
    TypedStep step;
    step.what = Do(m_what->currentData().toInt());
    step.name = m_name->text();
    if (!TypedStep::textHint(step.what).isEmpty())
        step.text = m_text->text();
    if (m_form->count() > 0)
        step.form = TypedStep::Form(m_form->currentData().toInt());
    if (step.what == Do::SetBody)
        step.body = m_body;
    step.whereThere = m_whereThere->isChecked() && step.what != Do::SetHeader && step.what != Do::SetBody;
    return step;
}

void StepRow::setNumber(int number)
{
    m_number->setText(models::formatNumber(number));
    m_up->setEnabled(number > 1);
    setAccessibleName(tr("Step %1").arg(number));
}

void StepRow::focusName()
{
    m_name->setFocus();
}

} // namespace views

#include "moc_steprow.cpp"
