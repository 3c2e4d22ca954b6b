/* Options of a command as a table; the parser, the help and the error messages read its rows.
 *
 * A command states its own rows; --json, --jobs, --seed, --timeout, --memory,
 * --max-instructions, --quiet and --help come with every command. A row's target has
 * to outlive the run: a static struct in the command's file, which holds the defaults. Parsing: GNU style, options and
 * arguments in any order; what stands behind "--" is never an option. An option that is given twice has to have the
 * same value both times, unless it is a list. Numbers take the suffixes of configuration files (16Ki, 1037M). */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

enum option_type {
  OPTION_FLAG,   /* target: bool, becomes true */
  OPTION_TEXT,   /* target: const char *, borrowed from argv */
  OPTION_OUTPUT, /* the same: a file or folder that is written, and never standard output */
  OPTION_INT,    /* target: int64_t, within minimum..maximum */
  OPTION_REAL,   /* target: double, within minimum..maximum */
  OPTION_CHOICE, /* target: int, index into `choices` */
  OPTION_LIST,   /* target: struct option_list; may be given again and again */
};

struct option_list {
  const char **items; /* texts borrowed from argv */
  size_t count;
};

struct option_row {
  const char *name;     /* without dashes; NULL ends a table */
  char letter;          /* short form, 0 for none */
  const char *argument; /* its name in the help: "GPU", "N"; NULL for flags */
  enum option_type type;
  void *target;
  const char *help;           /* one line */
  double minimum, maximum;    /* OPTION_INT, OPTION_REAL */
  const char *const *choices; /* OPTION_CHOICE: NULL-terminated */
  const char *without;        /* the value when the option stands without one: a given value is a number or follows "=";
                                 NULL: the option always has a value */
};

struct options {
  bool json, quiet, help;
  int jobs; /* default: the processors of this machine */
  bool jobs_given;
  unsigned emulation_jobs; /* default: one, because a kernel with a race depends on the order of its work-groups */
  uint64_t seed;           /* default: 1 */
  bool seed_given;
  double timeout_s;         /* 0: 600 for the emulation of a launch, and no limit for all other work */
  int64_t memory_bytes;     /* 0: 8 GiB for an emulation, and no limit for all other work */
  int64_t max_instructions; /* of all work-items of a launch; 0: no limit to emulate, 1e12 to replay */
  const char **arguments;
  size_t argument_count;
  size_t before_dashes; /* how many of the arguments stand before "--"; argument_count where there is none */
};

struct command;

/* Parses what follows the command word: argv[0] is the word. Also checks the number of arguments. Errors are
 * ERROR_INPUT and name the option. options_clear frees the arguments and the lists among the rows. */
int options_parse(const struct command *command, int argc, char **argv, struct options *options, struct error *error);
void options_clear(const struct command *command, struct options *options);

/* Calls `visit` for each row of the command and for those that every command has, in the order of the help. */
void options_visit(const struct command *command, void (*visit)(const struct option_row *row, void *user), void *user);

/* Returns the number of processors of this machine, at most 1024. */
int options_processors(void);

/* The help of a command: usage, one line, options, details with examples. */
void options_print_help(const struct command *command, FILE *out);

#endif
