/* What every command needs to print its results as JSON. */
#include "cli/core/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/input/json.h"

static int cannot_build(struct error *error) {
  return error_set(error, ERROR_WORK, "cannot build the JSON document: out of memory");
}

json_t *command_json_text(const char *text) {
  json_t *string = json_string(text);
  char *ascii = string ? NULL : strdup(text);
  if (ascii == NULL)
    return string;
  for (char *c = ascii; *c; c++)
    if ((unsigned char)*c >= 0x80)
      *c = '?';
  string = json_string(ascii);
  free(ascii);
  return string;
}

int command_print_json(json_t *document, struct error *error) {
  if (document == NULL || json_ran_out_of_memory()) {
    json_decref(document);
    return cannot_build(error);
  }
  const int status = json_dumpf(document, stdout, JSON_INDENT(2));
  putchar('\n');
  json_decref(document);
  return status == 0 ? 0 : error_set(error, ERROR_WORK, "cannot write the JSON document: out of memory or no space");
}
