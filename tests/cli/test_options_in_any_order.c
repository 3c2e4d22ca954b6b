#include "cli/core/options.h"

#include "cli/core/command.h"
#include "expect_error.h"

#include <string.h>

static struct {
  bool flag;
  const char *text;
  int64_t whole;
  double real;
  int choice;
  struct option_list list;
} chosen;

static const char *const colours[] = {"red", "green", NULL};
static const struct option_row rows[] = {
    {.name = "flag", .letter = 'f', .type = OPTION_FLAG, .target = &chosen.flag, .help = "h"},
    {.name = "text", .letter = 't', .argument = "T", .type = OPTION_TEXT, .target = &chosen.text, .help = "h"},
    {.name = "whole",
     .argument = "N",
     .type = OPTION_INT,
     .target = &chosen.whole,
     .minimum = -5,
     .maximum = 1 << 20,
     .help = "h"},
    {.name = "real", .argument = "R", .type = OPTION_REAL, .target = &chosen.real, .maximum = 1, .help = "h"},
    {.name = "choice",
     .argument = "C",
     .type = OPTION_CHOICE,
     .target = &chosen.choice,
     .choices = colours,
     .help = "a colour"},
    {.name = "arg", .letter = 'a', .argument = "A", .type = OPTION_LIST, .target = &chosen.list, .help = "h"},
    {0},
};
static const struct command command = {.word = "try",
                                       .arguments = "FILE...",
                                       .help = "Try",
                                       .details = "Examples:\n  reassemble try x\n",
                                       .rows = rows,
                                       .minimum_arguments = 1,
                                       .maximum_arguments = 4};

static int begin(void **state) {
  (void)state;
  memset(&chosen, 0, sizeof chosen);
  return 0;
}

#define PARSE(options, error, ...) parse((const char *[]){"try", __VA_ARGS__, NULL}, options, error)

static int parse(const char **argv, struct options *options, struct error *error) {
  int argc = 0;
  while (argv[argc])
    argc++;
  return options_parse(&command, argc, (char **)argv, options, error);
}

static void arguments_and_options_mix(void **state) {
  (void)state;
  struct options o;
  assert_int_equal(PARSE(&o, NULL, "one", "--flag", "two", "-t", "x y", "--whole=16Ki", "--real", "0.5", "--choice",
                         "green", "-j3", "--seed", "7", "-q", "--json"),
                   0);
  assert_true(chosen.flag && o.json && o.quiet && !o.help);
  assert_string_equal(chosen.text, "x y");
  assert_int_equal(chosen.whole, 16384);
  assert_true(chosen.real == 0.5);
  assert_int_equal(chosen.choice, 1);
  assert_int_equal(o.jobs, 3);
  assert_int_equal(o.seed, 7);
  assert_int_equal(o.argument_count, 2);
  assert_string_equal(o.arguments[0], "one");
  assert_string_equal(o.arguments[1], "two");
  assert_int_equal(o.before_dashes, 2);
  options_clear(&command, &o);
}

static void lists_keep_their_order(void **state) {
  (void)state;
  struct options o;
  assert_int_equal(PARSE(&o, NULL, "-a", "1", "x", "--arg=2", "--arg", "3"), 0);
  assert_int_equal(chosen.list.count, 3);
  assert_string_equal(chosen.list.items[0], "1");
  assert_string_equal(chosen.list.items[1], "2");
  assert_string_equal(chosen.list.items[2], "3");
  options_clear(&command, &o);
  assert_int_equal(chosen.list.count, 0);
}

static void dashes_end_the_options(void **state) {
  (void)state;
  struct options o;
  assert_int_equal(PARSE(&o, NULL, "a", "-t", "--", "--", "app", "--flag"), 0);
  assert_string_equal(chosen.text, "--"); /* a value, not the end */
  assert_false(chosen.flag);
  assert_int_equal(o.argument_count, 3);
  assert_int_equal(o.before_dashes, 1);
  assert_string_equal(o.arguments[2], "--flag");
  options_clear(&command, &o);
}

static void defaults_are_one_seed_and_all_processors(void **state) {
  (void)state;
  struct options o;
  assert_int_equal(PARSE(&o, NULL, "a"), 0);
  assert_int_equal(o.seed, 1);
  assert_true(o.jobs >= 1);
  assert_false(o.json || o.quiet);
  options_clear(&command, &o);
}

static void help_needs_no_arguments(void **state) {
  (void)state;
  struct options o;
  assert_int_equal(PARSE(&o, NULL, "--help"), 0);
  assert_true(o.help);
  options_clear(&command, &o);
}

#define FAILS(expected, ...)                                                                                           \
  do {                                                                                                                 \
    struct options o;                                                                                                  \
    struct error error = ERROR_INIT;                                                                                   \
    assert_int_equal(PARSE(&o, &error, __VA_ARGS__), -1);                                                              \
    assert_int_equal(error.kind, ERROR_INPUT);                                                                         \
    expect_error(&error, expected);                                                                                    \
    options_clear(&command, &o);                                                                                       \
  } while (0)

static void bad_usage_is_named(void **state) {
  (void)state;
  FAILS("missing argument; usage: reassemble try FILE...", "--flag");
  FAILS("unexpected argument \"5\"; usage: reassemble try FILE...", "1", "2", "3", "4", "5");
  FAILS("unknown option --chioce; did you mean --choice? (`reassemble try --help` lists all)", "--chioce=red", "x");
  FAILS("unknown option -z (`reassemble try --help` lists all)", "-fz", "x");
  FAILS("--text: missing its value T", "x", "-t");
  FAILS("--whole: missing its value N", "x", "--whole");
  FAILS("--flag: takes no value", "x", "--flag=1");
  FAILS("--whole: found -6, allowed -5 to 1048576", "--whole", "-6", "x");
  FAILS("--real: found \"x\", expected a number (such as 0.5, 16Ki, 1.037G)", "--real", "x", "x");
  FAILS("--choice: found \"gren\", expected one of red, green; did you mean \"green\"?", "--choice", "gren", "x");
  FAILS("--jobs: found 1025, allowed 1 to 1024", "--jobs", "1025", "x");
  FAILS("--whole: found nothing, expected a whole number (such as 64, 0x40, 16Ki, 1037M)", "--whole=", "x");
}

static void help_shows_every_row(void **state) {
  (void)state;
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  options_print_help(&command, out);
  fclose(out);
  assert_non_null(strstr(text, "Usage: reassemble try [OPTION]... FILE...\n\nTry.\n\nOptions:\n"));
  assert_non_null(strstr(text, "  -t, --text T                h\n"));
  assert_non_null(strstr(text, "      --choice C              a colour: red, green\n"));
  assert_non_null(strstr(text, "      --json                  results and errors as JSON\n"));
  assert_non_null(strstr(text, "\nExamples:\n  reassemble try x\n"));
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(arguments_and_options_mix, begin),
      cmocka_unit_test_setup(lists_keep_their_order, begin),
      cmocka_unit_test_setup(dashes_end_the_options, begin),
      cmocka_unit_test_setup(defaults_are_one_seed_and_all_processors, begin),
      cmocka_unit_test_setup(help_needs_no_arguments, begin),
      cmocka_unit_test_setup(bad_usage_is_named, begin),
      cmocka_unit_test_setup(help_shows_every_row, begin),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
