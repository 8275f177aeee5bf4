// What the other side of the control socket sends. f: frames, in the pieces that the first byte says. Any other letter: a value
// in CBOR, read as what the letter stands for.
#include "backend/api/requests/connections.h"
#include "backend/api/requests/decisions.h"
#include "backend/api/requests/edits.h"
#include "backend/api/requests/groupmarks.h"
#include "backend/api/requests/queuemove.h"
#include "backend/api/requests/retries.h"
#include "backend/api/requests/retryplan.h"
#include "backend/api/requests/settings.h"
#include "backend/api/snapshot.h"
#include "backend/control/framesocket.h"
#include "backend/core/text/cborcodec.h"
#include "tests/fuzz/fuzz.h"

#include <QCoreApplication>
#include <QLocalSocket>
#include <QtEndian>

#include <algorithm>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

using fuzz::holds;

namespace {

template<typename T>
void value(const QByteArray &bytes)
{
    QCborParserError error;
    const QCborValue cbor = QCborValue::fromCbor(bytes, &error);
    T read{};
    if (error.error != QCborError::NoError || !core::decode(cbor, read))
        return;
    const QCborValue written = core::encode(read);
    T again{};
    holds(core::decode(written, again), "what is written can be read", written.toDiagnosticNotation().toUtf8());
    holds(core::encode(again).toCbor() == written.toCbor(), "nothing changes on the way",
          written.toDiagnosticNotation().toUtf8());
}

// The maps that the bytes hold, and whether they end well: read as simply as can be.
struct Expected
{
    QList<QCborMap> maps;
    bool isBroken = false;
};

Expected expectedOf(QByteArray bytes)
{
    Expected expected;
    QByteArray begun; // too short to be too long
    while (bytes.size() >= 4 && !expected.isBroken) {
        const quint32 head = qFromBigEndian<quint32>(bytes.constData());
        const qint64 length = head & ~control::frameGoesOn;
        expected.isBroken = length > control::largestFrame;
        if (expected.isBroken || bytes.size() < 4 + length)
            break;
        begun += bytes.mid(4, length);
        bytes.remove(0, 4 + length);
        if ((head & control::frameGoesOn) != 0)
            continue;
        QCborParserError error;
        const QCborValue value = QCborValue::fromCbor(std::exchange(begun, {}), &error);
        expected.isBroken = error.error != QCborError::NoError || !value.isMap();
        if (!expected.isBroken)
            expected.maps.append(value.toMap());
    }
    return expected;
}

void frames(const QByteArray &input)
{
    constexpr qsizetype most = 64 * 1024; // what a socket holds while nobody reads
    const qsizetype piece = input.isEmpty() ? 1 : 1 + static_cast<unsigned char>(input.at(0));
    const QByteArray bytes = input.mid(1).left(most);
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        fuzz::violated("a pair of sockets can be had");
    auto *socket = new QLocalSocket;
    socket->setSocketDescriptor(ends[0]);
    control::FrameSocket line(socket);
    Expected seen;
    QObject::connect(&line, &control::FrameSocket::received, socket,
                     [&seen](const QCborMap &map) { seen.maps.append(map); });
    QObject::connect(&line, &control::FrameSocket::broken, socket, [&seen](const QString &reason) {
        holds(!seen.isBroken && !reason.isEmpty(), "a line breaks once, and says why");
        seen.isBroken = true;
    });
    for (qsizetype at = 0; at < bytes.size() && !seen.isBroken; at += piece) {
        const QByteArray some = bytes.mid(at, piece);
        if (::send(ends[1], some.constData(), size_t(some.size()), MSG_NOSIGNAL) != some.size())
            break;
        socket->waitForReadyRead(0);
    }
    const Expected expected = expectedOf(bytes);
    holds(seen.isBroken == expected.isBroken, "a line breaks where it must", bytes.toHex());
    holds(seen.maps == expected.maps, "every message arrives once", bytes.toHex());
    ::close(ends[1]);
}

void answer(char letter, const QByteArray &bytes)
{
    switch (letter) {
    case 'p':
        return value<api::PlanPreview>(bytes);
    case 't':
        return value<api::ConnectionTest>(bytes);
    case 'i':
        return value<records::IntakeCounts>(bytes);
    case 'l':
        return value<records::BrowseCounts>(bytes);
    case 'd':
        return value<api::DecisionCounts>(bytes);
    case 'e':
        return value<core::Error>(bytes);
    case 's':
        return value<api::Snapshot>(bytes);
    default:
        return;
    }
}

void command(char letter, const QByteArray &bytes)
{
    switch (letter) {
    case 'C':
        return value<api::SaveConnection>(bytes);
    case 'I':
        return value<api::TakeMessages>(bytes);
    case 'L':
        return value<api::BrowseMessages>(bytes);
    case 'F':
        return value<api::ChangeSubscription>(bytes);
    case 'P':
        return value<api::PreviewRetry>(bytes);
    case 'R':
        return value<api::ConfirmRetry>(bytes);
    case 'S':
        return value<api::SettleInDoubt>(bytes);
    case 'D':
        return value<api::DecideMessages>(bytes);
    case 'A':
        return value<api::SetRate>(bytes);
    case 'O':
        return value<api::ChangeOperation>(bytes);
    case 'E':
        return value<api::PreviewEdit>(bytes);
    case 'N':
        return value<api::SetGroupNote>(bytes);
    case 'U':
        return value<api::MuteGroups>(bytes);
    case 'M':
        return value<api::MoveQueue>(bytes);
    case 'T':
        return value<api::ChangeSettings>(bytes);
    default:
        return;
    }
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int count = 0;
    static char *arguments[] = {nullptr};
    static const QCoreApplication application(count, arguments); // sockets want one
    const fuzz::Input input(data, size);
    if (input.mode() == 'f') {
        frames(input.rest());
    } else {
        answer(input.mode(), input.rest());
        command(input.mode(), input.rest());
    }
    return 0;
}
