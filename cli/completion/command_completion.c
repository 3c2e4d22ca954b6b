/* reassemble completion: scripts that complete its command lines in shells, and its manual pages, from the tables of
 * commands and options. */
#include "cli/core/command.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct command *const commands[] = {
#define X(word) &command_##word,
    COMMANDS(X)
#undef X
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

/* Returns which of the names that ship an option takes; NULL: none. */
static const char *subject_of(const struct option_row *row) {
  return strcmp(row->name, "gpu") == 0 ? "gpus" : strcmp(row->name, "board") == 0 ? "boards" : NULL;
}

/* ---- bash, and zsh by its bash mode ---- */

static void put_name(const struct option_row *row, void *out) {
  fprintf(out, " --%s", row->name);
}

static void put_choices(const struct option_row *row, void *out) {
  if (row->type != OPTION_CHOICE)
    return;
  fprintf(out, "    *\" --%s\") words=\"", row->name);
  for (const char *const *choice = row->choices; *choice; choice++)
    fprintf(out, "%s%s", choice == row->choices ? "" : " ", *choice);
  fputs("\" ;;\n", out);
}

static void print_bash(FILE *out) {
  fputs("# Completion of reassemble in bash; made by `reassemble completion bash`.\n"
        "_reassemble() {\n"
        "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} words=\n"
        "  COMPREPLY=()\n"
        "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
        "    COMPREPLY=($(compgen -W \"",
        out);
  for (size_t i = 0; i < COMMAND_COUNT; i++)
    fprintf(out, "%s ", commands[i]->word);
  fputs("help\" -- \"$current\"))\n"
        "    return\n"
        "  fi\n"
        "  case \"$command $before\" in\n"
        "    *\" --gpu\"|*\" -g\") words=$(reassemble list gpus 2>/dev/null | awk 'NR > 1 {print $1}') ;;\n"
        "    *\" --board\"|*\" -b\") words=$(reassemble list boards 2>/dev/null | awk 'NR > 1 {print $1}') ;;\n",
        out);
  for (size_t i = 0; i < COMMAND_COUNT; i++)
    options_visit(commands[i], put_choices, out);
  fputs("    *) case \"$command\" in\n", out);
  for (size_t i = 0; i < COMMAND_COUNT; i++) {
    fprintf(out, "      %s) words=\"", commands[i]->word);
    options_visit(commands[i], put_name, out);
    fputs("\" ;;\n", out);
  }
  fputs("      esac\n"
        "      if [ \"${current#-}\" = \"$current\" ]; then\n"
        "        words=$(reassemble list workloads 2>/dev/null | awk 'NR > 1 {print $1}')\n"
        "        COMPREPLY=($(compgen -f -- \"$current\"))\n"
        "      fi ;;\n"
        "  esac\n"
        "  COMPREPLY+=($(compgen -W \"$words\" -- \"$current\"))\n"
        "}\n"
        "complete -o filenames -F _reassemble reassemble\n",
        out);
}

static void print_zsh(FILE *out) {
  fputs("#compdef reassemble\n"
        "autoload -U +X bashcompinit && bashcompinit\n",
        out);
  print_bash(out);
}

/* ---- fish ---- */

struct fish {
  FILE *out;
  const struct command *command;
};

/* In single quotes of fish. */
static void put_quoted(const char *text, FILE *out) {
  putc('\'', out);
  for (; *text != '\0'; text++) {
    if (*text == '\'' || *text == '\\')
      putc('\\', out);
    putc(*text, out);
  }
  putc('\'', out);
}

static void put_fish(const struct option_row *row, void *user) {
  const struct fish *fish = user;
  const char *subject = subject_of(row);
  fprintf(fish->out, "complete -c reassemble -n '__fish_seen_subcommand_from %s' -l %s", fish->command->word,
          row->name);
  if (row->letter != 0)
    fprintf(fish->out, " -s %c", row->letter);
  if (row->type != OPTION_FLAG && !row->without)
    fputs(" -r", fish->out);
  if (subject)
    fprintf(fish->out, " -f -a \"(reassemble list %s 2>/dev/null | awk 'NR > 1 {print \\$1}')\"", subject);
  for (const char *const *choice = row->choices; row->type == OPTION_CHOICE && *choice; choice++)
    fprintf(fish->out, "%s%s%s", choice == row->choices ? " -f -a '" : " ", *choice, choice[1] ? "" : "'");
  fputs(" -d ", fish->out);
  put_quoted(row->help, fish->out);
  putc('\n', fish->out);
}

static void print_fish(FILE *out) {
  fputs("# Completion of reassemble in fish; made by `reassemble completion fish`.\n", out);
  for (size_t i = 0; i < COMMAND_COUNT; i++) {
    fprintf(out, "complete -c reassemble -n __fish_use_subcommand -a %s -d ", commands[i]->word);
    put_quoted(commands[i]->help, out);
    putc('\n', out);
    options_visit(commands[i], put_fish, &(struct fish){out, commands[i]});
  }
}

/* ---- manual pages ---- */

/* Text of a manual page: hyphens and backslashes are literal, and a line begins with no control character. */
static void put_roff_part(const char *text, size_t length, FILE *out) {
  bool begins = true;
  for (const char *end = text + length; text < end; text++) {
    if (begins && (*text == '.' || *text == '\''))
      fputs("\\&", out);
    if (*text == '\\')
      fputs("\\e", out);
    else if (*text == '-')
      fputs("\\-", out);
    else
      putc(*text, out);
    begins = *text == '\n';
  }
}

static void put_roff(const char *text, FILE *out) {
  put_roff_part(text, strlen(text), out);
}

static void put_manual_option(const struct option_row *row, void *user) {
  FILE *out = user;
  fputs(".TP\n\\fB", out);
  if (row->letter != 0)
    fprintf(out, "\\-%c\\fR, \\fB", row->letter);
  put_roff("--", out);
  put_roff(row->name, out);
  fputs("\\fR", out);
  if (row->argument) {
    fputs(row->without ? "[=\\fI" : " \\fI", out);
    put_roff(row->argument, out);
    fputs(row->without ? "\\fR]" : "\\fR", out);
  }
  putc('\n', out);
  put_roff(row->help, out);
  for (const char *const *choice = row->choices; row->type == OPTION_CHOICE && *choice; choice++) {
    fputs(choice == row->choices ? ": " : ", ", out);
    put_roff(*choice, out);
  }
  putc('\n', out);
}

/* The details up to their examples, and the examples as they stand. */
static void put_details(const char *details, FILE *out) {
  const char *examples = strstr(details, "Examples:\n");
  const size_t length = examples ? (size_t)(examples - details) : strlen(details);
  fputs(".SH DESCRIPTION\n.nf\n", out);
  put_roff_part(details, length, out);
  fputs("\n.fi\n", out);
  if (!examples)
    return;
  fputs(".SH EXAMPLES\n.nf\n", out);
  put_roff(examples + strlen("Examples:\n"), out);
  fputs(".fi\n", out);
}

static void put_end(FILE *out) {
  fputs(".SH EXIT STATUS\n0: done. 1: the work failed. 2: bad usage or input.\n.SH SEE ALSO\n", out);
  for (size_t i = 0; i < COMMAND_COUNT; i++)
    fprintf(out, "%s\\fBreassemble\\-%s\\fR(1)", i > 0 ? ", " : "", commands[i]->word);
  putc('\n', out);
}

static void print_manual_of(const struct command *command, FILE *out) {
  fprintf(out, ".TH REASSEMBLE\\-%s 1 \"\" \"reassemble %s\"\n.SH NAME\nreassemble\\-%s \\- ", command->word,
          REASSEMBLE_VERSION, command->word);
  put_roff(command->help, out);
  fprintf(out, "\n.SH SYNOPSIS\n\\fBreassemble %s\\fR [\\fIOPTION\\fR]... ", command->word);
  put_roff(command->arguments, out);
  putc('\n', out);
  put_details(command->details, out);
  fputs(".SH OPTIONS\n", out);
  options_visit(command, put_manual_option, out);
  put_end(out);
}

static void print_manual(FILE *out) {
  fprintf(out,
          ".TH REASSEMBLE 1 \"\" \"reassemble %s\"\n.SH NAME\nreassemble \\- predict how long OpenCL kernels take on a "
          "GPU\n"
          ".SH SYNOPSIS\n\\fBreassemble\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR]... [\\fIARGUMENT\\fR]...\n.SH COMMANDS\n",
          REASSEMBLE_VERSION);
  for (size_t i = 0; i < COMMAND_COUNT; i++) {
    fprintf(out, ".TP\n\\fB%s\\fR\n", commands[i]->word);
    put_roff(commands[i]->help, out);
    putc('\n', out);
  }
  put_end(out);
}

/* ---- the command ---- */

static int print_manual_page(const char *word, struct error *error) {
  for (size_t i = 0; word && i < COMMAND_COUNT; i++)
    if (strcmp(commands[i]->word, word) == 0) {
      print_manual_of(commands[i], stdout);
      return 0;
    }
  if (word)
    return error_set(error, ERROR_INPUT, "unknown command \"%.100s\" (`reassemble --help` lists all)", word);
  print_manual(stdout);
  return 0;
}

static int run(const struct options *options, struct error *error) {
  static const struct {
    const char *name;
    void (*print)(FILE *out);
  } shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
  const char *what = options->arguments[0], *word = options->argument_count > 1 ? options->arguments[1] : NULL;
  if (options->json)
    return error_set(error, ERROR_INPUT, "--json: a script or a manual page is no JSON");
  if (strcmp(what, "man") == 0)
    return print_manual_page(word, error);
  if (word)
    return error_set(error, ERROR_INPUT, "unexpected argument \"%.100s\"; only `man` takes a command", word);
  for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++)
    if (strcmp(what, shells[i].name) == 0) {
      shells[i].print(stdout);
      return 0;
    }
  return error_set(error, ERROR_INPUT, "found \"%.100s\", expected bash, zsh, fish or man", what);
}

const struct command command_completion = {
    .word = "completion",
    .arguments = "bash|zsh|fish|man [COMMAND]",
    .help = "Print what completes command lines in a shell, or a manual page",
    .details =
        "The script goes where the shell looks for completions; `cmake --install` puts it and the manual pages there.\n"
        "\n"
        "Examples:\n"
        "  reassemble completion bash > ~/.local/share/bash-completion/completions/reassemble\n"
        "  reassemble completion fish > ~/.config/fish/completions/reassemble.fish\n"
        "  reassemble completion man rank | man -l -\n",
    .minimum_arguments = 1,
    .maximum_arguments = 2,
    .run = run,
};
