#include "base/process/confine_files.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* These definitions are those of linux/landlock.h, which older systems lack or have without the later rights. */
#define CREATE_RULESET 444
#define ADD_RULE       445
#define RESTRICT_SELF  446
#define ASK_VERSION    1u
#define PATH_BENEATH   1

enum {
  EXECUTE = 1 << 0,
  WRITE_FILE = 1 << 1,
  READ_FILE = 1 << 2,
  READ_DIR = 1 << 3,
  REMOVE_FILE = 1 << 5,
  MAKE_REG = 1 << 8,
  FIRST_RIGHTS = (1 << 13) - 1,
  REFER = 1 << 13,
  TRUNCATE = 1 << 14,
  IOCTL_DEV = 1 << 15
};

struct ruleset {
  uint64_t files, net, scoped;
};

struct path_beneath {
  uint64_t allowed;
  int32_t parent;
} __attribute__((packed));

static int version(void) {
  const long found = syscall(CREATE_RULESET, NULL, 0, ASK_VERSION);
  return found > 0 ? (int)found : 0;
}

int confine_files_level(void) {
  const int found = version();
  return found >= 6 ? 3 : found >= 4 ? 2 : found >= 1 ? 1 : 0;
}

static uint64_t all_rights(int known) {
  return (uint64_t)FIRST_RIGHTS | (known >= 2 ? REFER : 0) | (known >= 3 ? TRUNCATE : 0) | (known >= 5 ? IOCTL_DEV : 0);
}

static int create(int known) {
  const struct ruleset rules = {all_rights(known), 3 /* bind and connect */, 3 /* abstract sockets and signals */};
  const size_t size = known >= 6 ? sizeof rules : known >= 4 ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
  return (int)syscall(CREATE_RULESET, &rules, size, 0);
}

/* A place for which there is no rule cannot be opened. */
static void allow(int rules, const char *path, uint64_t rights, uint64_t known_rights) {
  struct stat info;
  const int place = open(path, O_PATH | O_CLOEXEC);
  if (place < 0)
    return;
  if (fstat(place, &info) == 0) {
    if (!S_ISDIR(info.st_mode))
      rights &= EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE;
    const struct path_beneath rule = {rights & known_rights, place};
    syscall(ADD_RULE, rules, PATH_BENEATH, &rule, 0);
  }
  close(place);
}

static void allow_all(int rules, const char *const *paths, uint64_t rights, uint64_t known_rights) {
  for (; paths && *paths; paths++)
    allow(rules, *paths, rights, known_rights);
}

int confine_files(const struct file_places *places) {
  const int known = version();
  if (known == 0)
    return 0;
  const int rules = create(known);
  const uint64_t rights = all_rights(known);
  if (rules < 0)
    return -1;
  const uint64_t reading = EXECUTE | READ_FILE | READ_DIR;
  const uint64_t writing = READ_FILE | READ_DIR | WRITE_FILE | REMOVE_FILE | MAKE_REG | TRUNCATE;
  allow_all(rules, places->readable, reading, rights);
  allow_all(rules, places->writable, writing, rights);
  const int good = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(RESTRICT_SELF, rules, 0) == 0;
  const int reason = errno;
  close(rules);
  errno = reason;
  return good ? 0 : -1;
}

#else

int confine_files(const struct file_places *places) {
  (void)places;
  return 0;
}

int confine_files_level(void) {
  return 0;
}

#endif
