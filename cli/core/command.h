/* The program is a list of commands (command_list.h). A command is a folder cli/<word> with a file command_<word>.c
 * that holds one `const struct command`.
 *
 * main parses the options, prints --help, errors (as JSON behind --json) and picks the exit code: 0 done, 1 the work
 * failed, 2 bad usage or input. A command's `run` writes its result to stdout and returns 0, or sets the error and
 * returns -1; it never exits. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stddef.h>

#include <jansson.h>

#include "base/error.h"
#include "cli/core/command_list.h"
#include "cli/core/options.h"

enum { ANY_NUMBER = -1 };

struct command {
  const char *word;
  const char *arguments;         /* for the usage line: "TRACE|WORKLOAD..." or "" */
  const char *help;              /* one line, no full stop */
  const char *details;           /* long help; ends in runnable examples */
  const struct option_row *rows; /* the command's own options, ends at a NULL name; NULL for none */
  int minimum_arguments, maximum_arguments;
  int (*run)(const struct options *options, struct error *error);
};

#define X(word) extern const struct command command_##word;
COMMANDS(X)
#undef X

/* Writes a document to stdout, indented, with a line end, and gives up the reference. NULL (out of memory while it was
 * built) is an error. Objects keep the order in which they were filled. */
int command_print_json(json_t *document, struct error *error);
/* Text from outside (paths, arguments) need not be UTF-8: bytes that JSON cannot hold become "?". */
json_t *command_json_text(const char *text);
/* Returns the error as the program prints it, with a line end; the caller frees it. NULL: out of memory. */
char *command_error_text(const struct error *error, bool json);
/* The `run` of a command about frames where the program was built without graphics: the error names the packages. */
int command_without_graphics(const struct options *options, struct error *error);
#endif
