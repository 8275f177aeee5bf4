#include "views/charts/throughputpanel.h"

#include "models/common/glossary.h"
#include "views/common/theme/theme.h"
#include "views/common/widgets/plaintext.h"

#include <QBuffer>
#include <QComboBox>
#include <QHBoxLayout>
#include <QMenu>
#include <QStackedLayout>
#include <QToolButton>

namespace views {

namespace {

constexpr int mostPoints = 600;

} // namespace

ThroughputPanel::ThroughputPanel(models::ConsoleSession &session, const Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_session(session)
    , m_theme(theme)
    , m_feed(session)
    , m_chart(new ThroughputChart(this))
{
    setObjectName(QStringLiteral("throughputPanel"));
    setAttribute(Qt::WA_StyledBackground);
    auto *empty = new PlainLabel(tr("The rates of the retry in Retry batches appear here, per second."), this);
    empty->setAlignment(Qt::AlignCenter);
    empty->setWordWrap(true);
    empty->setProperty("tone", QStringLiteral("muted"));
    m_stack = new QStackedLayout;
    m_stack->addWidget(empty);
    m_stack->addWidget(m_chart);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeHeader());
    layout->addLayout(m_stack, 1);
    connect(&m_session, &models::ConsoleSession::snapshotTaken, this, &ThroughputPanel::refresh);
    connect(&m_feed, &models::ThroughputFeed::changed, this, &ThroughputPanel::draw);
    connect(&m_theme, &Theme::changed, this, &ThroughputPanel::dress);
    dress();
}

QWidget *ThroughputPanel::makeHeader()
{
    auto *header = new QWidget(this);
    header->setObjectName(QStringLiteral("dockTitle"));
    auto *row = new QHBoxLayout(header);
    row->setContentsMargins(10, 4, 8, 4);
    row->setSpacing(10);
    row->addWidget(new PlainLabel(tr("Retry throughput"), header));
    row->addStretch(1);
    addLegend(row, tr("staged/s"), tr("Staged: prepared as a copy, before it is sent"), QStringLiteral("accent"));
    addLegend(row, tr("sent/s"), tr("Sent: accepted by the destination"), QStringLiteral("ok"));
    addLegend(row, tr("came back/s"), models::explained(models::Term::CameBack), QStringLiteral("bad"));
    addLegend(row, tr("messages waiting"), tr("Messages that wait in the destination queues"), QStringLiteral("muted"));
    m_window = new QComboBox(header);
    m_window->setObjectName(QStringLiteral("chartWindow"));
    m_window->setAccessibleName(tr("Time window of the chart"));
    m_window->addItem(tr("5 min"), 5 * 60);
    m_window->addItem(tr("1 h"), 60 * 60);
    m_window->addItem(tr("24 h"), 24 * 60 * 60);
    connect(m_window, &QComboBox::currentIndexChanged, this, &ThroughputPanel::refresh);
    row->addWidget(m_window);
    auto *save = new QToolButton(header);
    save->setObjectName(QStringLiteral("flat"));
    save->setIcon(m_theme.icon(QStringLiteral("save"), Token::Muted));
    save->setToolTip(tr("Save chart"));
    save->setAccessibleName(tr("Save chart"));
    save->setPopupMode(QToolButton::InstantPopup);
    auto *menu = new QMenu(save);
    connect(menu->addAction(tr("Save as picture (PNG)…")), &QAction::triggered, this, &ThroughputPanel::savePng);
    connect(menu->addAction(tr("Save numbers (CSV)…")), &QAction::triggered, this, &ThroughputPanel::saveCsv);
    save->setMenu(menu);
    row->addWidget(save);
    return header;
}

void ThroughputPanel::addLegend(QHBoxLayout *row, const QString &name, const QString &tip, const QString &tone)
{
    // The dash shows the style of the line, so that colour is not the only clue.
    auto *label = new PlainLabel(tone == QLatin1String("muted") ? tr("┄ %1").arg(name) : tr("━ %1").arg(name), this);
    label->setObjectName(QStringLiteral("legend"));
    label->setProperty("tone", tone);
    label->setToolTip(plainToolTip(tip));
    row->addWidget(label);
}

void ThroughputPanel::dress()
{
    m_chart->setColors({m_theme.color(Token::Panel), m_theme.color(Token::Line), m_theme.color(Token::Text),
                        m_theme.color(Token::Muted), m_theme.color(Token::Accent), m_theme.color(Token::Ok),
                        m_theme.color(Token::Bad), m_theme.color(Token::Muted)});
}

void ThroughputPanel::follow(core::OperationId operation)
{
    m_feed.follow(operation);
    refresh();
}

void ThroughputPanel::setZone(models::TimeZone zone)
{
    m_chart->setTime(zone == models::TimeZone::Utc ? ChartTime::Utc : ChartTime::Local);
}

void ThroughputPanel::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    refresh();
}

models::ChartSpan ThroughputPanel::span() const
{
    const std::chrono::seconds window(m_window->currentData().toInt());
    return models::chartSpan(m_session.operation(m_feed.operation()), m_session.snapshot().at, window);
}

void ThroughputPanel::refresh()
{
    m_stack->setCurrentIndex(m_feed.operation().isValid() ? 1 : 0);
    if (!isVisible() || !m_feed.operation().isValid())
        return;
    const models::ChartSpan shown = span();
    m_feed.refresh(shown.until, shown.until - shown.from);
    draw();
}

void ThroughputPanel::draw()
{
    if (!isVisible())
        return;
    const models::ChartSpan shown = span();
    m_chart->show(m_feed.series().lines(shown.from, shown.until, mostPoints), m_feed.marks(), shown.from, shown.until);
}

void ThroughputPanel::savePng()
{
    FileWriter::askForPath(this, tr("Save chart"), QStringLiteral("throughput.png"), tr("Pictures (*.png)"),
                           [this](const QString &path) {
                               FileWriter::save(m_session, this, path, [picture = m_chart->picture()] {
                                   QByteArray png;
                                   QBuffer buffer(&png);
                                   picture.save(&buffer, "PNG");
                                   return png;
                               });
                           });
}

void ThroughputPanel::saveCsv()
{
    FileWriter::askForPath(this, tr("Save numbers"), QStringLiteral("throughput.csv"),
                           tr("Comma-separated values (*.csv)"), [this](const QString &path) {
                               const models::ChartSpan shown = span();
                               FileWriter::save(m_session, this, path,
                                                [csv = m_feed.series().csv(shown.from, shown.until)] { return csv; });
                           });
}

} // namespace views

#include "moc_throughputpanel.cpp"
