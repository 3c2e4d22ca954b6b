#include "cli/core/wrap.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static const char command[] = "  reassemble ";

/* Returns the column at which the text of a line of `length` characters begins. */
static size_t text_column(const char *line, size_t length) {
  const size_t first = strspn(line, " ");
  for (size_t i = first; i + 2 < length; i++)
    if (line[i] == ' ' && line[i + 1] == ' ')
      return i + strspn(line + i, " ");
  return first;
}

/* Returns how many of the `length` characters fit into `width`: up to a space, or all where there is none behind
 * `least`. */
static size_t part_length(const char *line, size_t length, size_t least, size_t width) {
  if (length <= width)
    return length;
  for (size_t end = width; end > least; end--)
    if (line[end] == ' ')
      return end;
  return length;
}

static void print_line(const char *line, size_t length, size_t width, FILE *out) {
  const size_t column = text_column(line, length);
  size_t indent = 0, least = column;
  for (;;) {
    const size_t part = part_length(line, length, least, width - indent);
    fprintf(out, "%*s%.*s\n", (int)indent, "", (int)part, line);
    line += part;
    length -= part;
    if (length == 0)
      return;
    line++; /* the space */
    length--;
    indent = column;
    least = 0;
  }
}

void wrap_print(const char *text, size_t width, FILE *out) {
  while (*text != '\0') {
    const size_t length = strcspn(text, "\n");
    if (width == 0 || text_column(text, length) >= width / 2 || strncmp(text, command, sizeof command - 1) == 0)
      fprintf(out, "%.*s\n", (int)length, text);
    else
      print_line(text, length, width, out);
    text += length + (text[length] == '\n');
  }
}

void wrap_output(void (*print)(const void *what, FILE *out), const void *what, size_t width, FILE *out) {
  char *text = NULL;
  size_t length = 0;
  FILE *memory = text_stream_begin(&text, &length);
  if (memory)
    print(what, memory);
  if (memory && text_stream_end(memory, &text))
    wrap_print(text, width, out);
  else /* no memory: as it is */
    print(what, out);
  free(text);
}
