/* The program: finds the command, parses its options, prints errors and picks the exit code. */
#include "cli/core/command.h"

#include "base/process/early_end.h"
#include "base/input/json.h"
#include "base/text.h"
#include "cli/core/budget.h"
#include "cli/core/table.h"
#include "cli/core/wrap.h"
#ifndef REASSEMBLE_MEASURE_ONLY
#include <gsl/gsl_errno.h>

#include "tracegen/emulate.h"
#include "tuner/objective/score.h"
#endif

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const struct command *const commands[] = {
#define X(word) &command_##word,
    COMMANDS(X)
#undef X
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static const struct command *find_command(const char *word) {
  for (size_t i = 0; i < COMMAND_COUNT; i++)
    if (strcmp(commands[i]->word, word) == 0)
      return commands[i];
  return NULL;
}

static int unknown_command(const char *word, struct error *error) {
  const char *words[COMMAND_COUNT + 1] = {0};
  for (size_t i = 0; i < COMMAND_COUNT; i++)
    words[i] = commands[i]->word;
  const char *nearest = text_nearest(word, words);
  return error_set(error, ERROR_INPUT, "unknown command \"%.100s\"%s%s%s (`reassemble --help` lists all)", word,
                   nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
}

static void print_commands(const void *unused, FILE *out) {
  (void)unused;
  fputs("Usage: reassemble COMMAND [OPTION]... [ARGUMENT]...\n\n"
        "Predicts how long OpenCL kernels take on a GPU, from traces of what their work-items do.\n\n"
        "Commands:\n",
        out);
  for (size_t i = 0; i < COMMAND_COUNT; i++)
    fprintf(out, "  %-10s  %s\n", commands[i]->word, commands[i]->help);
  fputs("\n`reassemble help COMMAND` explains one and ends in examples.\n"
        "`reassemble --confinement` says what kernels are kept from on this system.\n"
        "Results go to stdout, progress and errors to stderr.\n"
        "Exit codes: 0 done, 1 the work failed, 2 bad usage or input.\n\n"
        "Examples:\n"
#ifdef REASSEMBLE_MEASURE_ONLY
        "  reassemble measure --gpu mali-g71-mp8 -o board.json thesis60\n"
#else
        "  reassemble simulate --gpu mali-g71-mp8 gemm-64\n"
        "  reassemble validate --gpu mali-g71-mp8 --board hikey960-gemm-variants\n"
#endif
        "  reassemble list workloads\n",
        out);
}

static void print_help(FILE *out) {
  wrap_output(print_commands, NULL, table_terminal_width(out), out);
}

static int run_within_limits(const struct command *command, const struct options *options, struct error *error) {
  if (budget_begin(options, error) != 0)
    return -1;
  const int status = command->run(options, error);
  budget_end();
  budget_explain(error);
  return status;
}

static int run_command(const struct command *command, int argc, char **argv, struct error *error) {
  struct options options;
  int status = options_parse(command, argc, argv, &options, error);
  if (status == 0 && options.help)
    options_print_help(command, stdout);
  else if (status == 0)
    status = run_within_limits(command, &options, error);
  options_clear(command, &options);
  return status;
}

static int help(const char *word, struct error *error) {
  if (!word) {
    print_help(stdout);
    return 0;
  }
  const struct command *command = find_command(word);
  if (!command)
    return unknown_command(word, error);
  options_print_help(command, stdout);
  return 0;
}

static int dispatch(int argc, char **argv, struct error *error) {
  if (argc < 2) {
    print_help(stderr);
    return error_set(error, ERROR_INPUT, "missing command");
  }
  const char *word = argv[1];
  if (strcmp(word, "--version") == 0) {
    puts("reassemble " REASSEMBLE_VERSION);
    return 0;
  }
#ifndef REASSEMBLE_MEASURE_ONLY
  if (strcmp(word, "--confinement") == 0) {
    char text[200];
    emulate_confinement(text, sizeof text);
    puts(text);
    return 0;
  }
#endif
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0)
    return help(argc > 2 ? argv[2] : NULL, error);
  const struct command *command = find_command(word);
  return command ? run_command(command, argc - 1, argv + 1, error) : unknown_command(word, error);
}

/* Asked of argv and not of the parsed options, so that errors in the options are JSON too. */
static bool wants_json(int argc, char **argv) {
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
    if (strcmp(argv[i], "--json") == 0)
      return true;
  return false;
}

static void print_error(const struct error *error, bool json) {
  char *text = command_error_text(error, json);
  fputs(text ? text : "reassemble: out of memory\n", stderr);
  free(text);
}

/* Opens each of stdin, stdout and stderr that the caller has closed, so that no pipe or file of ours gets its number.
 * Reads and writes of it fail as before. */
static void occupy_standard_files(void) {
  for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
    if (fcntl(file, F_GETFD) < 0 && open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY) != file)
      _exit(1);
}

#ifndef REASSEMBLE_MEASURE_ONLY
/* GSL would abort the program. Its callers that can go on turn this off. */
static void end_for_gsl(const char *reason, const char *file, int line, int code) {
  (void)file, (void)line;
  fprintf(stderr, "reassemble: %s\n", code == GSL_ENOMEM ? "out of memory" : reason);
  exit(1);
}
#endif

/* Raises a limit of the process to `least` where it is lower, and ends the program with the message where that is
 * forbidden. */
static void need_limit(int which, rlim_t least, const char *message) {
  struct rlimit limit;
  if (getrlimit(which, &limit) != 0 || limit.rlim_cur >= least)
    return;
  limit.rlim_cur = least;
  if (limit.rlim_max >= least && setrlimit(which, &limit) == 0)
    return;
  const ssize_t written = write(STDERR_FILENO, message, strlen(message));
  _exit(written < 0 ? 2 : 1);
}

/* With a smaller stack commands would end by signal 11; the limit of a process counts while its stack grows. With fewer
 * open files, parts of the work would miss theirs and name other reasons. */
static void need_limits(void) {
  need_limit(RLIMIT_STACK, 256 << 10,
             "reassemble: the limit of the stack is below 256 KiB, which every command needs (ulimit -s)\n");
  need_limit(RLIMIT_NOFILE, 64, "reassemble: the limit of open files is below 64, which commands need (ulimit -n)\n");
}

int main(int argc, char **argv) {
  struct error error = ERROR_INIT;
  need_limits();
  occupy_standard_files();
  early_end_watch();
  json_watch_memory();
#ifndef REASSEMBLE_MEASURE_ONLY
  gsl_set_error_handler(end_for_gsl);
#endif
  bool memory_ran_out = false;
  int status = dispatch(argc, argv, &error);
#ifndef REASSEMBLE_MEASURE_ONLY
  memory_ran_out = score_ran_out_of_memory();
#endif
  if (status == 0 && (memory_ran_out || json_ran_out_of_memory() || table_ran_out_of_memory()))
    status = error_set(&error, ERROR_WORK, "out of memory: a part of the results is missing");
  if (status == 0 && (fflush(stdout) != 0 || ferror(stdout)))
    status = error_set(&error, ERROR_WORK, "cannot write to stdout: %s", strerror(errno));
  if (status == 0)
    return 0;
  if (error.kind == ERROR_NONE) /* a command failed without saying why; 1 rather than a false "done" */
    error_set(&error, ERROR_WORK, "the command failed and gave no reason");
  print_error(&error, wants_json(argc, argv));
  return error_exit_code(&error);
}
