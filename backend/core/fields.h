// Lists the fields of a plain struct once. What crosses the control socket is derived from the list (cborcodec.h), in
// both directions and under the names that the fields have in the code.
//
//     struct Destination
//     {
//         QString queue;
//         Certainty certainty = Certainty::Unknown;
//         REDRIVE_FIELDS(queue, certainty)
//     };
//
// A field that is not listed does not cross. Every enum in a list says which of its values is the last:
//
//     constexpr Certainty lastOf(Certainty) { return Certainty::Guessed; }
//
// next to the enum, or as a friend function inside the struct that contains it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

// The struct stays an aggregate. A visitor gets all fields in one call, in the order of the list. These are templates, so
// that a file which does not encode the struct does not pay for it: tuples of references here were two thirds of what a
// compiler did with the headers of the engine.
#define REDRIVE_FIELDS(...)                                                                                            \
    static constexpr std::string_view fieldNames = #__VA_ARGS__;                                                       \
    template<typename Visitor>                                                                                         \
    auto visitFields(Visitor visitor)                                                                                  \
    {                                                                                                                  \
        return visitor(__VA_ARGS__);                                                                                   \
    }                                                                                                                  \
    template<typename Visitor>                                                                                         \
    auto visitFields(Visitor visitor) const                                                                            \
    {                                                                                                                  \
        return visitor(__VA_ARGS__);                                                                                   \
    }

namespace core {

template<typename T>
concept HasFields = requires
{
    T::fieldNames;
};

template<HasFields T>
inline constexpr size_t fieldCount =
    T::fieldNames.empty() ? 0 : size_t(std::count(T::fieldNames.begin(), T::fieldNames.end(), ',')) + 1;

// The names of the fields, in the order of the list. The preprocessor has made every separator one comma and one blank.
template<HasFields T>
[[nodiscard]] constexpr auto splitNames()
{
    std::array<std::string_view, fieldCount<T>> names;
    std::string_view rest = T::fieldNames;
    for (std::string_view &name : names) {
        const size_t end = rest.find(',');
        name = rest.substr(0, end);
        rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 2);
    }
    return names;
}

template<HasFields T>
inline constexpr auto namesOf = splitNames<T>();

} // namespace core
