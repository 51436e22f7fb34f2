#include "crateful/detail/value_array.hpp"

#include <cstdint>
#include <cstring>
#include <new>

#include "crateful/detail/message.hpp"
#include "crateful/detail/rollback.hpp"

namespace crateful::internal {

void ValueArray::grow(std::size_t size) {
    if (size > static_cast<std::size_t>(PTRDIFF_MAX) / type_->size) fail_array_length();
    const auto alignment = std::align_val_t{type_->alignment};
    auto* grown = static_cast<std::byte*>(::operator new(size * type_->size, alignment));
    // Bytes are copied over unused memory; other values are assigned, because only their assignment cannot throw.
    const std::size_t copied = type_->trivial ? size_ : 0;
    Rollback rollback([&] { ::operator delete(grown, alignment); });
    type_->construct(grown + copied * type_->size, size - copied);
    rollback.cancel();
    if (copied > 0) std::memcpy(grown, data_, copied * type_->size);
    for (std::size_t i = copied; i < size_; ++i) type_->move(grown + i * type_->size, at(i));
    release();
    data_ = grown;
    size_ = size;
}

void ValueArray::release() noexcept {
    if (!type_->trivial) type_->destroy(data_, size_);
    ::operator delete(data_, std::align_val_t{type_->alignment});
}

}  // namespace crateful::internal
