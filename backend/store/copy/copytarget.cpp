#include "backend/store/copy/copytarget.h"

namespace store {

Result<std::unique_ptr<CopyTarget>> CopyTarget::open(const records::StoreAddress &address)
{
    return address.isShared() ? copyIntoSchema(address) : copyIntoFile(address.file);
}

} // namespace store
