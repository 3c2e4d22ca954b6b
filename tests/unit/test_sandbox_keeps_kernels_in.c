/* After sandbox_enter a process cannot leave the sandbox: each attempt is made by a forked process, and the filter
 * of system calls has to kill it or refuse the call. The calls that the emulation needs still work. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/process/confine_files.h"
#include "tracegen/confine/sandbox.h"
#include "tracegen/confine/system_calls.h"

enum { ALLOWED = 0, DENIED = 7, REFUSED = 8 };

static char folder[] = "/tmp/reassemble-sandbox-XXXXXX";

static int enter(void **state) {
  (void)state;
  return mkdtemp(folder) && chdir(folder) == 0 && mkdir("own", 0700) == 0 ? 0 : -1;
}

static int leave(void **state) {
  (void)state;
  unlink("own/trace");
  unlink("other");
  rmdir("own");
  return chdir("/") == 0 ? rmdir(folder) : -1;
}

static bool compiles; /* attempts are made while a kernel is compiled */
static const char *const *readable;

/* The status of a process that is confined and then makes the attempt. */
static int attempt(int (*make)(void), bool may_fork) {
  const pid_t process = fork();
  int status;
  if (process == 0) {
    const struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    struct error error = ERROR_INIT;
    const struct sandbox sandbox = {.readable = readable, .folder = "own", .may_fork = may_fork, .cpu_s = 60};
    if (compiles ? sandbox_enter_compiling(readable, (const char *const[]){"own", NULL}, &error)
                 : sandbox_enter(&sandbox, &error))
      _exit(REFUSED);
    _exit(make());
  }
  assert_int_equal(waitpid(process, &status, 0), process);
  return status;
}

static void expect_killed(int (*make)(void)) {
  const int status = attempt(make, false);
  assert_true(WIFSIGNALED(status));
  assert_int_equal(WTERMSIG(status), SIGSYS);
}

static void expect_exit(int (*make)(void), int code) {
  const int status = attempt(make, false);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), code);
}

static int judged(long result) {
  return result >= 0 ? ALLOWED : errno == EPERM || errno == EACCES ? DENIED : 1;
}

static int make_socket(void) {
  return judged(socket(AF_INET, SOCK_STREAM, 0));
}

static int fork_process(void) {
  const pid_t child = fork();
  if (child == 0)
    _exit(0);
  return judged(child);
}

static int run_program(void) {
  return judged(execl("/bin/true", "/bin/true", (char *)NULL));
}

static int trace_parent(void) {
  return judged(syscall(SYS_ptrace, 16 /* PTRACE_ATTACH */, getppid(), 0, 0));
}

static int kill_parent(void) {
  return judged(kill(getppid(), SIGKILL));
}

static int signal_parents_thread(void) {
  return judged(syscall(SYS_tgkill, getppid(), getppid(), SIGKILL));
}

static int change_owner(void) {
  return judged(syscall(SYS_fchown, 0, 0, 0));
}

static int make_link(void) {
  return judged(symlink("/etc/passwd", "own/link"));
}

static int read_foreign(void) {
  return judged(open("/etc/passwd", O_RDONLY));
}

static int write_foreign(void) {
  return judged(open("other", O_WRONLY | O_CREAT, 0600));
}

static int replace_foreign(void) {
  const int result = rename("own/trace", "other");
  return result && errno == EXDEV ? DENIED : judged(result); /* names never change folder */
}

static int write_own(void) {
  return judged(open("own/trace", O_WRONLY | O_CREAT, 0600)) || judged(rename("own/trace", "own/other")) ||
         judged(rename("own/other", "own/trace"));
}

static void *nothing(void *argument) {
  return argument;
}

static int start_thread(void) {
  pthread_t thread;
  return pthread_create(&thread, NULL, nothing, NULL) || pthread_join(thread, NULL);
}

static int make_code(void) {
  char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return page == MAP_FAILED || mprotect(page, 4096, PROT_READ | PROT_EXEC);
}

static void need_filter(void) {
  if (!system_calls_are_filtered())
    skip();
}

static void need_landlock(void) {
  if (confine_files_level() < 1)
    skip();
}

static void attacks_are_killed(void **state) {
  (void)state;
  need_filter();
  expect_killed(make_socket);
  expect_killed(fork_process);
  expect_killed(run_program);
  expect_killed(trace_parent);
}

static void others_are_denied(void **state) {
  (void)state;
  need_filter();
  expect_exit(kill_parent, DENIED);
  expect_exit(signal_parents_thread, DENIED);
  expect_exit(change_owner, DENIED);
  expect_exit(make_link, DENIED);
}

static void files_elsewhere_are_out_of_reach(void **state) {
  (void)state;
  need_landlock();
  expect_exit(write_own, ALLOWED);
  expect_exit(read_foreign, DENIED);
  expect_exit(write_foreign, DENIED);
  expect_exit(replace_foreign, DENIED);
}

/* A pipe, for which Landlock takes no rule. */
static void a_place_without_a_rule_opens_no_other(void **state) {
  char pipe_name[64];
  int ends[2];
  (void)state;
  need_landlock();
  assert_int_equal(pipe(ends), 0);
  snprintf(pipe_name, sizeof pipe_name, "/proc/self/fd/%d", ends[0]);
  readable = (const char *const[]){pipe_name, "/nowhere", NULL};
  expect_exit(read_foreign, DENIED);
  expect_exit(write_own, ALLOWED);
  readable = NULL;
  close(ends[0]);
  close(ends[1]);
}

static int unconfined(void) {
  return ALLOWED;
}

/* The system refuses for want of a descriptor. */
static void nothing_runs_where_the_system_refuses(void **state) {
  struct rlimit before;
  (void)state;
  need_landlock();
  assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
  const struct rlimit none = {0, before.rlim_max};
  assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
  const int status = attempt(unconfined, false);
  assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), REFUSED);
}

/* A filter that is made under a limit of file sizes is whole. */
static void a_limit_of_file_sizes_opens_nothing(void **state) {
  struct rlimit before;
  (void)state;
  need_filter();
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  const struct rlimit little = {512, before.rlim_max};
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
  sandbox_prepare(false);
  const int status = attempt(make_socket, false);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
  assert_true(WIFSIGNALED(status));
  assert_int_equal(WTERMSIG(status), SIGSYS);
}

static void what_is_needed_works(void **state) {
  (void)state;
  expect_exit(start_thread, ALLOWED);
  expect_exit(make_code, ALLOWED);
  const int status = attempt(fork_process, true);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == ALLOWED);
}

/* The sandbox closes further. */
static int enter_and_read_own(void) {
  struct error error = ERROR_INIT;
  if (sandbox_enter(&(struct sandbox){.cpu_s = 60}, &error))
    return REFUSED;
  return judged(open("own/trace", O_RDONLY));
}

static int begin_compiling(void **state) {
  (void)state;
  compiles = true;
  return 0;
}

static int end_compiling(void **state) {
  (void)state;
  compiles = false;
  return 0;
}

static void compiling_is_confined_too(void **state) {
  (void)state;
  need_filter();
  expect_killed(make_socket);
  expect_killed(run_program);
  expect_killed(trace_parent);
  expect_exit(kill_parent, DENIED);
  expect_exit(fork_process, ALLOWED);
  expect_exit(start_thread, ALLOWED);
  expect_exit(make_code, ALLOWED);
  need_landlock();
  expect_exit(write_own, ALLOWED);
  expect_exit(read_foreign, DENIED);
  expect_exit(write_foreign, DENIED);
  expect_exit(make_link, DENIED);
  expect_exit(enter_and_read_own, DENIED);
  a_place_without_a_rule_opens_no_other(state);
  nothing_runs_where_the_system_refuses(state);
}

int main(void) {
#ifdef REASSEMBLE_SANITIZED
  return 0; /* such a build confines nothing */
#endif
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(attacks_are_killed),
      cmocka_unit_test(others_are_denied),
      cmocka_unit_test(files_elsewhere_are_out_of_reach),
      cmocka_unit_test(a_limit_of_file_sizes_opens_nothing),
      cmocka_unit_test(a_place_without_a_rule_opens_no_other),
      cmocka_unit_test(nothing_runs_where_the_system_refuses),
      cmocka_unit_test(what_is_needed_works),
      cmocka_unit_test_setup_teardown(compiling_is_confined_too, begin_compiling, end_compiling),
  };
  return cmocka_run_group_tests(tests, enter, leave);
}
