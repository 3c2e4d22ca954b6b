#include "judge_run.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "run_folder.h"

#define MOST_KINDS 4096

/* How runs ended, and which did so. */
struct kind {
  char *text;
  unsigned count;
  bool is_fault;
  char first[128];
};

struct allowed allowed;
char *expected_output;
unsigned long faults, good;
static struct kind kinds[MOST_KINDS];
static size_t kind_count;

static bool has(const char *path, const char *part) {
  return part && strstr(path, part);
}

/* Returns the length of the number, with its fraction and exponent, that a text begins with. */
static size_t number_length(const char *text) {
  const char *const digits = "0123456789";
  size_t length = strspn(text, digits);
  if (length && text[length] == '.')
    length += 1 + strspn(text + length + 1, digits);
  const size_t sign = length && text[length] == 'e' ? 1 + strspn(text + length + 1, "+-") : 0;
  const size_t exponent = sign ? strspn(text + length + sign, digits) : 0;
  return exponent ? length + sign + exponent : length;
}

/* Puts a message on one line and # in place of each number, so that the same ones are counted together. */
static void without_numbers(char *text) {
  char *to = text;
  for (const char *from = text; *from;) {
    const size_t number = number_length(from);
    const char c = number ? '#' : *from == '\n' ? ' ' : *from;
    if (to == text || to[-1] != c || (c != '#' && c != ' '))
      *to++ = c;
    from += number ? number : 1;
  }
  *to = 0;
}

/* Bytes of 0 (a trace) are replaced. */
char *read_output(void) {
  size_t length;
  char *output = read_whole("../stdout", &length);
  for (size_t i = 0; i < length; i++)
    if (output[i] == 0)
      output[i] = 1;
  if (allowed.has_rates)
    without_numbers(output);
  return output;
}

bool same_lines(char *a, const char *b, bool mark) {
  bool equal = true;
  while (*a || *b) {
    const size_t m = strcspn(a, "\n"), n = strcspn(b, "\n");
    const bool differs = *a != 1 && (m != n || memcmp(a, b, m) != 0);
    if (differs && mark && m)
      *a = 1;
    equal &= !differs;
    a += m + (a[m] != 0);
    b += n + (b[n] != 0);
  }
  return equal;
}

/* Returns whether each line of a file is one of the other's, and the last at least the beginning of one. */
static bool holds_lines_of(const struct file *f, const struct file *other) {
  for (const char *line = f->data; *line;) {
    const size_t length = strcspn(line, "\n") + (line[strcspn(line, "\n")] != 0);
    if (!memmem(other->data, other->length, line, length))
      return false;
    line += length;
  }
  return true;
}

/* Compares a file that the command did not find with that of the whole command, if there is one. */
static bool is_right(const struct file *f, const struct file *e, bool is_done, bool is_explained) {
  if (strncmp(f->path, "./cache", 7) == 0 && !strstr(f->path, ".tmp-"))
    return true;
  if (e && (e->varies || same(f, e)))
    return true;
  if (is_done)
    return has(f->path, allowed.always_different) ||
           (is_explained && (has(f->path, allowed.skipped) || has(f->path, allowed.different)));
  return has(f->path, allowed.different) || (has(f->path, allowed.cut) && (!e || holds_lines_of(f, e)));
}

/* Compares the files of a run with those of the whole command. Returns NULL, or which is wrong. */
static const char *wrong_file(bool is_done) {
  static char text[512];
  bool is_explained = false;
  for (size_t i = 0; i < found.count; i++)
    is_explained |= has(found.files[i].path, allowed.different);
  for (size_t i = 0; i < expected.count && is_done; i++) {
    const char *path = expected.files[i].path;
    if (!file_in(&found, path) && strncmp(path, "./cache", 7) != 0 && !(is_explained && has(path, allowed.skipped)))
      return snprintf(text, sizeof text, "exit 0 and no %s", path), text;
  }
  for (size_t i = 0; i < found.count; i++) {
    const struct file *f = &found.files[i], *e = file_in(&expected, f->path), *input = file_in(&inputs, f->path);
    if ((!input || !same(f, input) || (is_done && e)) && !is_right(f, e, is_done, is_explained))
      return snprintf(text, sizeof text, "%s %s", e ? "another" : "left", f->path), text;
  }
  for (size_t i = 0; i < inputs.count; i++)
    if (!file_in(&found, inputs.files[i].path))
      return snprintf(text, sizeof text, "lost %s", inputs.files[i].path), text;
  return NULL;
}

static void count(const char *name, const char *text, bool is_fault) {
  size_t i = 0;
  while (i < kind_count && strcmp(kinds[i].text, text) != 0)
    i++;
  if (i == MOST_KINDS)
    stop("too many ways to end");
  if (i == kind_count)
    kinds[kind_count++] = (struct kind){.text = strdup(text), .is_fault = is_fault};
  if (kinds[i].count++ < 4)
    snprintf(kinds[i].first + strlen(kinds[i].first), sizeof kinds[i].first - strlen(kinds[i].first), " %s", name);
  faults += is_fault;
}

/* Returns whether glibc has ended the run because a variable of a thread in C++ has no memory. */
static bool is_end_by_c_library(int status, const char *said) {
  const bool ended = status >= 0 && (WIFSIGNALED(status) ? WTERMSIG(status) == SIGABRT : WEXITSTATUS(status) == 127);
  return allowed.by_c_library && ended &&
         (strstr(said, "failed to register TLS destructor: out of memory") ||
          strstr(said, "cannot allocate memory for thread-local data"));
}

void judge(const char *name, int status, bool left_process) {
  size_t length;
  char *said = read_whole("../stderr", &length), *output = read_output(), *text;
  const int code = status >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  const char *what = status == -1          ? "hangs"
                     : WIFSIGNALED(status) ? strsignal(WTERMSIG(status))
                     : left_process        ? "leaves a process"
                                           : wrong_file(code == 0);
  if (!what && code == 0 && !allowed.skipped && !same_lines(expected_output, output, false))
    what = "exit 0 and another output";
  if (!what && code > 1 && !(code == 2 && has(said, allowed.known)))
    what = "exit code";
  if (!what && code == 1 && !strcasestr(said, "memory") && !strstr(said, "libgomp") && !strstr(said, "OpenCL error -6"))
    what = "another reason";
  if (is_end_by_c_library(status, said))
    what = NULL;
  without_numbers(said);
  if (said[0] && length > 2000)
    said[2000] = 0;
  if (code == 0 && !what && !said[0])
    good++;
  else if (asprintf(&text, "%s%sexit %d: %s", what ? what : "", what ? ": " : "", code, said) > 0) {
    count(name, text, what != NULL);
    free(text);
  }
  free(said);
  free(output);
}

void print_kinds(bool all) {
  for (size_t i = 0; i < kind_count; i++)
    if (all || kinds[i].is_fault)
      printf("  %s%5u x %s (%s )\n", kinds[i].is_fault ? "FAULT" : "     ", kinds[i].count, kinds[i].text,
             kinds[i].first);
}
