#include "cli/report/documents.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/file.h"
#include "base/input/json_parse.h"
#include "base/text.h"
#include "cli/report/add_pictures.h"
#include "cli/report/reduce.h"

#define MEBIBYTE         ((size_t)1 << 20)
#define LARGEST_DOCUMENT (1024 * MEBIBYTE)

struct schema_row {
  const char *schema, *kind, *made_by;
  int (*reduce)(struct document *document, char **note, struct error *error);
};

static const struct schema_row schemas[] = {
    {"reassemble.simulate/1", "prediction", "simulate --json", NULL},
    {"reassemble.rank/1", "ranking", "rank --json", NULL},
    {"reassemble.validate/1", "accuracy", "validate --json", NULL},
    {"reassemble.validations/1", "accuracy on several boards", "validate --json, of several boards", NULL},
    {"reassemble.speedups/1", "speed-ups", "validate --speedups --json", NULL},
    {"reassemble.tune/1", "tuning", "tune --json", NULL},
    {"reassemble.dse/1", "sweep", "dse --json, and results.json of its folder", reduce_sweep},
    {"reassemble.info/1", "statistics of traces", "info --json", NULL},
    {"reassemble.kernels/1", "kernels", "info KERNEL.cl --json", NULL},
    {"reassemble.params/1", "parameters", "params --gpu NAME --json", NULL},
    {"reassemble.baseline/1", "baselines", "baseline --json", NULL},
    {"reassemble.run/1", "program on a described GPU", "run --json", NULL},
    {"reassemble.manifest/1", "program", "trace -- PROGRAM", NULL},
    {"reassemble.measure/1", "measurement", "measure --json", NULL},
    {"reassemble.timeline/1", "timeline", "simulate --timeline FILE", reduce_timeline},
    {"reassemble.run-timeline/1", "timeline of a program", "run --timeline FILE", reduce_program_timeline},
    {"reassemble.draw/1", "executed frames", "draw --json", add_pictures},
    {"reassemble.frame/1", "frame on a described GPU", "frame --json", add_pictures},
};
enum { SCHEMAS = sizeof schemas / sizeof schemas[0] };

/* Returns the document's schema; "" where it names none. A timeline is in a format of others and has it elsewhere. */
static const char *schema_of(const json_t *json) {
  const char *schema = json_string_value(json_object_get(json, "schema"));
  if (!schema)
    schema = json_string_value(json_object_get(json_object_get(json, "otherData"), "schema"));
  return schema ? schema : "";
}

static int unknown_schema(const char *path, const char *schema, struct error *error) {
  char text[2048];
  size_t used = 0;
  for (size_t i = 0; i < SCHEMAS && used < sizeof text; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "\n  %-26s %s", schemas[i].schema, schemas[i].made_by);
  if (schema[0] == '\0')
    return error_at(error, ERROR_INPUT, path, 0, 0, NULL, "the document names no schema, expected one of:%s", text);
  return error_at(error, ERROR_INPUT, path, 0, 0, "schema", "found \"%.80s\", expected one of:%s", schema, text);
}

static int failed_command(const char *path, const json_t *json, struct error *error) {
  const char *text = json_string_value(json_object_get(json_object_get(json, "error"), "text"));
  return error_at(error, ERROR_INPUT, path, 0, 0, NULL, "the command that wrote this document failed: %.500s",
                  text ? text : "no reason is given");
}

static const struct schema_row *row_of(const char *schema) {
  for (size_t i = 0; i < SCHEMAS; i++)
    if (strcmp(schema, schemas[i].schema) == 0)
      return &schemas[i];
  return NULL;
}

static int identify(struct document *document, struct error *error) {
  document->schema = schema_of(document->json);
  const struct schema_row *row = row_of(document->schema);
  if (row) {
    document->kind = row->kind;
    return row->reduce ? row->reduce(document, &document->note, error) : 0;
  }
  if (strcmp(document->schema, "reassemble.error/1") == 0)
    return failed_command(document->path, document->json, error);
  return unknown_schema(document->path, document->schema, error);
}

static int parse(struct document *document, const char *text, size_t length, struct error *error) {
  json_error_t where;
  document->json = json_parse(text, length, JSON_REJECT_DUPLICATES, &where);
  if (!document->json && json_problem_is_memory(&where))
    return error_no_memory(error);
  if (!document->json)
    return error_at(error, ERROR_INPUT, document->path, (unsigned)where.line, (unsigned)where.column, NULL,
                    "not a JSON document: %s; reports are made of what commands print with --json", where.text);
  return identify(document, error);
}

static int add_file(struct documents *out, const char *path, struct error *error) {
  char *text = NULL;
  size_t length = 0;
  if (!array_room_for_one(&out->items, out->count, sizeof *out->items))
    return error_no_memory(error);
  struct document *document = &out->items[out->count];
  *document = (struct document){.path = strdup(strcmp(path, "-") == 0 ? "standard input" : path)};
  if (!document->path)
    return error_no_memory(error);
  out->count++;
  if (file_read(strcmp(path, "-") == 0 ? "/dev/stdin" : path, LARGEST_DOCUMENT, &text, &length, error) != 0)
    return -1;
  document->digest = text_hash(TEXT_HASH_START, text, length);
  const int status = parse(document, text, length, error);
  free(text);
  return status;
}

static int is_json_name(const struct dirent *entry) {
  const size_t length = strlen(entry->d_name);
  return entry->d_name[0] != '.' && length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0;
}

static bool exists(const char *folder, const char *name) {
  struct stat info;
  char *path = text_format("%s/%s", folder, name);
  const bool found = path && stat(path, &info) == 0;
  free(path);
  return found;
}

static int add_in_folder(struct documents *out, const char *folder, const char *name, struct error *error) {
  char *path = text_format("%s/%s", folder, name);
  const int status = path ? add_file(out, path, error) : error_no_memory(error);
  free(path);
  return status;
}

static int add_all_of(struct documents *out, const char *folder, struct error *error) {
  struct dirent **entries = NULL;
  const int count = scandir(folder, &entries, is_json_name, alphasort);
  int status = count < 0 ? error_at(error, ERROR_INPUT, folder, 0, 0, NULL, "cannot read the folder") : 0;
  if (count == 0)
    status = error_at(error, ERROR_INPUT, folder, 0, 0, NULL, "%s",
                      exists(folder, "journal") ? "the run of this folder has no results yet; `reassemble dse SWEEP -o "
                                                  "FOLDER --resume` finishes it"
                                                : "the folder holds no JSON document");
  for (int i = 0; i < count; i++) {
    if (status == 0)
      status = add_in_folder(out, folder, entries[i]->d_name, error);
    free(entries[i]);
  }
  free(entries);
  return status;
}

/* Writes the head of the journal, which says what has run: versions, digests of the sweep, the designs and the traces.
 * The line has a checksum before the document (base/input/journal.h). NULL where there is none that can be read. */
static int journal_head_of(const char *folder, json_t **head, struct error *error) {
  char *path = text_format("%s/journal", folder), *line = NULL;
  size_t size = 0;
  json_error_t problem;
  *head = NULL;
  if (!path)
    return error_no_memory(error);
  errno = 0;
  FILE *journal = fopen(path, "re");
  if (journal && getline(&line, &size, journal) > 0 && strchr(line, ' '))
    *head = json_parse(strchr(line, ' '), strlen(strchr(line, ' ')), 0, &problem);
  const bool no_memory = !*head && errno == ENOMEM;
  if (journal)
    fclose(journal);
  free(line);
  free(path);
  return no_memory ? error_no_memory(error) : 0;
}

static int add_sweep(struct documents *out, const char *folder, struct error *error) {
  if (add_in_folder(out, folder, "results.json", error) != 0)
    return -1;
  return journal_head_of(folder, &out->items[out->count - 1].run, error);
}

static int add_path(struct documents *out, const char *path, struct error *error) {
  if (!file_is_folder(path))
    return add_file(out, path, error);
  if (exists(path, "results.json"))
    return add_sweep(out, path, error);
  return add_all_of(out, path, error);
}

int documents_read(const char *const *paths, size_t count, struct documents *out, struct error *error) {
  *out = (struct documents){0};
  int status = 0;
  for (size_t i = 0; i < count && status == 0; i++)
    status = add_path(out, paths[i], error);
  if (status != 0)
    documents_clear(out);
  return status;
}

void documents_clear(struct documents *documents) {
  for (size_t i = 0; i < documents->count; i++) {
    free(documents->items[i].path);
    free(documents->items[i].note);
    json_decref(documents->items[i].json);
    json_decref(documents->items[i].run);
  }
  free(documents->items);
  *documents = (struct documents){0};
}
