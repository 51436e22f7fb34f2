#include "history_copy.hpp"

#include <new>

namespace crateful::internal {
namespace {

std::vector<std::byte> copied_values(CopiedClass& cls, std::uint32_t place) {
    if (cls.opaque()) return cls.values[place];
    std::vector<std::byte> all;
    for (std::size_t r = 0; r < cls.runs.size(); ++r) {
        const std::byte* const value = cls.value(r, place);
        all.insert(all.end(), value, value + cls.runs[r].bytes());
    }
    return all;
}
std::vector<std::byte> present_values(const CopiedClass& cls, std::uint32_t place) {
    std::vector<std::byte> all;
    for (std::size_t r = 0; r < cls.runs.size(); ++r) {
        const std::byte* const value = cls.present_value(r, place);
        all.insert(all.end(), value, value + cls.runs[r].bytes());
    }
    return all;
}

}  // namespace

void HistoryCopy::sync(std::size_t number, Record& record) {
    same_.clear();
    displaced_.clear();
    ComponentCopy::sync(number, record);
    for (std::size_t k = 0; k < stayed().size(); ++k) {
        if (differed()[k] == 0 && signaled(classes()[number], stayed()[k])) same_.push_back(stayed()[k]);
    }
}

// A value whose codec throws is not known.
std::vector<std::byte> HistoryCopy::encoded(const CopiedClass& cls, std::uint32_t slot) const {
#if CRATEFUL_EXCEPTIONS
    if (cls.type().codec != nullptr) {  // the library's module has none, and cannot catch by type
        try {
            return ComponentCopy::encoded(cls, slot);
        } catch (const std::bad_alloc&) {
            throw;  // the history begins anew
        } catch (...) {
            return {};
        }
    }
#endif
    return ComponentCopy::encoded(cls, slot);
}

bool HistoryCopy::keeps_values(CopiedClass& cls, std::uint32_t place, Entity before, Entity after,
                               std::vector<std::byte>& values) {
    if (before != NONE && cls.places.find(before) == place && cls.storage().has(before)) displace(cls, place, before);
    if (after == NONE || !find_values(cls, after, values)) return false;
    if (!signaled(cls, after)) return knows_new();
    if ((cls.opaque() ? encoded(cls, place) : present_values(cls, place)) == values) same_.push_back(after);
    return false;
}
void HistoryCopy::displace(CopiedClass& cls, std::uint32_t place, Entity e) {
    if (index_of(e) >= displaced_at_.size()) displaced_at_.resize(std::size_t{index_of(e)} * 2 + 1);
    displaced_at_[index_of(e)] = static_cast<std::uint32_t>(displaced_.size());
    displaced_.emplace_back(e, copied_values(cls, place));
}
// The values that the component of an entity had at another place.
bool HistoryCopy::find_values(CopiedClass& cls, Entity e, std::vector<std::byte>& values) {
    if (const std::uint32_t from = cls.places.find(e); from != Places::NOWHERE) {
        values = copied_values(cls, from);
        return true;
    }
    const std::uint32_t at = index_of(e) < displaced_at_.size() ? displaced_at_[index_of(e)] : 0;
    if (at >= displaced_.size() || displaced_[at].first != e) return false;
    values = displaced_[at].second;
    return true;
}

}  // namespace crateful::internal
