/* Functional statistics of a launch: the rows of trace/statistics/statistics.h. */
#include "cli/info/info.h"

#include "cli/core/table.h"

struct row {
  const char *name, *meaning;
};

static const struct row rows[] = {
#define X(field, name, meaning) {name, meaning},
    STATISTICS_COUNTS(X)
#undef X
};

enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

static void values_of(const struct statistics *s, uint64_t values[ROW_COUNT]) {
  int i = 0;
#define X(field, name, meaning) values[i++] = s->field;
  STATISTICS_COUNTS(X)
#undef X
}

static double per(uint64_t part, uint64_t whole) {
  return whole > 0 ? (double)part / (double)whole : 0;
}

json_t *info_statistics_json(const struct statistics *s) {
  uint64_t values[ROW_COUNT];
  json_t *object = json_object();
  values_of(s, values);
  json_object_set_new(object, "warp_size", json_integer(s->warp_size));
  for (int i = 0; i < ROW_COUNT; i++)
    json_object_set_new(object, rows[i].name, json_integer((json_int_t)values[i]));
  json_object_set_new(object, "divergence_percentage", json_real(s->divergence_percentage));
  json_object_set_new(object, "blocks_per_work_item", json_real(per(s->blocks, s->work_items)));
  json_object_set_new(object, "instructions_per_block", json_real(per(s->instructions, s->blocks)));
  return object;
}

int info_statistics_print(const struct statistics *s, struct error *error) {
  uint64_t values[ROW_COUNT];
  struct table *table =
      table_create((struct table_column[]){{"statistic", false}, {"value", true}, {"meaning", false}}, 3);
  values_of(s, values);
  for (int i = 0; i < ROW_COUNT; i++) {
    table_add(table, "%s", rows[i].name);
    table_add(table, "%llu", (unsigned long long)values[i]);
    table_add(table, "%s", rows[i].meaning);
  }
  table_add(table, "divergence_percentage");
  table_add(table, "%.2f", s->divergence_percentage);
  table_add(table, "divergent warps of all warps, warps of %u work-items", s->warp_size);
  table_add(table, "blocks_per_work_item");
  table_add(table, "%.2f", per(s->blocks, s->work_items));
  table_add(table, "on average");
  table_add(table, "instructions_per_block");
  table_add(table, "%.2f", per(s->instructions, s->blocks));
  table_add(table, "on average over the executions");
  const int status = table_print(table, stdout, error);
  table_destroy(table);
  return status;
}
