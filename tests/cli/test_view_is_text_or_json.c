/* One description of a result becomes a table or a document. */
#include "cli/core/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

static const struct view_column columns[] = {
    {.key = "note", .title = "note", .last = true},
    {.key = "name", .title = "kernel"},
    {.key = "time.share", .title = "share %", .format = "%.1f", .scale = 100},
    {.key = "lines", .title = "lines", .format = "%d"},
    {.key = "hidden"},
    {.title = "range", .format = "%.0f"},
};

static void describe(struct view *view) {
  struct view_list list;
  view_member(view, "gpu", view_text("G"));
  view_say(view, "On %s\n", "G\033");
  view_list_begin(view, "kernels", columns, sizeof columns / sizeof columns[0], &list);
  list.shown = 2;
  list.things = "kernels";
  VIEW_ROW(&list, view_text("first"), view_text("a"), view_real(0.25), view_whole(UINT64_C(1) << 53), view_truth(true),
           view_pair(1, 2));
  VIEW_ROW(&list, view_null(), view_text("b"), view_real(NAN), view_absent(), view_absent(), view_absent());
  VIEW_ROW(&list, view_text("third"), view_text("c"), view_real(1), view_whole(7), view_null(), view_absent());
  view_list_end(&list);
}

static void text_is_lines_and_a_table(void **state) {
  (void)state;
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  struct view view;
  view_begin(&view, false, out, "s/1");
  describe(&view);
  assert_int_equal(view_end(&view, 0, NULL), 0);
  fclose(out);
  assert_string_equal(text, "On G?\n"
                            "kernel  share %             lines  range  note\n"
                            "a          25.0  9007199254740992   1..2  first\n"
                            "b           n/a                           -\n"
                            "and 1 kernels more (--json has all)\n");
  free(text);
}

static void json_has_every_row_and_its_types(void **state) {
  (void)state;
  struct view view;
  json_t *document;
  view_begin(&view, true, stdout, "s/1");
  describe(&view);
  assert_int_equal(view_take(&view, 0, &document, NULL), 0);
  char *text = json_dumps(document, JSON_COMPACT);
  assert_string_equal(
      text, "{\"schema\":\"s/1\",\"gpu\":\"G\",\"kernels\":["
            "{\"note\":\"first\",\"name\":\"a\",\"time\":{\"share\":0.25},\"lines\":9007199254740992,\"hidden\":true},"
            "{\"note\":null,\"name\":\"b\",\"time\":{\"share\":null}},"
            "{\"note\":\"third\",\"name\":\"c\",\"time\":{\"share\":1.0},\"lines\":7,\"hidden\":null}]}");
  free(text);
  json_decref(document);
}

static void objects_nest_and_members_keep_their_place(void **state) {
  (void)state;
  static const struct view_column item[] = {{.key = "k"}};
  struct view view;
  struct view_list items, map;
  json_t *document;
  view_begin(&view, true, stdout, NULL);
  view_object_begin(&view, "summary");
  view_object_end(&view);
  view_array(&view, "empty");
  view_element_begin(&view, "runs");
  view_items_begin(&view, item, 1, &items);
  VIEW_ROW(&items, view_whole(1));
  view_member(&view, "items", view_items_end(&items));
  view_object_end(&view);
  view_object_begin(&view, "summary");
  view_member(&view, "of", view_pair(1, INFINITY));
  view_object_end(&view);
  view_map_begin(&view, "map", item, 1, &map);
  view_map_row(&map, "known", (struct view_value[]){view_whole(2)}, 1);
  view_map_row(&map, "unknown", NULL, 1);
  view_list_end(&map);
  assert_int_equal(view_take(&view, 0, &document, NULL), 0);
  char *text = json_dumps(document, JSON_COMPACT);
  assert_string_equal(text, "{\"summary\":{\"of\":[1.0,null]},\"empty\":[],\"runs\":[{\"items\":[{\"k\":1}]}],"
                            "\"map\":{\"known\":{\"k\":2},\"unknown\":null}}");
  free(text);
  json_decref(document);
}

static void a_document_of_failed_work_is_not_printed(void **state) {
  (void)state;
  struct view view;
  json_t *document;
  view_begin(&view, true, stdout, "s/1");
  describe(&view);
  assert_int_equal(view_take(&view, -1, &document, NULL), -1);
  assert_null(document);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(text_is_lines_and_a_table),
                                     cmocka_unit_test(json_has_every_row_and_its_types),
                                     cmocka_unit_test(objects_nest_and_members_keep_their_place),
                                     cmocka_unit_test(a_document_of_failed_work_is_not_printed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
