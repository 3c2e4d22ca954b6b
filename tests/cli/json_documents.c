#include "json_documents.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

char *contents(const char *path) {
  char *text = NULL;
  size_t size = 0;
  FILE *file = fopen(path, "r"), *memory = open_memstream(&text, &size);
  assert_non_null(file);
  assert_non_null(memory);
  for (int c = getc(file); c != EOF; c = getc(file))
    putc(c, memory);
  fclose(file);
  fclose(memory);
  return text;
}

struct outcome run(const char *arguments) {
  char command[4096];
  snprintf(command, sizeof command, "'%s' %s >stdout.txt 2>stderr.txt </dev/null", getenv("REASSEMBLE_PROGRAM"),
           arguments);
  const int status = system(command);
  assert_true(WIFEXITED(status));
  return (struct outcome){WEXITSTATUS(status), contents("stdout.txt"), contents("stderr.txt")};
}

void clear(struct outcome *outcome) {
  free(outcome->out);
  free(outcome->err);
}

json_t *parse(const char *text) {
  json_error_t error;
  json_t *document = json_loads(text, JSON_REJECT_DUPLICATES, &error);
  if (!document)
    print_error("%d:%d: %s in\n%s", error.line, error.column, error.text, text);
  assert_non_null(document);
  return document;
}

json_t *document(const char *arguments, const char *schema) {
  struct outcome outcome = run(arguments);
  assert_string_equal(outcome.err, "");
  assert_int_equal(outcome.code, 0);
  json_t *root = parse(outcome.out);
  assert_string_equal(json_string_value(json_object_get(root, "schema")), schema);
  clear(&outcome);
  return root;
}

double number(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  if (!json_is_number(value))
    print_error("%s is no number\n", key);
  assert_true(json_is_number(value));
  return json_number_value(value);
}

json_int_t whole(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  if (!json_is_integer(value))
    print_error("%s is no whole number\n", key);
  assert_true(json_is_integer(value));
  return json_integer_value(value);
}

const char *text(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  if (!json_is_string(value))
    print_error("%s is no text\n", key);
  assert_true(json_is_string(value));
  return json_string_value(value);
}

const json_t *list(const json_t *object, const char *key, size_t least) {
  const json_t *value = json_object_get(object, key);
  assert_true(json_is_array(value));
  assert_true(json_array_size(value) >= least);
  return value;
}

double sum_of(json_t *stack) {
  const char *key;
  json_t *value;
  double sum = 0;
  assert_true(json_is_object(stack));
  assert_true(json_object_size(stack) >= 2);
  json_object_foreach(stack, key, value) {
    assert_true(json_is_number(value));
    assert_true(json_number_value(value) >= 0);
    sum += json_number_value(value);
  }
  return sum;
}

static void check_cache(const json_t *kernel, const char *name) {
  const json_t *cache = json_object_get(kernel, name);
  assert_true(whole(cache, "misses") >= 0);
  assert_true(whole(cache, "misses") <= whole(cache, "accesses"));
}

void check_simulated(const json_t *kernel) {
  const double cycles = number(kernel, "cycles");
  assert_true(cycles > 0);
  assert_true(number(kernel, "time_ns") > 0);
  assert_true(whole(kernel, "work_item_instructions") >= whole(kernel, "warp_instructions"));
  assert_true(whole(kernel, "warp_instructions") > 0);
  assert_true(sum_of(json_object_get(kernel, "cycle_stack")) == cycles);
  check_cache(kernel, "l1");
  check_cache(kernel, "l2");
  assert_true(whole(kernel, "dram_bytes") >= 0);
  assert_true(number(kernel, "simd_efficiency") > 0 && number(kernel, "simd_efficiency") <= 1);
  const json_t *cores = list(kernel, "core_cycle_stacks", 1);
  for (size_t i = 0; i < json_array_size(cores); i++)
    assert_true(sum_of(json_array_get(cores, i)) == cycles);
}

void write_text(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

double mape_of(const json_t *row, const char *sample) {
  return json_real_value(json_object_get(json_object_get(row, sample), "mape_percent"));
}
