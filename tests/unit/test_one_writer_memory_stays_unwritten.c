/* Memory that one process writes: another one that has given up writing sees what is written later, cannot write, and
 * cannot take the permission back; neither can its children. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/process/subprocess.h"

#define BYTES ((size_t)3 * 4096)

/* Returns 0 where mprotect refuses and the memory can be read. */
static int try_to_write_again(const char *memory) {
  const pid_t child = fork();
  if (child == 0)
    _exit(memory[5] == 'x' && mprotect((void *)memory, BYTES, PROT_READ | PROT_WRITE) != 0 ? 0 : 1);
  return subprocess_wait(child);
}

static void readers_cannot_write(void **state) {
  (void)state;
  int file, status, go[2];
  char *memory = subprocess_one_writer_memory(BYTES, &file), byte;
  assert_non_null(memory);
  if (file < 0)
    skip(); /* the system has no sealed memory */
  assert_int_equal(pipe(go), 0);
  const pid_t reader = fork();
  if (reader == 0) {
    signal(SIGSEGV, SIG_DFL);
    if (!subprocess_only_reads(memory, BYTES, file) || read(go[0], &byte, 1) != 1)
      _exit(2);
    close(file);
    if (try_to_write_again(memory) != 0)
      _exit(3);
    memory[5] = 'y';
    _exit(4);
  }
  memset(memory, 'x', BYTES);
  assert_int_equal(write(go[1], "", 1), 1);
  assert_int_equal(waitpid(reader, &status, 0), reader);
  assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) == 1); /* 1: a sanitizer's handler */
  assert_int_equal(memory[5], 'x');
  close(file);
  close(go[0]);
  close(go[1]);
  munmap(memory, BYTES);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(readers_cannot_write)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
