#include "base/process/subprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

int subprocess_wait(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR)
      return 0;
  return status;
}

void subprocess_end_with_parent(void) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}

void subprocess_terminate_with_parent(pid_t parent) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
  if (getppid() != parent)
    _exit(1);
}

#define MOST_KEPT 16

static int kept[MOST_KEPT]; /* one more than the descriptor; 0: the entry is free */

void subprocess_keep_from_children(int file, bool keep) {
  for (int i = 0; i < MOST_KEPT; i++)
    if (kept[i] == (keep ? 0 : file + 1)) {
      kept[i] = keep ? file + 1 : 0;
      return;
    }
}

void subprocess_close_kept(void) {
  for (int i = 0; i < MOST_KEPT; i++)
    if (kept[i] > 0)
      close(kept[i] - 1);
  memset(kept, 0, sizeof kept);
}

void subprocess_limit_memory(uint64_t bytes) {
#if defined(REASSEMBLE_SANITIZED)
  (void)bytes;
#else
  setrlimit(RLIMIT_DATA, &(const struct rlimit){bytes, bytes});
#endif
  setrlimit(RLIMIT_CORE, &(const struct rlimit){0, 0});
}

void *subprocess_shared_memory(size_t bytes) {
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

#if defined(__linux__) && !defined(F_SEAL_FUTURE_WRITE)
#define F_SEAL_FUTURE_WRITE 0x0010 /* since Linux 5.1 */
#endif

/* The memory is a file in memory. Mappings that are made after the seal cannot be written. */
void *subprocess_one_writer_memory(size_t bytes, int *file) {
#ifdef __linux__
  *file = memfd_create("reassemble", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  void *memory = MAP_FAILED;
  if (*file >= 0 && ftruncate(*file, (off_t)bytes) == 0)
    memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, *file, 0);
  if (memory != MAP_FAILED && fcntl(*file, F_ADD_SEALS, F_SEAL_FUTURE_WRITE | F_SEAL_SHRINK | F_SEAL_GROW) == 0)
    return memory;
  if (memory != MAP_FAILED)
    munmap(memory, bytes);
  if (*file >= 0)
    close(*file);
#endif
  *file = -1;
  return subprocess_shared_memory(bytes);
}

bool subprocess_only_reads(void *memory, size_t bytes, int file) {
  return file >= 0 && mmap(memory, bytes, PROT_READ, MAP_SHARED | MAP_FIXED, file, 0) == memory;
}
