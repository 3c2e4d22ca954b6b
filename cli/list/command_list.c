/* reassemble list: what ships. Names and one line each, read from the files themselves. */
#include "cli/core/command.h"

#include "base/input/conf.h"
#include "base/file.h"
#include "base/input/json.h"
#include "base/text.h"
#include "cli/core/view.h"

#include <stdlib.h>
#include <string.h>

static struct option_list wanted_tags;

static const struct option_row rows[] = {
    {.name = "tag",
     .letter = 't',
     .argument = "TAG",
     .type = OPTION_LIST,
     .target = &wanted_tags,
     .help = "workloads: only those with this tag, and with each other one that is given"},
    {.name = NULL},
};

/* One file of a listing. The texts are owned; `about` is "" where the file has none. */
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
  if (about && conf_string(about, &text, error) != 0)
    return -1;
  entry->about = strdup(text);
  if (members && conf_expect(members, CONF_LIST, error) != 0)
    return -1;
  entry->members = members ? members->count : 0;
  return tags ? read_tags(tags, &entry->tags, error) : 0;
}

/* The about of a board is the machine and the source of its times, both optional. */
static int read_board(const char *path, struct entry *entry, struct error *error) {
  json_t *root = NULL;
  if (json_load_document(path, &root, error) != 0)
    return -1;
  const char *board = json_string_value(json_object_get(root, "board"));
  const char *source = json_string_value(json_object_get(root, "source"));
  entry->about = text_format("%s%s%s", board ? board : "", board && source ? "; " : "", source ? source : "");
  json_decref(root);
  return 0;
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
  if (status == 0 && !entry->about)
    status = error_no_memory(error);
  return status;
}

static void entry_clear(struct entry *entry) {
  free(entry->path);
  free(entry->about);
  json_decref(entry->tags);
  *entry = (struct entry){0};
}

static bool has_tag(const struct entry *entry, const char *tag) {
  for (size_t i = 0; i < json_array_size(entry->tags); i++)
    if (strcmp(json_string_value(json_array_get(entry->tags, i)), tag) == 0)
      return true;
  return false;
}

static bool is_wanted(const struct entry *entry) {
  for (size_t t = 0; t < wanted_tags.count; t++)
    if (!has_tag(entry, wanted_tags.items[t]))
      return false;
  return true;
}

/* "set of 11, gemm, polybench" */
static struct view_value tags_text(const struct entry *entry, char *text, size_t size) {
  size_t used = 0;
  text[0] = '\0';
  if (entry->members > 0)
    used += (size_t)snprintf(text, size, "set of %zu", entry->members);
  for (size_t i = 0; i < json_array_size(entry->tags) && used < size; i++)
    used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
                             json_string_value(json_array_get(entry->tags, i)));
  return view_text(text);
}

/* Workloads have tags, sets have members, and every entry has the path of its file. */
static int show(const struct subject *subject, char *const *names, const struct entry *entries, size_t count, bool json,
                struct error *error) {
  static const struct view_column columns[] = {{.key = "name", .title = "name"},
                                               {.key = "about", .title = "about"},
                                               {.key = "path"},
                                               {.key = "tags"},
                                               {.key = "members"},
                                               {.title = "tags"}};
  struct view view;
  struct view_list list;
  char text[200];
  view_begin(&view, json, stdout, "reassemble.list/1");
  view_list_begin(&view, subject->word, columns, sizeof columns / sizeof columns[0], &list);
  for (size_t i = 0; i < count; i++) {
    const struct entry *entry = &entries[i];
    const bool tags = subject->kind == DATA_WORKLOAD;
    if (!is_wanted(entry))
      continue;
    VIEW_ROW(&list, view_text(names[i]), view_text(entry->about), view_text(entry->path),
             tags ? view_json(entry->tags ? json_incref(entry->tags) : json_array()) : view_absent(),
             entry->members > 0 ? view_whole(entry->members) : view_absent(), tags_text(entry, text, sizeof text));
  }
  view_list_end(&list);
  return view_end(&view, 0, error);
}

/* A tag that no entry has is a mistake, for which a near one is named. */
static int check_tag(const struct entry *entries, size_t count, const char *tag, struct error *error) {
  char near[128] = "";
  for (size_t i = 0; i < count; i++) {
    if (has_tag(&entries[i], tag))
      return 0;
    for (size_t t = 0; t < json_array_size(entries[i].tags) && near[0] == '\0'; t++) {
      const char *const words[] = {json_string_value(json_array_get(entries[i].tags, t)), NULL};
      const char *nearest = text_nearest(tag, words);
      snprintf(near, sizeof near, "%s", nearest ? nearest : "");
    }
  }
  return error_set(error, ERROR_INPUT, "--tag: no shipped workload has the tag \"%.100s\"%s%s%s", tag,
                   near[0] != '\0' ? "; did you mean \"" : "", near, near[0] != '\0' ? "\"?" : "");
}

static int check_tags(const struct subject *subject, const struct entry *entries, size_t count, struct error *error) {
  if (wanted_tags.count > 0 && subject->kind != DATA_WORKLOAD)
    return error_set(error, ERROR_INPUT, "--tag is for workloads; found \"%s\"", subject->word);
  for (size_t t = 0; t < wanted_tags.count; t++)
    if (check_tag(entries, count, wanted_tags.items[t], error) != 0)
      return -1;
  return 0;
}

static int run_list(const struct options *options, struct error *error) {
  const struct subject *subject = find_subject(options->arguments[0], error);
  char **names = NULL;
  size_t count = 0;
  if (!subject || data_list(subject->kind, &names, &count, error) != 0)
    return -1;
  struct entry *entries = calloc(count + 1, sizeof *entries);
  int status = entries ? 0 : error_no_memory(error);
  for (size_t i = 0; i < count && status == 0; i++)
    status = read_entry(subject->kind, names[i], &entries[i], error);
  if (status == 0)
    status = check_tags(subject, entries, count, error);
  if (status == 0)
    status = show(subject, names, entries, count, options->json, error);
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
               "  reassemble list workloads --tag gemm\n"
               "  reassemble list workloads --json\n",
    .rows = rows,
    .minimum_arguments = 1,
    .maximum_arguments = 1,
    .run = run_list,
};
