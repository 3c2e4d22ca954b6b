#include "base/input/json.h"

#include "expect_error.h"

#include <string.h>
#include <unistd.h>

static json_t *object;

static int begin(void **state) {
  (void)state;
  object = json_loads("{\"schema\": \"s/1\", \"o\": {}, \"a\": [], \"s\": \"text\", \"i\": 7, \"r\": 0.5, \"t\": true,"
                      " \"n\": null}",
                      0, NULL);
  return object ? 0 : -1;
}

static int end(void **state) {
  (void)state;
  json_decref(object);
  return 0;
}

static void right_types_are_given(void **state) {
  (void)state;
  json_t *value;
  const char *text;
  int64_t whole;
  double real;
  bool yes;
  assert_int_equal(json_need_object(object, "o", &value, "f", NULL), 0);
  assert_int_equal(json_need_array(object, "a", &value, "f", NULL), 0);
  assert_int_equal(json_need_string(object, "s", &text, "f", NULL), 0);
  assert_string_equal(text, "text");
  assert_int_equal(json_need_int(object, "i", 7, 7, &whole, "f", NULL), 0);
  assert_int_equal(whole, 7);
  assert_int_equal(json_need_real(object, "r", 0.5, 0.5, &real, "f", NULL), 0);
  assert_true(real == 0.5);
  assert_int_equal(json_need_real(object, "i", 0, 10, &real, "f", NULL), 0);
  assert_true(real == 7);
  assert_int_equal(json_need_bool(object, "t", &yes, "f", NULL), 0);
  assert_true(yes);
}

#define FAILS(call, expected)                                                                                          \
  do {                                                                                                                 \
    struct error error = ERROR_INIT;                                                                                   \
    assert_int_equal(call, -1);                                                                                        \
    expect_error(&error, expected);                                                                                    \
  } while (0)

static void wrong_types_are_named(void **state) {
  (void)state;
  json_t *value;
  const char *text;
  int64_t whole;
  double real;
  bool yes;
  FAILS(json_need_object(object, "a", &value, "f", &error), "f: a: found an array, expected an object");
  FAILS(json_need_array(object, "o", &value, "f", &error), "f: o: found an object, expected an array");
  FAILS(json_need_string(object, "i", &text, "f", &error), "f: i: found 7, expected a string");
  FAILS(json_need_string(object, "n", &text, "f", &error), "f: n: found null, expected a string");
  FAILS(json_need_int(object, "r", 0, 9, &whole, "f", &error), "f: r: found 0.5, expected a whole number");
  FAILS(json_need_int(object, "s", 0, 9, &whole, "f", &error), "f: s: found \"text\", expected a whole number");
  FAILS(json_need_int(object, "i", 8, 9, &whole, "f", &error), "f: i: found 7, allowed 8 to 9");
  FAILS(json_need_real(object, "t", 0, 9, &real, "f", &error), "f: t: found true, expected a number");
  FAILS(json_need_real(object, "r", 1, 9, &real, "f", &error), "f: r: found 0.5, allowed 1 to 9");
  FAILS(json_need_bool(object, "i", &yes, "f", &error), "f: i: found 7, expected true or false");
  FAILS(json_need_int(object, "x", 0, 9, &whole, "f", &error), "f: x: missing, expected a whole number");
  FAILS(json_need_array(object, "x", &value, "f", &error), "f: x: missing, expected an array");
}

static void schemas_and_keys_are_checked(void **state) {
  (void)state;
  static const char *const all[] = {"schema", "o", "a", "s", "i", "r", "t", "n", NULL}, *const near[] = {"scheme",
                                                                                                         NULL};
  json_t *list = json_array();
  assert_int_equal(json_check_schema(object, "s/1", "f", NULL), 0);
  FAILS(json_check_schema(object, "s/2", "f", &error), "f: schema: found \"s/1\", expected \"s/2\"");
  FAILS(json_check_schema(list, "s/2", "f", &error), "f: found an array, expected an object");
  assert_int_equal(json_check_keys(object, all, "f", NULL), 0);
  FAILS(json_check_keys(object, near, "f", &error), "f: schema: unknown key; did you mean \"scheme\"?");
  json_decref(list);
}

static void document_fails(const char *text, size_t length, const char *expected) {
  char path[] = "/tmp/reassemble-json-XXXXXX", message[300];
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0 && write(descriptor, text, length) == (ssize_t)length);
  close(descriptor);
  struct error error = ERROR_INIT;
  json_t *document;
  assert_int_equal(json_load_document(path, &document, &error), -1);
  unlink(path);
  assert_null(document);
  snprintf(message, sizeof message, "%s%s", path, expected);
  expect_error(&error, message);
}
#define DOCUMENT_FAILS(text, expected) document_fails(text, sizeof(text) - 1, expected)

static void broken_documents_are_placed(void **state) {
  (void)state;
  DOCUMENT_FAILS("{\"a\": 1,\n \"a\": 2}", ":2:4: not JSON: duplicate object key near '\"a\"'");
  DOCUMENT_FAILS("{\"a\": 1,\n x}", ":2:2: not JSON: string or '}' expected near 'x'");
  DOCUMENT_FAILS("", ":1: not JSON: '[' or '{' expected near end of file");
  DOCUMENT_FAILS("[\"\xff\"]", ":1:2: not JSON: unable to decode byte 0xff near '\"'");
  DOCUMENT_FAILS("[1\0]", ": not JSON: found a NUL character");
}

static void deep_documents_end_soon(void **state) {
  (void)state;
  static char text[100000];
  memset(text, '[', sizeof text);
  document_fails(text, sizeof text, ":1:2049: not JSON: maximum parsing depth reached near '['");
}

static void saved_documents_give_themselves(void **state) {
  (void)state;
  const char *path = "saved-document.json";
  struct error error = ERROR_INIT;
  json_t *document;
  assert_int_equal(json_save_document(object, path, 0, &error), 0);
  assert_int_equal(json_load_document(path, &document, &error), 0);
  assert_true(json_equal(document, object));
  json_decref(document);
  assert_int_equal(json_save_document(NULL, path, 0, &error), -1);
  assert_int_equal(access(path, F_OK), 0); /* the file of before is still there */
  unlink(path);
  error = (struct error)ERROR_INIT;
  assert_int_equal(json_save_document(object, "/dev/full", 0, &error), -1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(right_types_are_given),        cmocka_unit_test(wrong_types_are_named),
      cmocka_unit_test(schemas_and_keys_are_checked), cmocka_unit_test(broken_documents_are_placed),
      cmocka_unit_test(deep_documents_end_soon),      cmocka_unit_test(saved_documents_give_themselves),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
