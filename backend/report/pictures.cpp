#include "backend/report/pictures.h"

#include "backend/report/page.h"
#include "backend/report/text.h"

#include <algorithm>
#include <array>
#include <functional>

namespace report {

namespace {

struct Part
{
    QString name;
    const char *colour; // the name of a colour variable in the style sheet of the page
    qint64 count = 0;
};

QString keyOf(const QList<Part> &parts)
{
    QString text = QStringLiteral("<p>");
    for (const Part &part : parts)
        text += QStringLiteral("<span class=\"key\"><i style=\"background:var(--%1)\"></i>%2 %3</span>")
                    .arg(QLatin1String(part.colour), escaped(part.name), number(part.count));
    return text + QStringLiteral("</p>\n");
}

constexpr int width = 1000;

// A curve draws the running total of `count` over the samples.
struct Curve
{
    Part part;
    std::function<qint64(const records::RunSample &)> count;
};

struct Frame
{
    static constexpr int left = 64;
    static constexpr int right = 16;
    static constexpr int top = 10;
    static constexpr int bottom = 196;
    qint64 from = 0; // ms
    qint64 until = 1;
    qint64 most = 1;

    [[nodiscard]] double x(qint64 at) const
    {
        return left + double(at - from) / double(until - from) * (width - left - right);
    }
    [[nodiscard]] double y(qint64 count) const { return bottom - double(count) / double(most) * (bottom - top); }
};

QString point(double x, double y)
{
    return QStringLiteral("%1,%2 ").arg(x, 0, 'f', 1).arg(y, 0, 'f', 1);
}

// At most one point for each unit of the picture: more would not be visible.
QString path(const Curve &curve, const QList<records::RunSample> &samples, const Frame &frame)
{
    QString points = point(frame.x(frame.from), frame.y(0));
    qint64 sum = 0;
    double last = -1;
    for (const records::RunSample &sample : samples) {
        sum += curve.count(sample);
        const double x = frame.x(core::toMs(sample.at) + 1000);
        if (x - last < 1 && &sample != &samples.last())
            continue;
        points += point(x, frame.y(sum));
        last = x;
    }
    return QStringLiteral("<polyline fill=\"none\" stroke=\"var(--%1)\" stroke-width=\"2\" points=\"%2\"/>\n")
        .arg(QLatin1String(curve.part.colour), points.trimmed());
}

QString label(double x, double y, const char *anchor, const QString &text)
{
    return QStringLiteral("<text x=\"%1\" y=\"%2\" text-anchor=\"%3\">%4</text>\n")
        .arg(QString::number(x), QString::number(y), QLatin1String(anchor), escaped(text));
}

QString axes(const Frame &frame)
{
    QString text;
    for (const qint64 count : {qint64(0), frame.most / 2, frame.most}) {
        const double y = frame.y(count);
        text += QStringLiteral("<line x1=\"%1\" x2=\"%2\" y1=\"%3\" y2=\"%3\" stroke=\"var(--line)\"/>\n")
                    .arg(QString::number(Frame::left), QString::number(width - Frame::right), QString::number(y));
        text += label(Frame::left - 8, y + 4, "end", number(count));
    }
    text += label(Frame::left, Frame::bottom + 18, "start", utc(core::fromMs(frame.from)));
    return text + label(width - Frame::right, Frame::bottom + 18, "end", utc(core::fromMs(frame.until)));
}

} // namespace

QString outcomeBar(const records::OutcomeCounts &counts)
{
    const QList<Part> all{{Text::tr("sent"), "sent", counts.sent},
                          {Text::tr("in doubt"), "doubt", counts.inDoubt},
                          {Text::tr("ejected"), "bad", counts.ejected},
                          {Text::tr("skipped or cancelled"), "rest", counts.skipped + counts.cancelled},
                          {Text::tr("not finished"), "staged", counts.open()}};
    const qint64 total = counts.sum();
    if (total <= 0)
        return {};
    QString text = QStringLiteral("<svg viewBox=\"0 0 %1 22\" role=\"img\" aria-label=\"%2\">\n")
                       .arg(QString::number(width), escaped(Text::tr("Outcomes")));
    QList<Part> shown;
    qint64 before = 0;
    for (const Part &part : all) {
        if (part.count <= 0)
            continue;
        const double from = double(before) / double(total) * width;
        const double size =
            std::max(2.0, double(part.count) / double(total) * width); // so that one message of a million is visible
        text += QStringLiteral("<rect x=\"%1\" y=\"0\" width=\"%2\" height=\"22\" fill=\"var(--%3)\"/>\n")
                    .arg(QString::number(from, 'f', 1), QString::number(size, 'f', 1), QLatin1String(part.colour));
        before += part.count;
        shown.append(part);
    }
    return text + QStringLiteral("</svg>\n") + keyOf(shown);
}

QString course(const QList<records::RunSample> &samples)
{
    if (samples.isEmpty())
        return {};
    QList<Curve> curves{
        {{Text::tr("staged"), "staged"}, [](const records::RunSample &s) { return qint64(s.staged); }},
        {{Text::tr("sent"), "sent"}, [](const records::RunSample &s) { return qint64(s.sent); }},
        {{Text::tr("came back"), "back"}, [](const records::RunSample &s) { return qint64(s.cameBack); }}};
    Frame frame;
    frame.from = core::toMs(samples.first().at);
    frame.until = core::toMs(samples.last().at) + 1000;
    QList<Part> key;
    for (Curve &curve : curves) {
        for (const records::RunSample &sample : samples)
            curve.part.count += curve.count(sample);
        frame.most = std::max(frame.most, curve.part.count);
        key.append(curve.part);
    }
    QString text = QStringLiteral("<svg viewBox=\"0 0 %1 220\" role=\"img\" aria-label=\"%2\">\n")
                       .arg(QString::number(width), escaped(Text::tr("Progress over time")));
    text += axes(frame);
    for (const Curve &curve : std::as_const(curves))
        text += path(curve, samples, frame);
    return text + QStringLiteral("</svg>\n") + keyOf(key);
}

} // namespace report
