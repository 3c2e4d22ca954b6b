#include "tracegen/front/clang/lone_source.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define BYTE_ORDER_MARK "\xEF\xBB\xBF"

static bool is_in_word(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

/* Returns whether the text asks about its file, or has trigraphs: "??/" is a backslash, "??=" a number sign. */
static bool has_words_of_its_place(const char *text, size_t length) {
  static const char *const words[] = {"__has_include", "__has_embed",   "__INCLUDE_LEVEL__",
                                      "__BASE_FILE__", "__TIMESTAMP__", "??"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (memmem(text, length, words[i], strlen(words[i])))
      return true;
  return false;
}

/* Returns whether a directive that starts after a number sign, or its other spelling "%:", includes a file. It may have
 * comments or joined lines before its name, which count as such. */
static bool asks_for_file(const char *at, const char *end) {
  static const char *const names[] = {"include", "import", "embed", "/", "\\"};
  while (at < end && (*at == ' ' || *at == '\t' || *at == '\v' || *at == '\f'))
    at++;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const size_t length = strlen(names[i]);
    if ((size_t)(end - at) >= length && memcmp(at, names[i], length) == 0)
      return true;
  }
  return false;
}

/* Returns whether the backslash joins two halves of a word. */
static bool cuts_word(const char *start, const char *at, const char *end) {
  const char *next = at + 1;
  while (next < end && isspace((unsigned char)*next) && *next != '\n')
    next++;
  return at > start && is_in_word(at[-1]) && next + 1 < end && *next == '\n' && is_in_word(next[1]);
}

bool lone_source_is(const char *text, size_t length) {
  const char *end = text + length;
  if (has_words_of_its_place(text, length))
    return false;
  for (const char *at = text; at < end; at++) {
    const bool directive = *at == '#' || (*at == ':' && at > text && at[-1] == '%');
    if ((directive && asks_for_file(at + 1, end)) || (*at == '\\' && cuts_word(text, at, end)))
      return false;
  }
  return true;
}

static void put_name(const char *path, struct bytes *out) {
  char octal[8];
  for (; *path; path++) {
    const unsigned char c = (unsigned char)*path;
    const bool plain = c >= ' ' && c != '"' && c != '\\' && c != 0x7f;
    snprintf(octal, sizeof octal, "\\%03o", c);
    bytes_append(out, plain ? path : octal, plain ? 1 : 4);
  }
}

void lone_source_stream(const char *path, const char *text, size_t length, struct bytes *out) {
  const size_t mark = length >= 3 && memcmp(text, BYTE_ORDER_MARK, 3) == 0 ? 3 : 0;
  bytes_append(out, "#line 1 \"", 9);
  put_name(path, out);
  bytes_append(out, "\"\n", 2);
  bytes_append(out, text + mark, length - mark);
}
