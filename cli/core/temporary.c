#include "cli/core/temporary.h"

#include "base/text.h"

#include <dirent.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDS = sizeof ends / sizeof ends[0] };

#define LAST_SECOND_NS 1000000000
#define LOOKS          100

static struct {
  char folder[PATH_MAX];
  volatile pid_t writer;
  pid_t owner; /* a child that was forked meanwhile has the handlers too, but removes nothing */
  struct sigaction before[ENDS];
} current;

static void remove_folder(const char *folder) {
  DIR *directory = opendir(folder);
  if (directory == NULL)
    return;
  for (const struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory))
    unlinkat(dirfd(directory), entry->d_name, 0); /* fails for . and .. */
  closedir(directory);
  rmdir(folder);
}

/* The same with calls only that are safe in a signal handler (POSIX.1, 2.4.3). */
static void remove_when_interrupted(const char *folder) {
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/rm", "rm", "-rf", "--", folder, (char *)NULL);
    _exit(1);
  }
  if (child > 0)
    waitpid(child, NULL, 0);
}

static bool has_ended(pid_t process) {
  return waitpid(process, NULL, WNOHANG) != 0;
}

static void end_writer(pid_t process, int number) {
  static const struct timespec pause = {.tv_nsec = LAST_SECOND_NS / LOOKS};
  kill(process, number);
  bool ended = has_ended(process);
  for (int i = 0; i < LOOKS && !ended; i++) {
    nanosleep(&pause, NULL);
    ended = has_ended(process);
  }
  if (ended)
    return;
  kill(process, SIGKILL);
  waitpid(process, NULL, 0);
}

static void on_end(int number) {
  if (getpid() == current.owner && current.writer > 0)
    end_writer(current.writer, number);
  if (getpid() == current.owner)
    remove_when_interrupted(current.folder);
  signal(number, SIG_DFL);
  raise(number);
}

/* A signal that is ignored (nohup) stays so. */
static void watch_ends(void) {
  for (size_t i = 0; i < ENDS; i++) {
    sigaction(ends[i], NULL, &current.before[i]);
    const struct sigaction action = {.sa_handler = on_end};
    if (current.before[i].sa_handler != SIG_IGN)
      sigaction(ends[i], &action, NULL);
  }
}

void temporary_hold_signals(sigset_t *before) {
  sigset_t held;
  sigemptyset(&held);
  for (size_t i = 0; i < ENDS; i++)
    sigaddset(&held, ends[i]);
  sigprocmask(SIG_BLOCK, &held, before);
}

void temporary_let_signals(const sigset_t *before) {
  sigprocmask(SIG_SETMASK, before, NULL);
}

/* No signal may come between the folder's creation and the handlers that remove it. */
static int create_watched(char *name) {
  sigset_t before;
  temporary_hold_signals(&before);
  const bool made = mkdtemp(name) != NULL;
  if (made) {
    strcpy(current.folder, name);
    current.owner = getpid();
    watch_ends();
  }
  temporary_let_signals(&before);
  return made ? 0 : -1;
}

int temporary_create(char **folder, struct error *error) {
  const char *parent = getenv("TMPDIR");
  if (parent == NULL || parent[0] == '\0')
    parent = "/tmp";
  char *name = text_format("%s/reassemble-XXXXXX", parent);
  if (name == NULL || strlen(name) >= sizeof current.folder || create_watched(name) != 0) {
    free(name);
    return error_set(error, ERROR_WORK, "no temporary folder in %s (set TMPDIR to a writable folder)", parent);
  }
  *folder = name;
  return 0;
}

void temporary_writer(pid_t process) {
  current.writer = process;
}

void temporary_remove(char *folder) {
  remove_folder(folder);
  for (size_t i = 0; i < ENDS; i++)
    sigaction(ends[i], &current.before[i], NULL);
  free(folder);
}
