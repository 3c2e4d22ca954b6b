/* reassemble list: what ships. Names and one line each, read from the files themselves. */
#include "cli/core/command.h"

#include "base/input/conf.h"
#include "base/file.h"
#include "base/input/json.h"
#include "base/text.h"
#include "cli/core/table.h"

#include <stdlib.h>
#include <string.h>

/* What a listing says of one file. The texts are owned; about is "" when the file has none. */
struct entry {
  char *path, *about;
  json_t *tags;   /* array of strings, NULL when the file has none */
  size_t members; /* workload sets; 0 for others */
};

static const struct subject {
  const char *word;
  enum data_kind kind;
} subjects[] = {
    {"gpus", DATA_GPU},
    {"workloads", DATA_WORKLOAD},
    {"boards", DATA_BOARD},
    {"sweeps", DATA_SWEEP},
};
enum { SUBJECTS = sizeof subjects / sizeof subjects[0] };

static const struct subject *find_subject(const char *word, struct error *error) {
  const char *words[SUBJECTS + 1] = {0};
  for (size_t i = 0; i < SUBJECTS; i++) {
    words[i] = subjects[i].word;
    if (strcmp(words[i], word) == 0)
      return &subjects[i];
  }
  const char *nearest = text_nearest(word, words);
  error_set(error, ERROR_INPUT, "found \"%.100s\", expected one of gpus, workloads, boards, sweeps%s%s%s", word,
            nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
  return NULL;
}

static int read_tags(const struct conf_node *list, json_t **out, struct error *error) {
  if (conf_expect(list, CONF_LIST, error) != 0)
    return -1;
  *out = json_array();
  for (size_t i = 0; i < list->count; i++) {
    const char *tag;
    if (conf_string(list->items[i], &tag, error) != 0)
      return -1;
    json_array_append_new(*out, json_string(tag));
  }
  return 0;
}

static int read_yaml(const struct conf_node *root, struct entry *entry, struct error *error) {
  if (conf_expect(root, CONF_MAP, error) != 0)
    return -1;
  const struct conf_node *about = conf_get(root, "about"), *tags = conf_get(root, "tags");
  const struct conf_node *members = conf_get(root, "members");
  const char *text = "";
  if (about != NULL && conf_string(about, &text, error) != 0)
    return -1;
  entry->about = strdup(text);
  if (members != NULL && conf_expect(members, CONF_LIST, error) != 0)
    return -1;
  entry->members = members ? members->count : 0;
  return tags ? read_tags(tags, &entry->tags, error) : 0;
}

static int read_board(const char *path, struct entry *entry, struct error *error) {
  json_t *root = NULL;
  const char *board = "", *source = "";
  if (json_load_document(path, &root, error) != 0)
    return -1;
  int status = json_need_string(root, "board", &board, path, error);
  if (status == 0)
    status = json_need_string(root, "source", &source, path, error);
  if (status == 0)
    entry->about = text_format("%s; %s", board, source);
  json_decref(root);
  return status;
}

static int read_entry(enum data_kind kind, const char *name, struct entry *entry, struct error *error) {
  struct conf_doc *doc = NULL;
  if (data_find_shipped(kind, name, &entry->path, error) != 0)
    return -1;
  int status;
  if (kind == DATA_BOARD) {
    status = read_board(entry->path, entry, error);
  } else {
    status = conf_load_file(entry->path, &doc, error);
    if (status == 0)
      status = read_yaml(conf_root(doc), entry, error);
    conf_destroy(doc);
  }
  if (status == 0 && entry->about == NULL)
    status = error_set(error, ERROR_WORK, "out of memory");
  return status;
}

static void entry_clear(struct entry *entry) {
  free(entry->path);
  free(entry->about);
  json_decref(entry->tags);
  *entry = (struct entry){0};
}

/* Workloads have tags, sets their members; every entry says where it lives. */
static json_t *entry_json(enum data_kind kind, const char *name, const struct entry *entry) {
  json_t *object = json_pack("{s:s, s:s, s:s}", "name", name, "about", entry->about, "path", entry->path);
  if (kind == DATA_WORKLOAD)
    json_object_set_new(object, "tags", entry->tags ? json_incref(entry->tags) : json_array());
  if (entry->members > 0)
    json_object_set_new(object, "members", json_integer((json_int_t)entry->members));
  return object;
}

static json_t *listing_json(const struct subject *subject, char *const *names, const struct entry *entries,
                            size_t count) {
  json_t *array = json_array();
  for (size_t i = 0; i < count; i++)
    json_array_append_new(array, entry_json(subject->kind, names[i], &entries[i]));
  return json_pack("{s:s, s:o}", "schema", "reassemble.list/1", subject->word, array);
}

static void add_tags(struct table *table, const struct entry *entry) {
  char line[200] = "";
  size_t used = 0;
  if (entry->members > 0)
    used += (size_t)snprintf(line, sizeof line, "set of %zu", entry->members);
  for (size_t i = 0; i < json_array_size(entry->tags) && used < sizeof line; i++)
    used += (size_t)snprintf(line + used, sizeof line - used, "%s%s", used ? ", " : "",
                             json_string_value(json_array_get(entry->tags, i)));
  table_add(table, "%s", line);
}

static int print_table(const struct subject *subject, char *const *names, const struct entry *entries, size_t count,
                       struct error *error) {
  if (count == 0) {
    printf("No %s ship with this version.\n", subject->word);
    return 0;
  }
  const struct table_column columns[] = {{"name", false}, {"about", false}, {"tags", false}};
  const bool tags = subject->kind == DATA_WORKLOAD;
  struct table *table = table_create(columns, tags ? 3 : 2);
  for (size_t i = 0; i < count; i++) {
    table_add(table, "%s", names[i]);
    table_add(table, "%s", entries[i].about);
    if (tags)
      add_tags(table, &entries[i]);
  }
  int status = table_print(table, stdout, error);
  table_destroy(table);
  return status;
}

static int run_list(const struct options *options, struct error *error) {
  const struct subject *subject = find_subject(options->arguments[0], error);
  char **names = NULL;
  size_t count = 0;
  if (subject == NULL || data_list(subject->kind, &names, &count, error) != 0)
    return -1;
  struct entry *entries = calloc(count + 1, sizeof *entries);
  int status = entries ? 0 : error_set(error, ERROR_WORK, "out of memory");
  for (size_t i = 0; i < count && status == 0; i++)
    status = read_entry(subject->kind, names[i], &entries[i], error);
  if (status == 0 && options->json)
    status = command_print_json(listing_json(subject, names, entries, count), error);
  else if (status == 0)
    status = print_table(subject, names, entries, count, error);
  for (size_t i = 0; entries && i < count; i++)
    entry_clear(&entries[i]);
  free(entries);
  data_list_free(names, count);
  return status;
}

const struct command command_list = {
    .word = "list",
    .arguments = "gpus|workloads|boards|sweeps",
    .help = "List what ships; the names work wherever a file does",
    .details = "The data are searched below $REASSEMBLE_DATA, the source tree and the installed share folder.\n\n"
               "Examples:\n"
               "  reassemble list gpus\n"
               "  reassemble list workloads --json\n",
    .minimum_arguments = 1,
    .maximum_arguments = 1,
    .run = run_list,
};
