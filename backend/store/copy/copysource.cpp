#include "backend/store/copy/copysource.h"

namespace store {

Result<std::unique_ptr<CopySource>> CopySource::open(const records::StoreAddress &address)
{
    return address.isShared() ? copyFromSchema(address) : copyFromFile(address.file);
}

} // namespace store
