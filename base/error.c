#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

static void copy_text(char *to, size_t size, const char *from) {
  snprintf(to, size, "%s", from ? from : "");
}

static void store(struct error *error, enum error_kind kind, const char *file, unsigned line, unsigned column,
                  const char *key, const char *format, va_list arguments) {
  error->kind = kind;
  vsnprintf(error->text, sizeof error->text, format, arguments);
  copy_text(error->file, sizeof error->file, file);
  copy_text(error->key, sizeof error->key, key);
  error->line = line;
  error->column = column;
}

int error_set(struct error *error, enum error_kind kind, const char *format, ...) {
  if (!error || error->kind != ERROR_NONE)
    return -1;
  va_list arguments;
  va_start(arguments, format);
  store(error, kind, "", 0, 0, "", format, arguments);
  va_end(arguments);
  return -1;
}

int error_at(struct error *error, enum error_kind kind, const char *file, unsigned line, unsigned column,
             const char *key, const char *format, ...) {
  if (!error || error->kind != ERROR_NONE)
    return -1;
  va_list arguments;
  va_start(arguments, format);
  store(error, kind, file, line, column, key, format, arguments);
  va_end(arguments);
  return -1;
}

enum error_kind error_kind_of(int number) {
  switch (number) {
  case ENOMEM:
  case EMFILE:
  case ENFILE:
  case ENOSPC:
  case EIO:
    return ERROR_WORK;
  default:
    return ERROR_INPUT;
  }
}

int error_no_memory(struct error *error) {
  return error_set(error, ERROR_WORK, "out of memory");
}

bool error_is_no_memory(const struct error *error) {
  return error->kind == ERROR_WORK && strstr(error->text, "out of memory");
}

/* Messages quote untrusted input, so control characters, which could steer a terminal, are written as '?'. */
static void put_text(const char *text, FILE *out) {
  for (; *text != '\0'; text++) {
    unsigned char c = (unsigned char)*text;
    bool control = (c < ' ' && c != '\n' && c != '\t') || c == 0x7f;
    putc(control ? '?' : c, out);
  }
}

void error_print(const struct error *error, FILE *out) {
  if (error->file[0] != '\0') {
    put_text(error->file, out);
    if (error->line != 0)
      fprintf(out, ":%u", error->line);
    if (error->line != 0 && error->column != 0)
      fprintf(out, ":%u", error->column);
    fputs(": ", out);
  }
  if (error->key[0] != '\0') {
    put_text(error->key, out);
    fputs(": ", out);
  }
  put_text(error->text, out);
  putc('\n', out);
}

int error_exit_code(const struct error *error) {
  switch (error->kind) {
  case ERROR_NONE:
    return 0;
  case ERROR_INPUT:
    return 2;
  case ERROR_WORK:
    return 1;
  }
  return 1;
}
