#include "views/detail/detailtabs.h"

#include "models/common/text.h"
#include "models/common/visibletext.h"
#include "views/common/lists/datatable.h"
#include "views/common/widgets/elidedlabel.h"
#include "views/conventions/usemenu.h"
#include "views/detail/factsgrid.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>

namespace views {

namespace {

QVBoxLayout *flat(QWidget *widget)
{
    auto *layout = new QVBoxLayout(widget);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    return layout;
}

QPlainTextEdit *readOnlyText(const QString &name)
{
    auto *text = new QPlainTextEdit;
    text->setObjectName(QStringLiteral("plain"));
    text->setAccessibleName(name);
    text->setReadOnly(true);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    text->setFont(Theme::monoFont());
    text->setUndoRedoEnabled(false);
    text->document()->setDocumentMargin(10);
    text->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored); // has the room that is left
    text->setMinimumHeight(2 * text->fontMetrics().lineSpacing());
    return text;
}

// Type and message, then the frames. A .NET trace already begins with type and message, so they are not added twice.
QString traceOf(const records::Failure &failure)
{
    if (!failure.exceptionType.isEmpty() && failure.stackTrace.startsWith(failure.exceptionType))
        return failure.stackTrace;
    QString trace = failure.exceptionType;
    if (!failure.exceptionMessage.isEmpty())
        trace += QStringLiteral(": ") + failure.exceptionMessage;
    return trace + QLatin1Char('\n') + failure.stackTrace;
}

// Keeps "   at " on one line with its frame: its spaces become no-break spaces. Copied text has plain spaces again.
QString withFramesWhole(const QString &trace)
{
    static const QRegularExpression lead(QStringLiteral("^[ \t]*at "), QRegularExpression::MultilineOption);
    QString text = trace;
    for (auto match = lead.globalMatch(trace); match.hasNext();) {
        const QRegularExpressionMatch one = match.next();
        QString whole = one.captured();
        text.replace(one.capturedStart(), one.capturedLength(), whole.replace(QLatin1Char(' '), QChar::Nbsp));
    }
    return text;
}

QString ordinalTime(const records::FailedMessage &message)
{
    return message.attempts > 1 ? StackTab::tr("failed %1 times").arg(models::formatNumber(message.attempts))
                                : QString();
}

} // namespace

StackTab::StackTab(const Console &console, QWidget *parent)
    : QWidget(parent)
    , m_console(console)
    , m_trace(readOnlyText(tr("Stack trace")))
{
    auto *facts = new FactsGrid;
    m_type = facts->add(tr("Message"), true);
    m_id = facts->add(tr("ID"), true);
    m_returnsTo = facts->add(tr("Returns to"));
    m_failed = facts->add(tr("Failed"));
    m_status = facts->add(tr("Status"));
    m_trace->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    auto *layout = flat(this);
    layout->addWidget(facts);
    layout->addWidget(m_trace, 1);
}

static QString returnsTo(const records::Destination &to)
{
    const QString from = models::visibleLine(to.knownFrom);
    if (!to.queue.isEmpty())
        return StackTab::tr("%1 (%2, %3)").arg(models::visibleLine(to.queue), models::textOf(to.certainty), from);
    return from.isEmpty() ? StackTab::tr("unknown") : StackTab::tr("none: %1").arg(from);
}

void StackTab::present(const api::MessageDetail &detail)
{
    constexpr qsizetype longestTrace = 64 * 1024;
    const records::FailedMessage &message = detail.message;
    m_type->setFact(models::visibleLine(message.messageType));
    const QString id = models::visibleLine(message.messageId.isEmpty() ? message.uniqueId : message.messageId);
    m_id->setFact(id);
    m_returnsTo->setFact(returnsTo(message.destination));
    QStringList failed{models::formatFullTime(message.lastFailed, m_console.filter.zone())};
    for (const QString &part : {ordinalTime(message), message.failure.host}) {
        if (!part.isEmpty())
            failed.append(models::visibleLine(part));
    }
    m_failed->setFact(failed.join(QStringLiteral(" · ")));
    QStringList status{models::textOf(message.status)};
    const api::ConnectionView *connection = m_console.session.connection(message.connection);
    if (message.status == records::MessageStatus::RetryIssued && connection != nullptr)
        status.append(models::resolvedAfterText(connection->resolvedAfter));
    if (message.cameBack > 0)
        status.append(tr("came back %1 times", nullptr, message.cameBack).arg(message.cameBack));
    if (message.flags.testFlag(records::MessageFlag::BrowsedOnly) && !detail.attempts.isEmpty()) {
        const core::TimePoint seen = detail.attempts.constFirst().takenAt;
        status.append(tr("browsed only: last seen in its queue at %1")
                          .arg(models::formatFullTime(seen, m_console.filter.zone())));
    }
    status.append(models::textOf(message.flags));
    m_status->setFact(status.join(QStringLiteral(" · ")));
    const models::BodyText shown = models::plainLines(traceOf(message.failure).left(longestTrace));
    if (m_trace->toPlainText() != shown.text)
        m_trace->setPlainText(withFramesWhole(shown.text));
}

HeadersTab::HeadersTab(const Console &console, models::DetailFeed &feed, QWidget *parent)
    : QWidget(parent)
    , m_console(console)
    , m_feed(feed)
    , m_box(new QLineEdit)
    , m_table(new DataTable(console.theme, -1))
    , m_use(new QPushButton(tr("Use in a convention")))
    , m_menu(new QMenu(this))
{
    m_box->setObjectName(QStringLiteral("headerFilter"));
    m_box->setPlaceholderText(tr("Search headers"));
    m_box->setAccessibleName(tr("Search headers"));
    m_box->setClearButtonEnabled(true);
    m_table->setObjectName(QStringLiteral("headersTable"));
    m_table->setAccessibleName(tr("Headers"));
    m_table->setModel(feed.headers());
    m_table->setWidths({130, 0}, models::HeadersModel::Value);
    m_table->fitColumn(models::HeadersModel::Name);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_use->setObjectName(QStringLiteral("headerUse"));
    m_use->setToolTip(plainToolTip(tr("Say what this header means in messages like this one.")));
    m_use->setProperty("popup", true);
    m_use->setMenu(m_menu);
    auto *row = new QWidget;
    row->setObjectName(QStringLiteral("filterRow"));
    auto *rowLayout = new QHBoxLayout(row);
    rowLayout->setContentsMargins(8, 5, 8, 5);
    rowLayout->addWidget(m_box, 1);
    rowLayout->addWidget(m_use);
    auto *layout = flat(this);
    layout->addWidget(row);
    layout->addWidget(m_table, 1);
    connect(m_table, &DataTable::opened, this,
            [&feed](const QModelIndex &index) { feed.headers()->reveal(index.row()); });
    connect(m_menu, &QMenu::aboutToShow, this, &HeadersTab::fillMenu);
    connect(m_table, &QWidget::customContextMenuRequested, this,
            [this](const QPoint &place) { m_menu->popup(m_table->viewport()->mapToGlobal(place)); });
    connect(m_box, &QLineEdit::textChanged, this, [&feed](const QString &text) { feed.headers()->setFilter(text); });
}

records::MessagePlace HeadersTab::chosen() const
{
    using In = records::MessagePlace::In;
    const QModelIndex index = m_table->chosenRow();
    if (!index.isValid())
        return {};
    const models::HeaderRow &row = m_feed.headers()->rows().at(index.row());
    return {row.isProperty ? In::Property : In::Header, row.name, {}};
}

void HeadersTab::fillMenu()
{
    m_menu->clear();
    const auto ask = [this](const records::MessagePlace &place, std::optional<models::PlaceUse> use) {
        if (m_feed.detail())
            Q_EMIT m_console.navigator.conventionRequested(*m_feed.detail(), place, use);
    };
    const records::MessagePlace place = chosen();
    m_menu->setTitle(tr("Use in a convention"));
    QAction *inside = m_menu->addAction(place.name.isEmpty() ? tr("Choose a field…") : tr("Choose a field inside…"));
    inside->setObjectName(QStringLiteral("useInside"));
    connect(inside, &QAction::triggered, this, [ask, place] { ask(place, std::nullopt); });
    if (place.name.isEmpty())
        return;
    m_menu->addSeparator();
    addUses(*m_menu, place, [ask, place](models::PlaceUse use) { ask(place, use); });
}

void HeadersTab::focusFilter()
{
    m_box->setFocus(Qt::ShortcutFocusReason);
}

BodyTab::BodyTab(const Console &console, models::DetailFeed &feed, QWidget *parent)
    : QWidget(parent)
    , m_feed(feed)
    , m_words(new ElidedLabel)
    , m_view(new QComboBox)
    , m_more(new QPushButton(tr("Load all")))
    , m_use(new QPushButton(tr("Use in a convention…")))
    , m_text(readOnlyText(tr("Body")))
{
    m_view->setObjectName(QStringLiteral("bodyView"));
    m_view->setAccessibleName(tr("Body format"));
    m_view->addItem(tr("Formatted"), int(models::BodyView::Formatted));
    m_view->addItem(tr("Raw"), int(models::BodyView::AsIs));
    m_view->addItem(tr("Hex"), int(models::BodyView::Hex));
    m_more->setObjectName(QStringLiteral("bodyMore"));
    m_use->setObjectName(QStringLiteral("bodyUse"));
    m_use->setToolTip(plainToolTip(tr("Say what a field of the body means in messages like this one.")));
    m_words->setObjectName(QStringLiteral("muted"));
    m_text->setObjectName(QStringLiteral("plain"));
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    auto *row = new QWidget;
    row->setObjectName(QStringLiteral("filterRow"));
    auto *rowLayout = new QHBoxLayout(row);
    rowLayout->setContentsMargins(8, 5, 8, 5);
    rowLayout->addWidget(m_view);
    rowLayout->addStretch(1);
    rowLayout->addWidget(m_use);
    auto *facts = new QHBoxLayout; // a row of its own, because the pane is narrow
    facts->setContentsMargins(10, 5, 8, 0);
    facts->addWidget(m_words, 1);
    facts->addWidget(m_more);
    auto *layout = flat(this);
    layout->addWidget(row);
    layout->addLayout(facts);
    layout->addWidget(m_text, 1);
    connect(m_view, &QComboBox::currentIndexChanged, this,
            [this] { m_feed.setBodyView(models::BodyView(m_view->currentData().toInt())); });
    connect(m_more, &QPushButton::clicked, this, [this] { m_feed.loadWholeBody(); });
    connect(m_use, &QPushButton::clicked, this, [this, console] {
        if (m_feed.detail())
            Q_EMIT console.navigator.conventionRequested(*m_feed.detail(), {records::MessagePlace::In::Body, {}, {}},
                                                         std::nullopt);
    });
    connect(&feed, &models::DetailFeed::bodyChanged, this, &BodyTab::present);
}

void BodyTab::present()
{
    const std::optional<api::MessageDetail> &detail = m_feed.detail();
    if (!detail)
        return;
    const models::BodyText &body = m_feed.body();
    const qint64 here = detail->envelope.body.size();
    const qint64 all = detail->bodyComplete ? here : std::max(here, detail->message.bodySize);
    QStringList parts{models::textOf(body.kind)};
    parts.append(detail->bodyComplete ? models::formatSize(all)
                                      : tr("%1 of %2").arg(models::formatSize(here), models::formatSize(all)));
    if (body.cutLines > 0)
        parts.append(tr("%1 long lines shortened", nullptr, body.cutLines).arg(body.cutLines));
    m_words->setText(parts.join(QStringLiteral(" · ")));
    m_more->setVisible(!detail->bodyComplete);
    m_use->setVisible(body.kind == models::BodyKind::Json);
    if (m_text->toPlainText() != body.text)
        m_text->setPlainText(body.text);
}

TimelineTab::TimelineTab(const Console &console, const QString &name, QWidget *parent)
    : QWidget(parent)
    , m_model(console.filter)
{
    auto *table = new DataTable(console.theme, -1);
    table->setAccessibleName(name);
    table->setModel(&m_model);
    table->setWidths({96, 0}, models::TimelineModel::Text);
    flat(this)->addWidget(table);
}

} // namespace views

#include "moc_detailtabs.cpp"
