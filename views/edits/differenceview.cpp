#include "views/edits/differenceview.h"

#include "views/common/lists/plaintipdelegate.h"
#include "views/common/theme/theme.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>

#include <algorithm>

namespace views {

namespace {

using models::DifferenceModel;

constexpr int padding = 6;

// Colours a line by what happens to it. The sign at its start says the same without colour.
class LineDelegate final : public PlainTipDelegate
{
public:
    LineDelegate(const Theme &theme, QObject *parent)
        : PlainTipDelegate(parent)
        , m_theme(theme)
    {
    }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const auto kind = DifferenceModel::LineKind(index.data(DifferenceModel::LineKindRole).toInt());
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        painter->fillRect(option.rect, selected ? m_theme.color(Token::Selection) : ground(kind));
        const bool isQuiet = index.column() != DifferenceModel::Text || kind == DifferenceModel::LineKind::Skipped;
        painter->setPen(m_theme.color(isQuiet ? Token::Muted : Token::Text));
        QFont font = option.font;
        font.setBold(kind == DifferenceModel::LineKind::Title);
        painter->setFont(font);
        const int side = index.column() == DifferenceModel::Text ? Qt::AlignLeft : Qt::AlignRight;
        painter->drawText(option.rect.adjusted(padding, 0, -padding, 0), side | Qt::AlignVCenter | Qt::TextSingleLine,
                          index.data().toString());
    }

private:
    [[nodiscard]] QColor ground(DifferenceModel::LineKind kind) const
    {
        switch (kind) {
        case DifferenceModel::LineKind::Removed:
            return m_theme.color(Token::BadNotice);
        case DifferenceModel::LineKind::Added: {
            constexpr double share = 0.55; // as muted as the colour of removed lines
            const QColor panel = m_theme.color(Token::Panel);
            const QColor green = m_theme.color(Token::BarDone);
            const auto mix = [](int a, int b) { return int(a * share + b * (1 - share)); };
            return {mix(green.red(), panel.red()), mix(green.green(), panel.green()), mix(green.blue(), panel.blue())};
        }
        case DifferenceModel::LineKind::Title:
            return m_theme.color(Token::Window);
        case DifferenceModel::LineKind::Same:
        case DifferenceModel::LineKind::Skipped:
            return m_theme.color(Token::Panel);
        }
        Q_UNREACHABLE();
    }

    const Theme &m_theme;
};

} // namespace

DifferenceView::DifferenceView(const Theme &theme, QWidget *parent)
    : QTableView(parent)
{
    setObjectName(QStringLiteral("difference"));
    setAccessibleName(tr("Changes"));
    setModel(&m_model);
    setItemDelegate(new LineDelegate(theme, this));
    setFont(Theme::monoFont());
    setShowGrid(false);
    setWordWrap(false);
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setTabKeyNavigation(false);
    setHorizontalScrollMode(ScrollPerPixel);
    horizontalHeader()->hide();
    horizontalHeader()->setMinimumSectionSize(0);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setMinimumSectionSize(0);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 4);
    connect(&theme, &Theme::changed, viewport(), qOverload<>(&QWidget::update));
}

void DifferenceView::present(const records::Difference &difference, const QSet<QString> &revealed,
                             const QStringList &added)
{
    m_model.show(difference, revealed, added);
    fitColumns();
}

void DifferenceView::clear()
{
    m_model.clear();
}

// Long lines do not wrap, because wrapped lines are hard to compare; the view scrolls sideways.
void DifferenceView::fitColumns()
{
    const QFontMetrics metrics = fontMetrics();
    constexpr int digits = 5;
    const int numbers =
        m_model.hasNumbers() ? metrics.horizontalAdvance(QString(digits, QLatin1Char('0'))) + 2 * padding : 0;
    const QString sign = QStringLiteral("+ ");
    const int text = metrics.horizontalAdvance(sign + m_model.longestText()) + 3 * padding;
    setColumnWidth(DifferenceModel::Before, numbers);
    setColumnWidth(DifferenceModel::After, numbers);
    setColumnWidth(DifferenceModel::Text, std::max(text, viewport()->width() - 2 * numbers));
}

void DifferenceView::resizeEvent(QResizeEvent *event)
{
    QTableView::resizeEvent(event);
    fitColumns();
}

void DifferenceView::keyPressEvent(QKeyEvent *event)
{
    if (!event->matches(QKeySequence::Copy)) {
        QTableView::keyPressEvent(event);
        return;
    }
    QModelIndexList rows = selectionModel()->selectedRows(DifferenceModel::Text);
    std::sort(rows.begin(), rows.end());
    QStringList lines;
    for (const QModelIndex &row : std::as_const(rows))
        lines.append(row.data().toString());
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

} // namespace views

#include "moc_differenceview.cpp"
