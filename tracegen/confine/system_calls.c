#include "tracegen/confine/system_calls.h"

#include <stddef.h>

#ifdef REASSEMBLE_SECCOMP

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <seccomp.h>

/* The calls that the emulation makes while a kernel runs: memory, what is open, the trace's own folder, time, its own
 * threads and signals; what LLVM does while it makes more native code. */
static const int allowed[] = {
    SCMP_SYS(read),
    SCMP_SYS(write),
    SCMP_SYS(readv),
    SCMP_SYS(writev),
    SCMP_SYS(pread64),
    SCMP_SYS(pwrite64),
    SCMP_SYS(lseek),
    SCMP_SYS(close),
    SCMP_SYS(fstat),
    SCMP_SYS(stat),
    SCMP_SYS(lstat),
    SCMP_SYS(newfstatat),
    SCMP_SYS(statx),
    SCMP_SYS(open),
    SCMP_SYS(openat),
    SCMP_SYS(access),
    SCMP_SYS(faccessat),
    SCMP_SYS(faccessat2),
    SCMP_SYS(readlink),
    SCMP_SYS(readlinkat),
    SCMP_SYS(rename),
    SCMP_SYS(renameat),
    SCMP_SYS(renameat2),
    SCMP_SYS(unlink),
    SCMP_SYS(unlinkat),
    SCMP_SYS(ftruncate),
    SCMP_SYS(fallocate),
    SCMP_SYS(fsync),
    SCMP_SYS(fdatasync),
    SCMP_SYS(fchmod),
    SCMP_SYS(fcntl),
    SCMP_SYS(dup),
    SCMP_SYS(dup2),
    SCMP_SYS(dup3),
    SCMP_SYS(getcwd),
    SCMP_SYS(getdents64),
    SCMP_SYS(mmap),
    SCMP_SYS(munmap),
    SCMP_SYS(mprotect),
    SCMP_SYS(mremap),
    SCMP_SYS(madvise),
    SCMP_SYS(brk),
    SCMP_SYS(futex),
    SCMP_SYS(set_robust_list),
    SCMP_SYS(get_robust_list),
    SCMP_SYS(rseq),
    SCMP_SYS(membarrier),
    SCMP_SYS(set_tid_address),
    SCMP_SYS(arch_prctl),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(rt_sigtimedwait),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(pause),
    SCMP_SYS(tgkill),
    SCMP_SYS(nanosleep),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_getres),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(time),
    SCMP_SYS(setitimer),
    SCMP_SYS(getitimer),
    SCMP_SYS(timer_create),
    SCMP_SYS(timer_settime),
    SCMP_SYS(timer_gettime),
    SCMP_SYS(timer_delete),
    SCMP_SYS(alarm),
    SCMP_SYS(getpid),
    SCMP_SYS(gettid),
    SCMP_SYS(getppid),
    SCMP_SYS(getuid),
    SCMP_SYS(geteuid),
    SCMP_SYS(getgid),
    SCMP_SYS(getegid),
    SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(sched_setaffinity),
    SCMP_SYS(sched_getparam),
    SCMP_SYS(sched_getscheduler),
    SCMP_SYS(getrusage),
    SCMP_SYS(getrlimit),
    SCMP_SYS(poll),
    SCMP_SYS(ppoll),
    SCMP_SYS(wait4),
    SCMP_SYS(uname),
    SCMP_SYS(sysinfo),
    SCMP_SYS(getrandom),
    SCMP_SYS(getcpu),
};

/* The calls that only an attack makes. */
static const int deadly[] = {
    SCMP_SYS(execve),
    SCMP_SYS(execveat),
    SCMP_SYS(fork),
    SCMP_SYS(vfork),
    SCMP_SYS(socket),
    SCMP_SYS(connect),
    SCMP_SYS(bind),
    SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(mount),
    SCMP_SYS(umount2),
    SCMP_SYS(pivot_root),
    SCMP_SYS(chroot),
    SCMP_SYS(unshare),
    SCMP_SYS(setns),
    SCMP_SYS(bpf),
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(userfaultfd),
    SCMP_SYS(keyctl),
    SCMP_SYS(kexec_load),
    SCMP_SYS(init_module),
    SCMP_SYS(finit_module),
    SCMP_SYS(reboot),
    SCMP_SYS(setuid),
    SCMP_SYS(setgid),
    SCMP_SYS(setsid),
    SCMP_SYS(pidfd_open),
};

static bool add_lists(scmp_filter_ctx filter) {
  bool good = true;
  for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
    good &= seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0) == 0;
  for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++)
    good &= seccomp_rule_add(filter, SCMP_ACT_KILL_PROCESS, deadly[i], 0) == 0;
  return good;
}

static struct scmp_arg_cmp argument(unsigned number, enum scmp_compare comparison, uint64_t value, uint64_t other) {
  return (struct scmp_arg_cmp){.arg = number, .op = comparison, .datum_a = value, .datum_b = other};
}

/* Threads are started by clone with CLONE_THREAD; clone3 keeps its flags in memory, where no filter sees them, and the
 * C library does without. Limits are asked for, not set; prctl says that the process ends with its parent. */
static bool add_conditions(scmp_filter_ctx filter, bool may_fork) {
  const uint32_t kill_it = SCMP_ACT_KILL_PROCESS, allow = SCMP_ACT_ALLOW;
  bool good = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0;
  good &= seccomp_rule_add(filter, allow, SCMP_SYS(clone), 1,
                           argument(0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD)) == 0;
  good &= seccomp_rule_add(filter, may_fork ? allow : kill_it, SCMP_SYS(clone), 1,
                           argument(0, SCMP_CMP_MASKED_EQ, CLONE_THREAD | CLONE_NEWUSER | CLONE_NEWNS, 0)) == 0;
  good &= seccomp_rule_add(filter, allow, SCMP_SYS(prlimit64), 1, argument(2, SCMP_CMP_EQ, 0, 0)) == 0;
  good &= seccomp_rule_add(filter, allow, SCMP_SYS(prctl), 1, argument(0, SCMP_CMP_EQ, PR_SET_PDEATHSIG, 0)) == 0;
  good &= seccomp_rule_add(filter, allow, SCMP_SYS(prctl), 1, argument(0, SCMP_CMP_EQ, PR_SET_NAME, 0)) == 0;
  good &= seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOTTY), SCMP_SYS(ioctl), 0) == 0;
  return good;
}

static scmp_filter_ctx make(bool may_fork) {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
  if (filter && add_lists(filter) && add_conditions(filter, may_fork)) {
    seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2); /* libseccomp before 2.5 has no faster order */
    return filter;
  }
  if (filter)
    seccomp_release(filter);
  return NULL;
}

#define MOST_STEPS 4096 /* of a filter; as many bytes as a pipe holds at least */

/* The filter's program, behind its length, so that to apply it takes no more than a system call. It goes through a
 * pipe, because a limit of file sizes would cut a file short, of memory as well. */
static struct sock_fprog *program_of(scmp_filter_ctx filter) {
  struct sock_fprog *program = malloc(sizeof *program + MOST_STEPS * sizeof *program->filter);
  int ends[2];
  ssize_t length = -1;
  if (program && pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0) {
    program->filter = (struct sock_filter *)(program + 1);
    if (seccomp_export_bpf(filter, ends[1]) == 0)
      length = read(ends[0], program->filter, MOST_STEPS * sizeof *program->filter);
    close(ends[0]);
    close(ends[1]);
  }
  if (length > 0 && (size_t)length % sizeof *program->filter == 0) {
    program->len = (unsigned short)((size_t)length / sizeof *program->filter);
    return program;
  }
  free(program);
  return NULL;
}

static void *finish(scmp_filter_ctx filter) {
  struct sock_fprog *program = filter ? program_of(filter) : NULL;
  if (filter)
    seccomp_release(filter);
  return program;
}

void *system_calls_prepare(bool may_fork) {
  return finish(make(may_fork));
}

void *system_calls_prepare_compiling(void) {
  static const int refused[] = {SCMP_SYS(kill), SCMP_SYS(tkill), SCMP_SYS(rt_sigqueueinfo),
                                SCMP_SYS(rt_tgsigqueueinfo)};
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  bool good = filter != NULL;
  for (size_t i = 0; good && i < sizeof deadly / sizeof *deadly; i++)
    good = seccomp_rule_add(filter, SCMP_ACT_KILL_PROCESS, deadly[i], 0) == 0;
  for (size_t i = 0; good && i < sizeof refused / sizeof *refused; i++)
    good = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), refused[i], 0) == 0;
  if (good)
    return finish(filter);
  if (filter)
    seccomp_release(filter);
  return NULL;
}

/* Signals go to threads of this process alone, whose number is not known before: a filter of its own. */
static bool confine_signals(void) {
  const uint32_t own = (uint32_t)getpid();
  struct sock_filter steps[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])), /* its low half: little endian */
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, own, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const struct sock_fprog program = {sizeof steps / sizeof *steps, steps};
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

bool system_calls_confine_compiling(const void *filter) {
  return filter && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, filter) == 0;
}

bool system_calls_confine(const void *filter) {
  return filter && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && confine_signals() &&
         syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, filter) == 0;
}

void system_calls_release(void *filter) {
  free(filter);
}

/* No filter at all is applied: the question is whether one could be. */
bool system_calls_are_filtered(void) {
  const long found = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, NULL);
  return found < 0 && errno == EFAULT;
}

#else

void *system_calls_prepare(bool may_fork) {
  (void)may_fork;
  return NULL;
}

void *system_calls_prepare_compiling(void) {
  return NULL;
}

bool system_calls_confine_compiling(const void *filter) {
  (void)filter;
  return false;
}

bool system_calls_confine(const void *filter) {
  (void)filter;
  return false;
}

void system_calls_release(void *filter) {
  (void)filter;
}

bool system_calls_are_filtered(void) {
  return false;
}

#endif
