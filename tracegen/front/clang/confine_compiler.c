#include "tracegen/front/clang/confine_compiler.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/process/confine_files.h"

#define MOST_PLACES 600 /* more than there can be build options */

/* Where compilers and the libraries that they load are; the last is the folder above that of the compiler's program. */
static const char *const own[] = {"/usr/lib", "/usr/lib64", "/usr/bin", "/lib", "/lib64", "/etc/ld.so.cache"};
enum { OWN = sizeof own / sizeof *own };

/* "/usr/lib/llvm-15" of "/usr/lib/llvm-15/bin/clang"; "" where that would be all files, or all of /usr. */
static void find_root(char root[PATH_MAX]) {
  if (!realpath(REASSEMBLE_CLANG, root))
    root[0] = '\0';
  for (int level = 0; level < 2; level++) {
    char *slash = strrchr(root, '/');
    if (slash)
      *slash = '\0';
  }
  if (strcmp(root, "/usr") == 0)
    root[0] = '\0';
}

int confine_compiler(const char *folders) {
  char root[PATH_MAX];
  const char *readable[MOST_PLACES + 1] = {0};
  const char *const writable[] = {"/dev/null", NULL};
  size_t count = 0;
  for (; count < OWN; count++)
    readable[count] = own[count];
  find_root(root);
  if (root[0])
    readable[count++] = root;
  for (; folders && *folders && count < MOST_PLACES; folders += strlen(folders) + 1)
    readable[count++] = folders;
  return confine_files(&(struct file_places){readable, writable});
}

static bool lies_in(const char *file, const char *folder) {
  char real[PATH_MAX];
  if (!realpath(folder, real))
    return false;
  const size_t length = strlen(real);
  return strncmp(file, real, length) == 0 && (file[length] == '/' || length == 1);
}

bool compiler_may_read(const char *folders, const char *file) {
  char real[PATH_MAX];
  if (!realpath(file, real))
    return true; /* "<stdin>", "<built-in>": no file */
  for (size_t i = 0; i < OWN; i++)
    if (lies_in(real, own[i]))
      return true;
  for (; folders && *folders; folders += strlen(folders) + 1)
    if (lies_in(real, folders))
      return true;
  return false;
}
