#include "base/subprocess.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
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
