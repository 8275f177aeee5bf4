#include "backend/store/search/wordbreaks.h"

#include "backend/core/limits.h"

#include <QCborArray>
#include <QCborMap>
#include <QHash>
#include <QRegularExpression>

#include <sqlite3.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace store {

namespace {

constexpr size_t wordsAsked = 40;
constexpr qsizetype shortestBeginning = 3; // shorter beginnings match too many words

// Splits a text as FTS5 does: with its own tokenizer, of the connection it came from.
class WordBreaker final
{
public:
    static std::shared_ptr<WordBreaker> of(sqlite3 *handle)
    {
        fts5_api *api = nullptr;
        sqlite3_stmt *statement = nullptr;
        if (sqlite3_prepare_v2(handle, "SELECT fts5(?1)", -1, &statement, nullptr) == SQLITE_OK) {
            sqlite3_bind_pointer(statement, 1, static_cast<void *>(&api), "fts5_api_ptr", nullptr);
            sqlite3_step(statement);
        }
        sqlite3_finalize(statement);
        auto breaker = std::make_shared<WordBreaker>();
        void *data = nullptr;
        if (api == nullptr || api->xFindTokenizer(api, "unicode61", &data, &breaker->m_methods) != SQLITE_OK)
            return nullptr;
        const char *rules[] = {"remove_diacritics", "0"}; // as in the index: backend/store/migrations/searchschema.cpp
        return breaker->m_methods.xCreate(data, rules, 2, &breaker->m_tokenizer) == SQLITE_OK ? breaker : nullptr;
    }
    WordBreaker() = default;
    ~WordBreaker()
    {
        if (m_tokenizer != nullptr)
            m_methods.xDelete(m_tokenizer);
    }
    WordBreaker(const WordBreaker &) = delete;
    WordBreaker &operator=(const WordBreaker &) = delete;

    // Calls `take` for each word until it returns false.
    template<typename Take>
    void each(std::string_view text, Take take) const
    {
        const auto one = [](void *context, int, const char *word, int length, int, int) {
            return (*static_cast<Take *>(context))(std::string_view(word, size_t(length))) ? SQLITE_OK : SQLITE_DONE;
        };
        m_methods.xTokenize(m_tokenizer, &take, FTS5_TOKENIZE_DOCUMENT, text.data(), int(text.size()), one);
    }

private:
    fts5_tokenizer m_methods{};
    Fts5Tokenizer *m_tokenizer = nullptr;
};

// The words of a search. Words written without a space between them, such as "V.V" or a number with hyphens, are a
// phrase: they match only next to each other.
struct Wanted
{
    std::vector<std::string> words;
    std::vector<bool> begins; // for each word: it begins a phrase
    bool lastIsBeginning = false;

    static Wanted of(const WordBreaker &breaker, const QString &search)
    {
        Wanted wanted;
        static const QRegularExpression spaces(QStringLiteral("\\s+"), QRegularExpression::UseUnicodePropertiesOption);
        const QStringList pieces = search.split(spaces, Qt::SkipEmptyParts);
        for (const QString &piece : pieces) {
            const size_t first = wanted.words.size();
            if (first == wordsAsked)
                break;
            breaker.each(piece.toStdString(), [&wanted, first](std::string_view word) {
                wanted.begins.push_back(wanted.words.size() == first);
                wanted.words.emplace_back(word);
                return wanted.words.size() < wordsAsked;
            });
        }
        wanted.lastIsBeginning =
            !wanted.words.empty() && QString::fromStdString(wanted.words.back()).toUcs4().size() >= shortestBeginning;
        return wanted;
    }

    [[nodiscard]] bool ends(size_t at) const { return at + 1 == words.size() || begins[at + 1]; }
    [[nodiscard]] bool isMet(size_t at, std::string_view word) const
    {
        const bool beginning = lastIsBeginning && at + 1 == words.size();
        return beginning ? word.starts_with(words[at]) : word == words[at];
    }
};

// Reads the words of a text until all phrases have been found.
class Meeting final
{
public:
    explicit Meeting(const Wanted &wanted)
        : m_wanted(wanted)
        , m_upTo(wanted.words.size(), false)
        , m_met(wanted.words.size(), false)
    {
        for (size_t at = 0; at < m_met.size(); ++at)
            m_missing += wanted.ends(at) ? 1 : 0;
    }
    [[nodiscard]] bool isComplete() const { return m_missing == 0; }
    void go(std::string_view word)
    {
        // from the end: each word needs the previous state of the word before it
        for (size_t at = m_upTo.size(); at-- > 0;) {
            const bool follows = m_wanted.begins[at] || m_upTo[at - 1];
            m_upTo[at] = follows && m_wanted.isMet(at, word);
            if (m_upTo[at] && !m_met[at] && m_wanted.ends(at)) {
                m_met[at] = true;
                --m_missing;
            }
        }
    }

private:
    const Wanted &m_wanted;
    std::vector<bool> m_upTo; // the last words of the text match the phrase up to this word
    std::vector<bool> m_met; // for the last word of each phrase: the phrase was found
    size_t m_missing = 0;
};

using Breaker = std::shared_ptr<WordBreaker>;

const WordBreaker &breakerOf(sqlite3_context *context)
{
    return **static_cast<Breaker *>(sqlite3_user_data(context));
}

QString text(sqlite3_value *value)
{
    const unsigned char *utf8 = sqlite3_value_text(value);
    return QString::fromUtf8(reinterpret_cast<const char *>(utf8), sqlite3_value_bytes(value));
}

QByteArray blob(sqlite3_value *value)
{
    const void *bytes = sqlite3_value_blob(value);
    return {static_cast<const char *>(bytes), sqlite3_value_bytes(value)};
}

void wordQuery(sqlite3_context *context, int, sqlite3_value **values)
{
    const Wanted wanted = Wanted::of(breakerOf(context), text(values[0]));
    std::string query;
    for (size_t at = 0; at < wanted.words.size(); ++at) { // letters and digits only: nothing to escape
        if (at > 0)
            query += " AND "; // the index does not know which words follow each other: addSearch checks that
        query += '"' + wanted.words[at] + '"';
    }
    if (wanted.lastIsBeginning)
        query += " *";
    if (query.empty())
        query = "\"\""; // an empty phrase matches no text; an empty query would be an error
    sqlite3_result_text(context, query.data(), int(query.size()), SQLITE_TRANSIENT);
}

void hasWords(sqlite3_context *context, int, sqlite3_value **values)
{
    constexpr int search = 2;
    auto *wanted = static_cast<Wanted *>(sqlite3_get_auxdata(context, search));
    if (wanted == nullptr) { // once for each statement: it is the same for all rows
        auto fresh = std::make_unique<Wanted>(Wanted::of(breakerOf(context), text(values[search])));
        sqlite3_set_auxdata(context, search, fresh.release(), [](void *old) { delete static_cast<Wanted *>(old); });
        wanted = static_cast<Wanted *>(sqlite3_get_auxdata(context, search));
    }
    if (wanted == nullptr || wanted->words.empty())
        return sqlite3_result_int(context, 0);
    records::Envelope envelope;
    if (const core::Result<records::Headers> headers = records::headersFromCbor(blob(values[0])))
        envelope.headers = *headers;
    envelope.body = blob(values[1]);
    Meeting meeting(*wanted);
    breakerOf(context).each(searchedText(envelope).toStdString(), [&](std::string_view word) {
        meeting.go(word);
        return !meeting.isComplete();
    });
    sqlite3_result_int(context, meeting.isComplete() ? 1 : 0);
}

void append(QString &text, const QCborValue &value)
{
    if (value.isArray()) {
        const QCborArray array = value.toArray();
        for (qsizetype i = 0; i < array.size(); ++i)
            append(text, array.at(i));
        return;
    }
    if (value.isMap()) {
        const QCborMap map = value.toMap();
        for (auto entry = map.cbegin(); entry != map.cend(); ++entry) {
            append(text, entry.key());
            append(text, entry.value());
        }
        return;
    }
    text += records::text(value) + QLatin1Char('\n');
}

// Empty if this is no UTF-8 text. The cut may be inside a character.
QString bodyText(QByteArrayView body)
{
    constexpr int longestLetter = 4;
    const bool cut = body.size() > core::limits::bodyPreviewBytes;
    QByteArrayView seen = body.first(std::min<qsizetype>(body.size(), core::limits::bodyPreviewBytes));
    if (seen.contains('\0'))
        return {};
    for (int i = 0; cut && i < longestLetter && !QUtf8StringView(seen.data(), seen.size()).isValidUtf8(); ++i)
        seen.chop(1);
    const QUtf8StringView text(seen.data(), seen.size());
    return text.isValidUtf8() ? text.toString() : QString();
}

} // namespace

QString searchedText(const records::Envelope &envelope)
{
    QString text;
    for (const records::Header &header : envelope.headers) {
        text += header.name + QLatin1Char('\n');
        append(text, header.value);
    }
    text.remove(QChar::Null);
    return text + bodyText(envelope.body);
}

// Of a connection that is there for its tokenizer alone. It keeps nothing of a text, so threads may share it.
static const WordBreaker &sharedBreaker()
{
    static sqlite3 *handle = nullptr; // lives as long as the process
    static const std::shared_ptr<WordBreaker> breaker = [] {
        return sqlite3_open(":memory:", &handle) == SQLITE_OK ? WordBreaker::of(handle) : nullptr;
    }();
    Q_ASSERT(breaker != nullptr);
    return *breaker;
}

static QString quotedWord(std::string_view word)
{
    constexpr size_t longest = 1000; // bytes; a tsvector has less than 2,047
    return u'\'' + QString::fromUtf8(word.substr(0, longest)).remove(QChar::ReplacementCharacter) + u'\'';
}

QString wordsAsVector(const QString &text)
{
    constexpr qsizetype longest = 600'000; // letters; a tsvector has less than a megabyte
    constexpr int lastPlace = 16383;
    constexpr int placesKept = 255;
    QHash<QString, QStringList> places;
    qsizetype size = 0;
    int place = 0;
    sharedBreaker().each(text.toStdString(), [&](std::string_view word) {
        place = std::min(place + 1, lastPlace);
        QStringList &of = places[quotedWord(word)];
        size += of.isEmpty() ? qsizetype(word.size()) + 8 : 2;
        if (of.size() < placesKept && (of.isEmpty() || place < lastPlace))
            of.append(QString::number(place));
        return size < longest;
    });
    QStringList vector;
    for (auto word = places.cbegin(); word != places.cend(); ++word)
        vector.append(word.key() + u':' + word->join(u','));
    return vector.join(u' ');
}

QString wordsAsQuery(const QString &search)
{
    const Wanted wanted = Wanted::of(sharedBreaker(), search);
    QString query;
    for (size_t at = 0; at < wanted.words.size(); ++at) {
        if (at > 0)
            query += wanted.begins[at] ? QStringLiteral(" & ") : QStringLiteral(" <-> ");
        query += quotedWord(wanted.words[at]);
    }
    return wanted.lastIsBeginning ? query + QStringLiteral(":*") : query;
}

core::Result<> addWordFunctions(sqlite3 *handle)
{
    struct Function
    {
        const char *name;
        int values;
        void (*run)(sqlite3_context *, int, sqlite3_value **);
    };
    const Breaker breaker = WordBreaker::of(handle);
    for (const Function &one :
         {Function{"redrive_word_query", 1, wordQuery}, Function{"redrive_has_words", 3, hasWords}}) {
        const int code = breaker == nullptr
                             ? SQLITE_ERROR
                             : sqlite3_create_function_v2(handle, one.name, one.values,
                                                          SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                                                          new Breaker(breaker), one.run, nullptr, nullptr,
                                                          [](void *old) { delete static_cast<Breaker *>(old); });
        if (code != SQLITE_OK)
            return core::fail(core::ErrorKind::Transient, QStringLiteral("The store cannot be searched."),
                              QString::fromUtf8(sqlite3_errstr(code)));
    }
    return {};
}

} // namespace store
