#include "backend/store/pipelinestore.h"

#include "backend/store/database/database.h"
#include "backend/store/text.h"

namespace store {

PipelineStore::PipelineStore(Database &database)
    : m_database(database)
{
}

Result<core::PipelineId> PipelineStore::add(const records::Pipeline &pipeline)
{
    Statement insert = m_database.sql(QStringLiteral(
        "INSERT INTO pipeline (name, url, rights, columns, connection) VALUES (?, ?, ?, ?, ?) RETURNING id"));
    const QVariant connection = pipeline.connection.isValid() ? QVariant(pipeline.connection.value) : QVariant();
    const Result<bool> row = insert.bind(pipeline.name, pipeline.url, pipeline.rights.toInt(), pipeline.columns)
                                 .bindAll({connection})
                                 .step();
    if (!row && row.error().kind == core::ErrorKind::Conflict)
        return core::fail(core::ErrorKind::Conflict,
                          Text::tr("A pipeline named %1 already exists. Choose another name.").arg(pipeline.name));
    if (!row)
        return core::fail(row.error());
    return core::PipelineId{insert.integer(0)};
}

Result<> PipelineStore::remove(core::PipelineId id)
{
    TRY(const int removed, m_database.sql(QStringLiteral("DELETE FROM pipeline WHERE id = ?")).bind(id).run());
    if (removed == 0)
        return core::fail(core::ErrorKind::NotFound, Text::tr("This pipeline was removed."));
    return {};
}

Result<QList<records::Pipeline>> PipelineStore::all()
{
    QList<records::Pipeline> pipelines;
    Statement rows =
        m_database.sql(QStringLiteral("SELECT id, name, url, rights, columns, connection FROM pipeline ORDER BY name"));
    TRY(rows.each([&] {
        pipelines.append({core::PipelineId{rows.integer(0)}, rows.text(1), rows.text(2),
                          records::Rights::fromInt(int(rows.integer(3))), rows.blob(4),
                          core::ConnectionId{rows.integer(5)}});
    }));
    return pipelines;
}

} // namespace store
