#pragma once

#include "backend/http/httpclient.h"

#include <functional>

namespace support {

// The switch of a fake server for answers that are wrong as a whole: of something else, of another request, or with a list that
// is not what was there. What breaks on the wire is BrokenServer's.
class Tamper final
{
public:
    enum class Fault {
        None,
        // What stands before the broker answers, or the answer is damaged.
        LoginPage, // a page of HTML with status 200
        OtherForm, // JSON where XML belongs and the other way round, labelled as it is
        WrongLabel, // the right answer, called a picture
        Empty, // the right status, and nothing
        HalfBody, // a body that ends in its middle, with a length that fits
        Elsewhere, // sends to another host
        // The answer belongs to another request.
        Again, // not carried out; the answer to the first such request comes once more
        Shifted, // carried out; the answer to the request before it comes
        Swapped, // two requests are carried out, and each gets the answer to the other
        // The right answer with a list that is not.
        EntryTwice,
        Reversed,
        UnknownIds,
    };
    using Deliver = std::function<void(http::Response)>;

    // From now on, for requests that `which` names; for all without it. Begins anew.
    void set(Fault fault, std::function<bool(const http::Request &)> which = {});
    // Where Elsewhere sends to.
    void setElsewhere(const QByteArray &address) { m_elsewhere = address; }
    [[nodiscard]] bool isOn() const { return m_fault != Fault::None; }

    void answer(const http::Request &request, const std::function<http::Response()> &carryOut, const Deliver &deliver);

private:
    [[nodiscard]] http::Response replaced(http::Response right) const;
    void swap(http::Response right, const Deliver &deliver);

    Fault m_fault = Fault::None;
    std::function<bool(const http::Request &)> m_which;
    QByteArray m_elsewhere = "http://127.0.0.1:1/";
    std::optional<http::Response> m_last;
    std::optional<std::pair<http::Response, Deliver>> m_waiting;
};

} // namespace support
