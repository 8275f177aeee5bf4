#pragma once

#include "tests/support/child.h"
#include "tests/support/fakeclient/fakeclient.h"
#include "views/common/page.h"
#include "views/common/theme/theme.h"

#include <QTest>

namespace test {

// One page or dialog of the console by itself, over a client that answers at once. There is one connection, "shop".
template<typename Part>
class OnePart final
{
public:
    OnePart()
    {
        client.snapshot.at = core::fromMs(1'790'000'000'000);
        api::ConnectionView shop;
        shop.connection.id = core::ConnectionId{1};
        shop.connection.name = QStringLiteral("shop");
        shop.connection.rights = records::defaultRights;
        client.snapshot.connections = {shop};
    }

    // An operation of the shop that has ended.
    [[nodiscard]] records::RetryOperation completed(qint64 id) const
    {
        records::RetryOperation operation;
        operation.id = core::OperationId{id};
        operation.connection = client.snapshot.connections.first().connection.id;
        operation.state = records::OperationState::Completed;
        operation.requested = client.snapshot.at;
        operation.finished = client.snapshot.at;
        return operation;
    }

    // What the client has by now is shown. `more`: what the part is made with, behind the console.
    template<typename... More>
    void show(const More &...more)
    {
        client.publish();
        part = std::make_unique<Part>(views::Console{session, filter, selection, navigator, theme}, more...);
        part->show();
        QVERIFY(QTest::qWaitForWindowExposed(part.get()));
    }
    // Saved as `name`-light.png or -dark.png where REDRIVE_SCREENSHOTS names a folder.
    [[nodiscard]] bool takePicture(const QString &name) const
    {
        const QString folder = qEnvironmentVariable("REDRIVE_SCREENSHOTS");
        QCoreApplication::processEvents(); // captions change their room with it
        return folder.isEmpty()
               || part->grab().save(QStringLiteral("%1/%2-%3.png").arg(folder, name, views::toString(theme.mode())));
    }
    template<typename T>
    [[nodiscard]] T *child(const char *name) const
    {
        return test::child<T>(*part, name);
    }

    support::FakeClient client;
    models::ConsoleSession session{client};
    models::ConsoleFilter filter;
    models::SharedSelection selection;
    views::Navigator navigator;
    views::Theme theme{views::ThemeMode::Light};
    std::unique_ptr<Part> part;
};

} // namespace test
