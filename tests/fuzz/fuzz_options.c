/* A command line, a word a line. */
#include "fuzz_target.h"

#include <stdlib.h>
#include <string.h>

#include "cli/core/command.h"
#include "cli/core/options.h"

enum { MOST_WORDS = 64 };

static struct {
  bool flag;
  const char *text, *output;
  int64_t whole;
  double real, share;
  int choice;
  struct option_list list;
} chosen;

static const char *const colours[] = {"red", "green", NULL};
static const struct option_row rows[] = {
    {.name = "flag", .letter = 'f', .type = OPTION_FLAG, .target = &chosen.flag, .help = "h"},
    {.name = "text", .letter = 't', .argument = "T", .type = OPTION_TEXT, .target = &chosen.text, .help = "h"},
    {.name = "output", .letter = 'o', .argument = "DIR", .type = OPTION_OUTPUT, .target = &chosen.output, .help = "h"},
    {.name = "whole", .argument = "N", .type = OPTION_INT, .target = &chosen.whole, .maximum = 1 << 20, .help = "h"},
    {.name = "real", .argument = "R", .type = OPTION_REAL, .target = &chosen.real, .maximum = 1, .help = "h"},
    {.name = "share",
     .argument = "S",
     .type = OPTION_REAL,
     .target = &chosen.share,
     .without = "0.5",
     .maximum = 1,
     .help = "h"},
    {.name = "choice",
     .argument = "C",
     .type = OPTION_CHOICE,
     .target = &chosen.choice,
     .choices = colours,
     .help = "h"},
    {.name = "arg", .letter = 'a', .argument = "A", .type = OPTION_LIST, .target = &chosen.list, .help = "h"},
    {0},
};
static const struct command command = {.word = "try",
                                       .arguments = "FILE...",
                                       .help = "Try",
                                       .details = "",
                                       .rows = rows,
                                       .minimum_arguments = 1,
                                       .maximum_arguments = 4};

static char command_word[] = "try";

void fuzz_options(const uint8_t *data, size_t size) {
  char *text = fuzz_text(data, size), *words[MOST_WORDS + 1] = {command_word}, *rest = text, *word;
  struct options options;
  int count = 1;
  while (count < MOST_WORDS && (word = strsep(&rest, "\n")))
    words[count++] = word;
  options_parse(&command, count, words, &options, NULL);
  options_clear(&command, &options);
  free(text);
}
