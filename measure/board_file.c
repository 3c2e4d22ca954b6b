#include "measure/board_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/input/json.h"
#include "base/text.h"

/* Returns the text as JSON. Names of devices come from drivers, so bytes that JSON cannot hold become "?". */
static json_t *text(const char *value) {
  json_t *string = json_string(value);
  if (string)
    return string;
  char plain[512];
  snprintf(plain, sizeof plain, "%s", value);
  for (char *c = plain; *c != '\0'; c++)
    if ((unsigned char)*c < 0x20 || (unsigned char)*c > 0x7e)
      *c = '?';
  return json_string(plain);
}

static json_t *formatted(char *owned) {
  json_t *string = owned ? text(owned) : NULL;
  free(owned);
  return string;
}

static json_t *measurement_json(const struct measured_launch *l) {
  char *name = l->launches > 1 ? text_format("%s.%u", l->workload, l->launch) : text_format("%s", l->workload);
  return json_pack("{s:o, s:o, s:i, s:o, s:o, s:f, s:f, s:f, s:f, s:i, s:i, s:s}", "name", formatted(name), "workload",
                   text(l->workload), "launch", (int)l->launch, "description",
                   formatted(text_format("kernel %s", l->kernel)), "group", text(l->group), "value", l->ns.minimum,
                   "spread", l->ns.spread, "median", l->ns.median, "maximum", l->ns.maximum, "runs", (int)l->ns.count,
                   "outliers", (int)l->ns.outliers, "source", "the file's source");
}

static char *today(char *buffer, size_t size) {
  const time_t now = time(NULL);
  struct tm date;
  if (!gmtime_r(&now, &date) || strftime(buffer, size, "%Y-%m-%d", &date) == 0)
    snprintf(buffer, size, "unknown date");
  return buffer;
}

static json_t *board_json(const struct board_facts *facts, const struct measurements *m) {
  const struct device *d = facts->device;
  char date[32];
  json_t *list = json_array();
  for (size_t i = 0; i < m->count; i++)
    json_array_append_new(list, measurement_json(&m->launches[i]));
  const uint64_t clock = facts->clock_hz != 0 ? facts->clock_hz : d->clock_hz;
  return json_pack(
      "{s:s, s:o, s:o, s:o, s:I, s:o, s:o, s:s, s:o, s:{s:o, s:o, s:s, s:o, s:o, s:I, s:I, s:I, s:b, s:s}, s:o}",
      "schema", "reassemble.board/1", "name", text(facts->name), "board", text(facts->board ? facts->board : d->name),
      "gpu", text(facts->gpu), "clock_hz", (json_int_t)(clock != 0 ? clock : 1000000000), "driver", text(d->driver),
      "statistic", formatted(text_format("minimum of %u runs", facts->options->runs)), "unit", "ns", "source",
      formatted(text_format("%s measure, %s, profiling events of the device", facts->tool, today(date, sizeof date))),
      "device", "name", text(d->name), "vendor", text(d->vendor), "type", d->type, "platform", text(d->platform),
      "version", text(d->version), "compute_units", (json_int_t)d->compute_units, "global_bytes",
      (json_int_t)d->global_bytes, "warm_up", (json_int_t)facts->options->warm_up, "checked", facts->options->check,
      "caches", measure_caches_name(facts->options->caches), "measurements", list);
}

int board_file_write(const char *path, const struct board_facts *facts, const struct measurements *m,
                     struct error *error) {
  json_t *document = board_json(facts, m);
  const int status = json_save_document(document, path, 12, error);
  json_decref(document);
  return status;
}
