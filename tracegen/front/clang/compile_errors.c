#include "tracegen/front/clang/compile_errors.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tracegen/front/clang/confine_compiler.h"

#define MOST_COLUMNS 160 /* of a line that is shown; assumed: longer ones are hard to read */

/* A line of clang that reports an error: "FILE:LINE:COLUMN: error: TEXT", or one without a place. */
struct report {
  const char *file;
  size_t file_length; /* 0: no place */
  unsigned line, column;
  const char *text;
  size_t text_length;
};

static size_t line_length(const char *line) {
  return strcspn(line, "\n");
}

static const char *next_line(const char *line) {
  line += line_length(line);
  return *line ? line + 1 : line;
}

/* Returns the number before *end and after a colon, to which *end moves; 0: there is none. */
static unsigned number_before(const char *start, const char **end) {
  const char *digits = *end;
  while (digits > start && isdigit((unsigned char)digits[-1]))
    digits--;
  if (digits == *end || digits == start || digits[-1] != ':')
    return 0;
  *end = digits - 1;
  return (unsigned)strtoul(digits, NULL, 10);
}

static bool read_report(const char *line, struct report *out) {
  static const char *const words[] = {"fatal error: ", "error: "};
  const size_t length = line_length(line);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    const char *word = memmem(line, length, words[i], strlen(words[i]));
    if (!word || (word > line && (word - line < 2 || word[-2] != ':')))
      continue;
    *out = (struct report){.text = word + strlen(words[i])};
    out->text_length = (size_t)(line + length - out->text);
    const char *end = word - 2;
    if (word > line && (out->column = number_before(line, &end)) && (out->line = number_before(line, &end))) {
      out->file = line;
      out->file_length = (size_t)(end - line);
    }
    return true;
  }
  return false;
}

/* Returns the length of the source's line and the mark under it, after the report in `line`; 0: they are not there, or
 * too long. */
static size_t shown_length(const char *line) {
  const char *source = next_line(line), *mark = next_line(source);
  const size_t marks = line_length(mark);
  if (line_length(source) > MOST_COLUMNS || strspn(mark, " ^~") != marks || !memchr(mark, '^', marks))
    return 0;
  return (size_t)(mark + marks - source);
}

static unsigned count_others(const char *messages) {
  unsigned count = 0;
  struct report report;
  for (; *messages; messages = next_line(messages))
    count += read_report(messages, &report) && report.file_length;
  return count;
}

/* Clang reported no error as expected: shows all of its output. */
static int no_report(const char *source, const char *messages, struct error *error) {
  size_t length = strlen(messages);
  while (length && messages[length - 1] == '\n')
    length--;
  return error_at(error, ERROR_INPUT, source, 0, 0, NULL, "the kernels do not compile%s%.*s", length ? ":\n" : "",
                  (int)length, messages);
}

/* Finds the first "FILE:LINE:COLUMN: TEXT" in the line. */
static bool read_place(const char *line, struct report *out) {
  const char *const line_end = line + line_length(line);
  for (const char *colon = line; (colon = memmem(colon, (size_t)(line_end - colon), ": ", 2)); colon++) {
    const char *end = colon;
    if ((out->column = number_before(line, &end)) && (out->line = number_before(line, &end))) {
      out->file = line;
      out->file_length = (size_t)(end - line);
      out->text = colon + 2;
      out->text_length = (size_t)(line_end - out->text);
      return true;
    }
  }
  return false;
}

static const char crash_report[] = "\nStack dump:\n";

/* Reads where clang was when it crashed: the last line "NUMBER.<tab>FILE:LINE:COLUMN: what it did" of its report. */
static void read_crash(const char *dump, struct report *out) {
  for (const char *line = dump; *line; line = next_line(line)) {
    struct report step;
    const size_t digits = strspn(line, "0123456789");
    if (digits && strncmp(line + digits, ".\t", 2) == 0 && read_place(line + digits + 2, &step))
      *out = step;
  }
}

/* The messages end with clang's report of its own crash. */
static int crash_error(const char *source, const char *messages, const char *folders, size_t memory,
                       struct error *error) {
  struct report at = {.text = ""};
  char doing[200] = "", file[sizeof error->file] = "";
  read_crash(strstr(messages, crash_report), &at);
  snprintf(file, sizeof file, "%.*s", (int)at.file_length, at.file_length ? at.file : "");
  if (*file && (strcmp(file, source) == 0 || compiler_may_read(folders, file)))
    snprintf(doing, sizeof doing, " (%.*s)", (int)at.text_length, at.text);
  if (strstr(messages, "out of memory"))
    return error_at(
        error, ERROR_INPUT, *file ? file : source, at.line, at.column, NULL,
        "error: compiling this takes clang more than the %zu bytes of memory that it may use%s; is an array "
        "or a list of values too large?",
        memory, doing);
  return error_at(error, ERROR_INPUT, *file ? file : source, at.line, at.column, NULL, "error: clang crashed here%s",
                  doing);
}

static bool is_macro_like(const char *name, size_t length) {
  bool letter = false;
  for (size_t i = 0; i < length; i++) {
    letter |= isupper((unsigned char)name[i]) != 0;
    if (!isupper((unsigned char)name[i]) && !isdigit((unsigned char)name[i]) && name[i] != '_')
      return false;
  }
  return letter;
}

static bool starts_with(const struct report *report, const char *start) {
  return report->text_length >= strlen(start) && strncmp(report->text, start, strlen(start)) == 0;
}

/* Returns whether the error is that a name or a type is not known. */
static bool says_unknown(const struct report *report) {
  static const char *const starts[] = {"use of undeclared identifier", "unknown type name", "implicit declaration"};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    if (starts_with(report, starts[i]))
      return true;
  return false;
}

/* Returns what to do about an error whose first quoted name is one of OpenCL C 2.0 and 3.0 (sections 6.15.8, 6.15.12,
 * 6.15.16 and 6.15.19 of OpenCL C 3.0), which a build without -cl-std does not know, or one in capitals, which may be a
 * macro that the host program defines; "" for another error. */
static const char *advice(const struct report *report) {
  static const char *const names[] = {"work_group_",
                                      "sub_group_",
                                      "get_sub_group_",
                                      "get_num_sub_groups",
                                      "get_max_sub_group_size",
                                      "atomic_fetch_",
                                      "atomic_load",
                                      "atomic_store",
                                      "atomic_init",
                                      "atomic_exchange",
                                      "atomic_compare_",
                                      "atomic_flag",
                                      "atomic_int",
                                      "atomic_uint",
                                      "atomic_long",
                                      "atomic_ulong",
                                      "atomic_float",
                                      "ctz'",
                                      "memory_order_",
                                      "memory_scope_",
                                      "get_enqueued_num_sub_groups"};
  static const char undeclared[] = "use of undeclared identifier";
  const char *quote = memchr(report->text, '\'', report->text_length);
  if (memmem(report->text, report->text_length, "half' is not allowed", 20) ||
      memmem(report->text, report->text_length, "requires cl_khr_fp16", 20))
    return "; the line \"#pragma OPENCL EXTENSION cl_khr_fp16 : enable\" in the source allows it";
  if (starts_with(report, "unknown argument: '-cl-"))
    return "; leave out options of one maker's compiler (-cl-nv-..., -cl-intel-...)";
  if (starts_with(report, "unknown type name '__global__'") || starts_with(report, "unknown type name '__device__'"))
    return "; this is CUDA, and only OpenCL C is compiled: its kernels begin with __kernel";
  for (size_t i = 0; quote && says_unknown(report) && i < sizeof names / sizeof *names; i++)
    if (strncmp(quote + 1, names[i], strlen(names[i])) == 0)
      return "; the option -cl-std=CL3.0 makes it known";
  const char *end = quote ? memchr(quote + 1, '\'', report->text_length - (size_t)(quote + 1 - report->text)) : NULL;
  if (end && strncmp(report->text, undeclared, strlen(undeclared)) == 0 &&
      is_macro_like(quote + 1, (size_t)(end - quote - 1)))
    return "; a macro of the host program is given by --options -DNAME=VALUE (in a workload's file by \"options\")";
  return "";
}

int compile_error(const char *source, const char *messages, const char *folders, size_t memory, struct error *error) {
  struct report first;
  const char *line = messages ? messages : "";
  char file[sizeof error->file] = "", others[40] = "";
  if (strstr(line, crash_report))
    return crash_error(source, messages, folders, memory, error);
  while (*line && !read_report(line, &first))
    line = next_line(line);
  if (!*line)
    return no_report(source, messages ? messages : "", error);
  snprintf(file, sizeof file, "%.*s", (int)first.file_length, first.file_length ? first.file : "");
  if (*file && strcmp(file, source) != 0 && !compiler_may_read(folders, file))
    return error_at(error, ERROR_INPUT, file, first.line, 0, NULL,
                    "error: what this file holds does not compile, and is not shown: it lies neither in the folder of "
                    "the kernel source %s nor in one of its -I folders",
                    source);
  const unsigned more = count_others(next_line(line));
  if (more)
    snprintf(others, sizeof others, "; %u more error%s", more, more > 1 ? "s" : "");
  const bool here = strcmp(file, source) == 0;
  const size_t shown = shown_length(line);
  return error_at(error, ERROR_INPUT, *file ? file : source, first.line, first.column, NULL,
                  "error: %.*s%s (%s%s%s)%s%.*s", (int)first.text_length, first.text, advice(&first),
                  here || !*file ? "kernel source" : "for the kernel source ", here || !*file ? "" : source, others,
                  shown ? "\n" : "", (int)shown, next_line(line));
}
