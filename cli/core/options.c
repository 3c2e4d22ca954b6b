#include "cli/core/options.h"

#include "base/array.h"
#include "base/input/conf.h"
#include "base/text.h"
#include "cli/core/command.h"
#include "cli/core/table.h"
#include "cli/core/wrap.h"

#include <assert.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_ROWS = 64, FIRST_CODE = 256 }; /* codes above all letters: row i is FIRST_CODE + i */

/* The command's rows and the common ones, in the forms that getopt_long and text_nearest read. */
struct parser {
  const struct command *command;
  struct option_row rows[MOST_ROWS];
  size_t count;
  struct option longs[MOST_ROWS + 1];
  const char *names[MOST_ROWS + 1];
  const char *given[MOST_ROWS]; /* the value so far of an option that takes one; NULL: none */
  char letters[2 + 2 * MOST_ROWS + 1];
  int64_t jobs, seed;
};

int options_processors(void) {
  const long n = sysconf(_SC_NPROCESSORS_ONLN);
  return n < 1 ? 1 : n > 1024 ? 1024 : (int)n;
}

static void add_row(struct parser *p, const struct option_row *row) {
  assert(p->count < MOST_ROWS);
  const bool takes = row->type != OPTION_FLAG;
  const int argument = !takes ? no_argument : row->without ? optional_argument : required_argument;
  p->longs[p->count] = (struct option){row->name, argument, NULL, FIRST_CODE + (int)p->count};
  p->names[p->count] = row->name;
  p->rows[p->count++] = *row;
  if (row->letter != 0) {
    const char letter[] = {row->letter, takes ? ':' : '\0', '\0'};
    strcat(p->letters, letter);
  }
}

static void add_limits(struct parser *p, struct options *options) {
  const struct option_row limits[] = {
      {.name = "timeout",
       .argument = "SECONDS",
       .type = OPTION_REAL,
       .target = &options->timeout_s,
       .minimum = 0.001,
       .maximum = 1e6,
       .help =
           "stop after this time: the emulation of a launch (600), all other work and a program behind -- (no limit)"},
      {.name = "memory",
       .argument = "BYTES",
       .type = OPTION_INT,
       .target = &options->memory_bytes,
       .minimum = 64 << 20,
       .maximum = 1e15,
       .help = "memory at most: of an emulation (8Gi), of all other work and a program behind -- (no limit)"},
      {.name = "max-instructions",
       .argument = "N",
       .type = OPTION_INT,
       .target = &options->max_instructions,
       .minimum = 1,
       .maximum = 9e18,
       .help = "refuse launches of more work-item instructions: to emulate (no limit), to replay (1e12)"},
  };
  for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
    add_row(p, &limits[i]);
}

static void prepare(struct parser *p, const struct command *command, struct options *options) {
  *p = (struct parser){.command = command, .seed = -1}; /* not given */
  const struct option_row common[] = {
      {.name = "json", .type = OPTION_FLAG, .target = &options->json, .help = "results and errors as JSON"},
      {.name = "jobs",
       .letter = 'j',
       .argument = "N",
       .type = OPTION_INT,
       .target = &p->jobs,
       .minimum = 1,
       .maximum = 1024,
       .help = "threads at most (default: all processors; to emulate: 1); only kernels that race depend on it"},
      {.name = "seed",
       .argument = "N",
       .type = OPTION_INT,
       .target = &p->seed,
       .minimum = 0,
       .maximum = 9007199254740992.0,
       .help = "seed of everything random (default: the workload's own, else 1)"},
      {.name = "quiet", .letter = 'q', .type = OPTION_FLAG, .target = &options->quiet, .help = "no progress on stderr"},
      {.name = "help", .letter = 'h', .type = OPTION_FLAG, .target = &options->help, .help = "this text"},
  };
  strcpy(p->letters, "-:"); /* arguments in their order; a missing value is told from an unknown option */
  for (const struct option_row *row = command->rows; row && row->name; row++)
    add_row(p, row);
  add_limits(p, options);
  for (size_t i = 0; i < sizeof common / sizeof common[0]; i++)
    add_row(p, &common[i]);
}

static const struct option_row *row_of_code(const struct parser *p, int code) {
  if (code >= FIRST_CODE)
    return &p->rows[code - FIRST_CODE];
  for (size_t i = 0; i < p->count; i++)
    if (p->rows[i].letter == code)
      return &p->rows[i];
  return NULL;
}

static int append(const char ***items, size_t *count, const char *item, struct error *error) {
  size_t capacity = *count;
  if (!array_room(items, &capacity, *count + 1, sizeof **items))
    return error_no_memory(error);
  (*items)[(*count)++] = item;
  return 0;
}

static int take(const struct option_row *row, const char *text, struct error *error) {
  char key[64];
  snprintf(key, sizeof key, "--%s", row->name);
  const struct conf_node node = {.kind = CONF_SCALAR, .file = "", .key = key, .text = text};
  switch (row->type) {
  case OPTION_FLAG:
    *(bool *)row->target = true;
    return 0;
  case OPTION_OUTPUT:
    if (strcmp(text, "-") == 0)
      return error_set(error, ERROR_INPUT,
                       "--%s -: standard output has the results; name a %s, or ./- for one of that name", row->name,
                       strcmp(row->argument, "DIR") == 0 ? "folder" : "file");
    *(const char **)row->target = text;
    return 0;
  case OPTION_TEXT:
    *(const char **)row->target = text;
    return 0;
  case OPTION_INT:
    return conf_int(&node, (int64_t)row->minimum, (int64_t)row->maximum, row->target, error);
  case OPTION_REAL:
    return conf_real(&node, row->minimum, row->maximum, row->target, error);
  case OPTION_CHOICE:
    return conf_choice(&node, row->choices, row->target, error);
  case OPTION_LIST: {
    struct option_list *list = row->target;
    return append(&list->items, &list->count, text, error);
  }
  }
  return -1;
}

static bool is_number(const char *text) {
  char *end;
  strtod(text, &end);
  return end != text && *end == '\0';
}

/* An option whose value is optional takes the next word where that is a number, "--sample 0.5". */
static const char *optional_value(const struct option_row *row, int argc, char **argv) {
  const bool number = row->type == OPTION_INT || row->type == OPTION_REAL;
  return number && optind < argc && is_number(argv[optind]) ? argv[optind++] : row->without;
}

/* `text` NULL: the option stands without a value. */
static int take_once(struct parser *p, const struct option_row *row, const char *text, struct error *error) {
  const char **given = &p->given[row - p->rows];
  if (row->type == OPTION_FLAG || row->type == OPTION_LIST)
    return take(row, text, error);
  if (*given && strcmp(*given, text) != 0)
    return error_set(error, ERROR_INPUT, "--%s: found \"%.100s\" and \"%.100s\", expected one value", row->name, *given,
                     text);
  *given = text;
  return take(row, text, error);
}

static int refuse_long(const struct parser *p, const char *given, struct error *error) {
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(given, "="), given);
  const char *nearest = text_nearest(name, p->names);
  return error_set(error, ERROR_INPUT, "unknown option --%s%s%s%s (`reassemble %s --help` lists all)", name,
                   nearest ? "; did you mean --" : "", nearest ? nearest : "", nearest ? "?" : "", p->command->word);
}

static bool has_build_options(const struct parser *p) {
  for (size_t i = 0; p->names[i]; i++)
    if (strcmp(p->names[i], "options") == 0)
      return true;
  return false;
}

/* `code` is what getopt_long returned for something it could not take. */
static int refuse(const struct parser *p, int code, const char *word, struct error *error) {
  const struct option_row *row = optopt ? row_of_code(p, optopt) : NULL;
  if (code == ':' && row)
    return error_set(error, ERROR_INPUT, "--%s: missing its value %s", row->name, row->argument);
  if (row)
    return error_set(error, ERROR_INPUT, "--%s: takes no value", row->name);
  if (optopt != 0)
    return error_set(error, ERROR_INPUT, "unknown option -%c%s (`reassemble %s --help` lists all)", optopt,
                     has_build_options(p) && strchr("DI", optopt) ? "; build options are given by --options '-DN=64'"
                                                                  : "",
                     p->command->word);
  return refuse_long(p, strncmp(word, "--", 2) == 0 ? word + 2 : word, error);
}

static int take_option(struct parser *p, int code, int argc, char **argv, struct error *error) {
  const struct option_row *row = row_of_code(p, code);
  const char *text = !optarg && row->without ? optional_value(row, argc, argv) : optarg;
  return take_once(p, row, text, error);
}

static int parse(struct parser *p, int argc, char **argv, struct options *options, struct error *error) {
  opterr = 0;
  optind = 0; /* glibc: start anew */
  for (;;) {
    optopt = 0;
    int code = getopt_long(argc, argv, p->letters, p->longs, NULL);
    if (code == -1)
      break;
    int status = code == '?' || code == ':' ? refuse(p, code, argv[optind - 1], error)
                 : code == 1                ? append(&options->arguments, &options->argument_count, optarg, error)
                                            : take_option(p, code, argc, argv, error);
    if (status != 0)
      return -1;
  }
  options->before_dashes = options->argument_count;
  for (; optind < argc; optind++)
    if (append(&options->arguments, &options->argument_count, argv[optind], error) != 0)
      return -1;
  return 0;
}

static int check_count(const struct command *command, const struct options *options, struct error *error) {
  size_t n = options->argument_count;
  if (n < (size_t)command->minimum_arguments)
    return error_set(error, ERROR_INPUT, "missing argument; usage: reassemble %s %s", command->word,
                     command->arguments);
  if (command->maximum_arguments != ANY_NUMBER && n > (size_t)command->maximum_arguments)
    return error_set(error, ERROR_INPUT, "unexpected argument \"%.100s\"; usage: reassemble %s %s",
                     options->arguments[command->maximum_arguments], command->word, command->arguments);
  return 0;
}

int options_parse(const struct command *command, int argc, char **argv, struct options *options, struct error *error) {
  struct parser parser;
  *options = (struct options){0};
  prepare(&parser, command, options);
  if (parse(&parser, argc, argv, options, error) != 0)
    return -1;
  options->jobs_given = parser.jobs > 0;
  options->jobs = options->jobs_given ? (int)parser.jobs : options_processors();
  options->emulation_jobs = options->jobs_given ? (unsigned)parser.jobs : 1;
  options->seed_given = parser.seed >= 0;
  options->seed = options->seed_given ? (uint64_t)parser.seed : 1;
  return options->help ? 0 : check_count(command, options, error);
}

void options_clear(const struct command *command, struct options *options) {
  free(options->arguments);
  *options = (struct options){0};
  for (const struct option_row *row = command->rows; row && row->name; row++) {
    if (row->type != OPTION_LIST)
      continue;
    struct option_list *list = row->target;
    free(list->items);
    *list = (struct option_list){0};
  }
}

void options_visit(const struct command *command, void (*visit)(const struct option_row *row, void *user), void *user) {
  struct options unused = {0};
  struct parser parser;
  prepare(&parser, command, &unused);
  for (size_t i = 0; i < parser.count; i++)
    visit(&parser.rows[i], user);
}

static void print_row(const struct option_row *row, void *user) {
  FILE *out = user;
  char form[80], letter[8] = "    ";
  if (row->letter != 0)
    snprintf(letter, sizeof letter, "-%c, ", row->letter);
  snprintf(form, sizeof form, row->without ? "  %s--%s[=%s%s]" : "  %s--%s%s%s", letter, row->name,
           row->argument && !row->without ? " " : "", row->argument ? row->argument : "");
  fprintf(out, "%-28s  %s", form, row->help);
  for (const char *const *choice = row->choices; row->type == OPTION_CHOICE && *choice; choice++)
    fprintf(out, "%s%s", choice == row->choices ? ": " : ", ", *choice);
  putc('\n', out);
}

static void print_help(const void *what, FILE *out) {
  const struct command *command = what;
  fprintf(out, "Usage: reassemble %s [OPTION]...%s%s\n\n%s.\n\nOptions:\n", command->word,
          command->arguments[0] ? " " : "", command->arguments, command->help);
  options_visit(command, print_row, out);
  fprintf(out, "\n%s", command->details);
}

void options_print_help(const struct command *command, FILE *out) {
  wrap_output(print_help, command, table_terminal_width(out), out);
}
