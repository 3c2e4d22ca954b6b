#include "tracegen/bifrost/live/node.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tracegen/bifrost/channel.h"

static int fail(const struct bifrost_node *node, struct error *error) {
  const int code = errno;
  if (node->file >= 0)
    close(node->file);
  return error_set(error, ERROR_WORK, "cannot make the memory of an emulated GPU: %s", strerror(code));
}

int bifrost_node_open(struct bifrost_node *node, struct error *error) {
  node->file = memfd_create("bifrost-memory", MFD_ALLOW_SEALING | MFD_CLOEXEC);
  if (node->file < 0 || ftruncate(node->file, (off_t)BIFROST_NODE_BYTES) != 0 ||
      fcntl(node->file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    return fail(node, error);
  node->bytes = mmap(NULL, BIFROST_NODE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, node->file, 0);
  return node->bytes == MAP_FAILED ? fail(node, error) : 0;
}

void bifrost_node_close(struct bifrost_node *node) {
  munmap(node->bytes, BIFROST_NODE_BYTES);
  close(node->file);
}
