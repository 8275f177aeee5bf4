#include "models/detail/headersmodel.h"

#include "models/common/roles.h"
#include "models/common/visibletext.h"

#include <array>

namespace models {

QString valueText(const QCborValue &value)
{
    const QString scalar = records::text(value);
    if (!scalar.isEmpty() || value.isString())
        return scalar;
    return value.toDiagnosticNotation(QCborValue::Compact);
}

bool namesSecret(const QString &name)
{
    constexpr std::array words{"authorization", "password", "secret", "token", "api-key", "apikey", "cookie"};
    return std::any_of(words.cbegin(), words.cend(),
                       [&](const char *word) { return name.contains(QLatin1String(word), Qt::CaseInsensitive); });
}

QString secretMask()
{
    return QStringLiteral("••••••••");
}

void HeadersModel::show(const records::Envelope &envelope)
{
    const QList<HeaderRow> before = std::exchange(m_all, {});
    const auto add = [this, &before](const records::Header &header, bool isProperty) {
        HeaderRow row{int(m_all.size()),        header.name, valueText(header.value), isProperty,
                      namesSecret(header.name), false};
        const HeaderRow known = before.value(row.number);
        const bool wasRevealed =
            known.isSensitive && !known.isMasked && known.name == row.name && known.value == row.value;
        row.isMasked = row.isSensitive && !wasRevealed;
        m_all.append(row);
    };
    for (const records::Header &header : envelope.headers)
        add(header, false);
    for (const records::Header &header : envelope.properties)
        add(header, true);
    update();
}

void HeadersModel::reveal(int row)
{
    if (row < 0 || row >= rows().size())
        return;
    m_all[rows().at(row).number].isMasked = false;
    update();
}

void HeadersModel::setFilter(const QString &text)
{
    m_filter = text.trimmed();
    update();
}

void HeadersModel::update()
{
    QList<HeaderRow> shown;
    for (const HeaderRow &row : std::as_const(m_all)) {
        const bool inValue = !row.isMasked && row.value.contains(m_filter, Qt::CaseInsensitive);
        if (row.name.contains(m_filter, Qt::CaseInsensitive) || inValue)
            shown.append(row);
    }
    setRows(shown);
}

QString HeadersModel::asText() const
{
    QString text;
    for (const HeaderRow &row : m_all)
        text += row.name + QStringLiteral(": ") + (row.isMasked ? secretMask() : row.value) + QLatin1Char('\n');
    return text;
}

bool HeadersModel::same(const HeaderRow &a, const HeaderRow &b) const
{
    return a.name == b.name && a.value == b.value && a.isProperty == b.isProperty && a.isMasked == b.isMasked;
}

QVariant HeadersModel::cell(const HeaderRow &row, int column, int role) const
{
    constexpr qsizetype longestTip = 4000;
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return column == Name ? visibleLine(row.name) : row.isMasked ? secretMask() : visibleLine(row.value);
    case Qt::ToolTipRole: {
        const QString value = row.isMasked ? secretMask() : visibleLines(row.value.left(longestTip));
        QString tip = visibleLine(row.name) + QLatin1Char('\n') + value;
        if (row.isProperty)
            tip += QLatin1Char('\n') + tr("Broker property: Redrive keeps it as it is.");
        if (row.isMasked)
            tip += QLatin1Char('\n') + tr("The name suggests a secret. Press Enter or double-click to show the value.");
        else if (row.isSensitive)
            tip += QLatin1Char('\n') + tr("The name suggests a secret.");
        return tip;
    }
    case ElideRole:
        return column == Name ? QVariant(int(Qt::ElideMiddle)) : QVariant();
    case ToneRole:
        return int(row.isSensitive ? Tone::Warn : column == Name || row.isProperty ? Tone::Muted : Tone::Normal);
    case KindRole:
        return int(row.isProperty ? 1 : 0);
    default:
        return {};
    }
}

QVariant HeadersModel::headerCell(int column, int role) const
{
    if (role != Qt::DisplayRole)
        return {};
    return column == Name ? tr("Header") : tr("Value");
}

} // namespace models

#include "moc_headersmodel.cpp"
