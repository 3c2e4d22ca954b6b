#include "tracegen/lower/builtins/builtin_cache.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"
#include "trace/format/bytes.h"
#include "tracegen/abi/kernel_abi.h"

#define KIND         "builtins"
#define PACK_VERSION "reassemble built-ins 2" /* changes with the way packs are made */

/* Returns the key of the pack or the function of this name, to be freed; NULL where the library is unknown. */
static char *key_of(const char *what, const char *name) {
  struct stat library;
  if (stat(REASSEMBLE_POCL_LIBRARY, &library))
    return NULL;
  return text_format("%s, LLVM %s, %s, %" PRIu64 " bytes, changed %" PRIu64 ".%09ld, %s %s", PACK_VERSION,
                     REASSEMBLE_LLVM_VERSION, REASSEMBLE_POCL_LIBRARY, (uint64_t)library.st_size,
                     (uint64_t)library.st_mtim.tv_sec, library.st_mtim.tv_nsec, what, name);
}

bool builtin_cache_find(const char *function, struct kept_data *out) {
  char *key = key_of("function", function);
  struct kept_data pack;
  bool found = key && kept_file_find(KIND, key, strlen(key), &pack);
  if (found) {
    found = kept_file_find(KIND, pack.data, pack.length, out);
    free(pack.memory);
  }
  free(key);
  return found;
}

/* Returns the names with a space in front of each, to be freed. */
static char *all_names(const char *const *functions, size_t count) {
  struct bytes names = {0};
  for (size_t i = 0; i < count; i++) {
    bytes_append(&names, " ", 1);
    bytes_append(&names, functions[i], strlen(functions[i]));
  }
  char *text = names.failed ? NULL : text_format("%.*s", (int)names.length, (const char *)names.data);
  bytes_clear(&names);
  return text;
}

void builtin_cache_keep(const char *const *functions, size_t count, const char *bitcode, size_t length) {
  char *names = all_names(functions, count), *pack = names ? key_of("pack of", names) : NULL;
  if (pack)
    kept_file_put(KIND, pack, strlen(pack), bitcode, length);
  for (size_t i = 0; pack && i < count; i++) {
    char *key = key_of("function", functions[i]);
    if (key)
      kept_file_put(KIND, key, strlen(key), pack, strlen(pack));
    free(key);
  }
  free(pack);
  free(names);
}

const char *const *kernel_program_files(void) {
  static const char *files[4] = {REASSEMBLE_POCL_LIBRARY};
  if (!files[1] && (files[1] = data_cache(KIND)))
    files[2] = data_cache("kernels"); /* kept_program.c */
  return files;
}
