/* The optimised IR as text, one line for each operation, which `reassemble info --blocks` prints beside classes and
 * prices. */
#include "tracegen/lower/describe/listing.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "tracegen/lower/ir/instructions.h"

/* The names of blocks in the text are then those of the code table. The dot keeps them apart from names of
 * variables. */
void listing_name_blocks(struct lowering *l, uint32_t count) {
  char name[32];
  for (uint32_t b = 0; b < count; b++) {
    const int length = snprintf(name, sizeof name, "block.%u", b);
    LLVMSetValueName2(LLVMBasicBlockAsValue(l->blocks[b]), name, (size_t)length);
  }
}

/* An instruction is indented by two spaces; its further lines (of a switch) by more, up to "  ]". */
static bool begins_instruction(const char *line) {
  return strncmp(line, "  ", 2) == 0 && line[2] != ' ' && line[2] != ']' && line[2] != '\0' && line[2] != '\n';
}

static bool goes_on(const char *line) {
  while (*line == ' ')
    line++;
  return *line != '#' && *line != ';'; /* debug records and comments are not part of an instruction */
}

static void cut_at(char *text, const char *what) {
  char *found = strstr(text, what);
  if (found)
    *found = '\0';
}

/* Removes metadata (", !dbg !7"), the attribute group (" #2") and the suffix that hides functions from the linker. */
static void tidy(char *text) {
  cut_at(text, ", !");
  char *group = strrchr(text, '#');
  if (group && group > text && group[-1] == ' ' && isdigit((unsigned char)group[1]) &&
      group[1 + strspn(group + 1, "0123456789")] == '\0')
    group[-1] = '\0';
  static const char hidden[] = ".hidden(";
  char *name = strstr(text, hidden);
  if (name)
    memmove(name, name + strlen(hidden) - 1, strlen(name) - strlen(hidden) + 2);
}

/* Returns the text of one instruction, its lines joined by single spaces; *line moves behind it. */
static char *take_instruction(const char **line) {
  const char *end = *line;
  do {
    const char *next = strchr(end, '\n');
    end = next ? next + 1 : end + strlen(end);
  } while (*end == ' ' && !begins_instruction(end) && goes_on(end));
  char *text = malloc((size_t)(end - *line) + 1);
  size_t length = 0;
  for (const char *c = *line; text && c < end; c++) {
    const char letter = *c == '\n' ? ' ' : *c;
    if (letter != ' ' || (length > 0 && text[length - 1] != ' '))
      text[length++] = letter;
  }
  *line = end;
  if (!text)
    return NULL;
  while (length > 0 && text[length - 1] == ' ')
    length--;
  text[length] = '\0';
  tidy(text);
  return text;
}

struct lines {
  char **list;
  size_t count;
};

static bool split(const char *text, struct lines *lines) {
  while (*text) {
    if (!begins_instruction(text)) {
      const char *next = strchr(text, '\n');
      text = next ? next + 1 : text + strlen(text);
      continue;
    }
    if (!array_room_for_one(&lines->list, lines->count, sizeof *lines->list))
      return false;
    lines->list[lines->count] = take_instruction(&text);
    if (!lines->list[lines->count])
      return false;
    lines->count++;
  }
  return true;
}

/* The function is printed once: printing a single instruction would number the values of the whole function each
 * time. */
static bool number_instructions(const struct lowering *l, struct value_map *numbers, size_t *count) {
  for (LLVMValueRef i = ir_first(l->kernel); i; i = ir_next(i))
    if (!value_map_put(numbers, i, (uint32_t)(*count)++))
      return false;
  return true;
}

static bool copy_texts(struct lowering *l, LLVMValueRef const *instructions, const struct value_map *numbers,
                       const struct lines *lines) {
  struct kernel_program *program = l->program;
  program->ir = calloc(program->code.op_count + 1, sizeof *program->ir);
  for (uint32_t op = 0; program->ir && op < program->code.op_count; op++) {
    uint32_t number = 0;
    value_map_get(numbers, instructions[op], &number);
    program->ir[op] = strdup(lines->list[number]);
    if (!program->ir[op])
      return false;
  }
  return program->ir != NULL;
}

int listing_make(struct lowering *l, LLVMValueRef const *instructions) {
  struct value_map numbers = {0};
  struct lines lines = {0};
  size_t count = 0;
  char *text = LLVMPrintValueToString(l->kernel);
  bool ok = text && number_instructions(l, &numbers, &count) && split(text, &lines);
  if (ok && lines.count == count) /* an LLVM that prints in another way gives no listing */
    ok = copy_texts(l, instructions, &numbers, &lines);
  LLVMDisposeMessage(text);
  for (size_t i = 0; i < lines.count; i++)
    free(lines.list[i]);
  free(lines.list);
  value_map_clear(&numbers);
  return ok ? 0 : error_set(l->error, ERROR_WORK, "out of memory for the listing of kernel %s", l->program->name);
}
