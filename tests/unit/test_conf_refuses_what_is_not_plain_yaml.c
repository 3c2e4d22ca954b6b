#include "base/input/conf.h"

#include "expect_error.h"

#include <string.h>

static void refused(const char *text, size_t length, const char *expected) {
  struct error error = ERROR_INIT;
  struct conf_doc *doc;
  assert_int_equal(conf_load_text("x.yaml", text, length, &doc, &error), -1);
  assert_null(doc);
  expect_error(&error, expected);
}
#define REFUSED(text, expected) refused(text, sizeof(text) - 1, expected)

static struct conf_doc *loaded(const char *text, size_t length) {
  struct error error = ERROR_INIT;
  struct conf_doc *doc = NULL;
  int status = conf_load_text("x.yaml", text, length, &doc, &error);
  assert_string_equal(error.text, "");
  assert_int_equal(status, 0);
  return doc;
}

static void what_expands_is_refused(void **state) {
  (void)state;
  REFUSED("a: &x 1\n", "x.yaml:1:4: anchors (&name) are not supported: write the value out");
  REFUSED("a: *x\n", "x.yaml:1:4: aliases (*name) are not supported: write the value out");
  REFUSED("*x : 1\n", "x.yaml:1:1: aliases (*name) are not supported: write the value out");
  REFUSED("- &l [1]\n", "x.yaml:1:3: anchors (&name) are not supported: write the value out");
  REFUSED("a: &m {b: 1}\n", "x.yaml:1:4: anchors (&name) are not supported: write the value out");
  REFUSED("a: !!int 1\n", "x.yaml:1:4: tags (!name) are not supported: write a plain value");
}

static void keys_are_single_words_once(void **state) {
  (void)state;
  REFUSED("a: 1\nb: 2\na: 3\n", "x.yaml:3:1: a: found this key twice in one mapping, first at line 1");
  REFUSED("m: {q: 1, q: 2}\n", "x.yaml:1:11: q: found this key twice in one mapping, first at line 1");
  REFUSED("? [1, 2]\n: 3\n", "x.yaml:1:3: found a list or a mapping as a key, expected a word");
}

static void one_document_and_not_none(void **state) {
  (void)state;
  REFUSED("", "x.yaml:1:1: found an empty file, expected YAML");
  REFUSED("# only a comment\n", "x.yaml:2:1: found an empty file, expected YAML");
  REFUSED("a: 1\n---\nb: 2\n", "x.yaml:2:1: found a second document, expected one document a file");
}

static void bad_characters_are_placed(void **state) {
  (void)state;
  REFUSED("a: 1\nb: \0x\n", "x.yaml:2:4: not YAML in UTF-8: control characters are not allowed");
  REFUSED("a: \"x\\0y\"\n", "x.yaml:1:4: found a NUL character inside a value");
  REFUSED("a: 1\nbc: \xff\n", "x.yaml:2:5: not YAML in UTF-8: invalid leading UTF-8 octet");
  REFUSED("a: \xc3(\n", "x.yaml:1:5: not YAML in UTF-8: invalid trailing UTF-8 octet");
  REFUSED("\xff\xfe\x61\x00", "x.yaml:1:1: not YAML in UTF-8: invalid leading UTF-8 octet");
}

static void broken_syntax_is_placed(void **state) {
  (void)state;
  REFUSED("a: [1, 2\n", "x.yaml:2:1: not YAML: while parsing a flow sequence, did not find expected ',' or ']'");
  REFUSED("a: 1\n  b: 2\n", "x.yaml:2:4: not YAML: mapping values are not allowed in this context");
  REFUSED("a: \"open\n", "x.yaml:2:1: not YAML: while scanning a quoted scalar, found unexpected end of stream");
}

static void depth_ends_at_64(void **state) {
  (void)state;
  char text[2 * 65];
  memset(text, '[', 64);
  memset(text + 64, ']', 64);
  conf_destroy(loaded(text, 128));
  memset(text, '[', 65);
  memset(text + 65, ']', 65);
  refused(text, 130, "x.yaml:1:65: nested too deeply: allowed are 64 levels");
}

static void a_hundred_thousand_levels_end_soon(void **state) {
  (void)state;
  char *text = malloc(100000);
  memset(text, '[', 100000);
  refused(text, 100000, "x.yaml:1:65: nested too deeply: allowed are 64 levels");
  memset(text, '{', 100000);
  refused(text, 100000, "x.yaml:1:2: found a list or a mapping as a key, expected a word");
  free(text);
}

static void a_million_nodes_are_allowed_and_no_more(void **state) {
  (void)state;
  const size_t values = 1000000; /* and the list itself is one node too many */
  char *text = malloc(2 * values + 1);
  text[0] = '[';
  for (size_t i = 0; i < values; i++)
    memcpy(text + 1 + 2 * i, "1,", 2);
  text[2 * values] = ']';
  refused(text, 2 * values + 1, "x.yaml:1:2000000: too many values: allowed are 1000000");
  text[2 * values - 2] = ']';
  conf_destroy(loaded(text, 2 * values - 1));
  free(text);
}

static void files_end_at_16_mib(void **state) {
  (void)state;
  const size_t limit = 16 << 20;
  char *text = malloc(limit + 1);
  memset(text, '#', limit + 1);
  refused(text, limit + 1, "x.yaml: the file is too large: allowed are 16777216 bytes");
  memcpy(text, "a: 1\n", 5);
  conf_destroy(loaded(text, limit));
  free(text);
}

static void parallel_replay_line_ends_and_bom_are_fine(void **state) {
  (void)state;
  static const char text[] = "\xef\xbb\xbf"
                             "a: 1\r\nb:\r\n  - x\r\n";
  struct conf_doc *doc = loaded(text, sizeof text - 1);
  const struct conf_node *root = conf_root(doc);
  assert_string_equal(conf_get(root, "a")->text, "1");
  assert_string_equal(conf_get(root, "b")->items[0]->text, "x");
  assert_int_equal(conf_get(root, "b")->items[0]->line, 3);
  conf_destroy(doc);
}

static void missing_files_are_named(void **state) {
  (void)state;
  struct error error = ERROR_INIT;
  struct conf_doc *doc;
  assert_int_equal(conf_load_file("/no/such.yaml", &doc, &error), -1);
  assert_null(doc);
  expect_error(&error, "/no/such.yaml: cannot open the file: No such file or directory");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_expands_is_refused),
      cmocka_unit_test(keys_are_single_words_once),
      cmocka_unit_test(one_document_and_not_none),
      cmocka_unit_test(bad_characters_are_placed),
      cmocka_unit_test(broken_syntax_is_placed),
      cmocka_unit_test(depth_ends_at_64),
      cmocka_unit_test(a_hundred_thousand_levels_end_soon),
      cmocka_unit_test(a_million_nodes_are_allowed_and_no_more),
      cmocka_unit_test(files_end_at_16_mib),
      cmocka_unit_test(parallel_replay_line_ends_and_bom_are_fine),
      cmocka_unit_test(missing_files_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
