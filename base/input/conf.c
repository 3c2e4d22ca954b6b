#include "base/input/conf.h"

#include "base/array.h"
#include "base/file.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { MOST_BYTES = 16 << 20, DEEPEST = 64, MOST_NODES = 1000000 };

struct conf_doc {
  char *file;
  struct conf_node *root;
};

struct loader {
  yaml_parser_t parser;
  const char *file;
  const char *input;
  size_t length;
  size_t nodes;
  struct error *error;
};

static void node_destroy(struct conf_node *node) {
  if (!node)
    return;
  for (size_t i = 0; i < node->count; i++)
    node_destroy(node->items[i]);
  free(node->items);
  free((char *)node->key);
  free((char *)node->text);
  free(node);
}

void conf_destroy(struct conf_doc *doc) {
  if (!doc)
    return;
  node_destroy(doc->root);
  free(doc->file);
  free(doc);
}

const struct conf_node *conf_root(const struct conf_doc *doc) {
  return doc->root;
}

static int rewrite_node(struct conf_node *node, conf_rewrite *rewrite, void *user, struct error *error) {
  for (size_t i = 0; i < node->count; i++)
    if (rewrite_node(node->items[i], rewrite, user, error))
      return -1;
  if (node->kind != CONF_SCALAR)
    return 0;
  char *text = NULL;
  if (rewrite(user, node, &text, &node->quoted, error))
    return -1;
  if (text) {
    free((char *)node->text);
    node->text = text;
  }
  return 0;
}

int conf_rewrite_scalars(struct conf_doc *doc, conf_rewrite *rewrite, void *user, struct error *error) {
  return rewrite_node(doc->root, rewrite, user, error);
}

static int no_memory(const struct loader *l) {
  return error_no_memory(l->error);
}

static int refuse(const struct loader *l, const yaml_mark_t *at, const char *what) {
  return error_at(l->error, ERROR_INPUT, l->file, (unsigned)at->line + 1, (unsigned)at->column + 1, NULL, "%s", what);
}

/* Returns line and column of a byte. libyaml gives the place of a bad character as a byte only. */
static yaml_mark_t mark_of_offset(const struct loader *l, size_t offset) {
  yaml_mark_t mark = {0};
  for (size_t i = 0; i < offset && i < l->length; i++) {
    mark.column++;
    if (l->input[i] == '\n') {
      mark.line++;
      mark.column = 0;
    }
  }
  return mark;
}

static int parser_failed(const struct loader *l) {
  const yaml_parser_t *p = &l->parser;
  char text[256];
  if (p->error == YAML_MEMORY_ERROR)
    return no_memory(l);
  if (p->error == YAML_READER_ERROR) {
    yaml_mark_t mark = mark_of_offset(l, p->problem_offset);
    snprintf(text, sizeof text, "not YAML in UTF-8: %s", p->problem);
    return refuse(l, &mark, text);
  }
  snprintf(text, sizeof text, "not YAML: %s%s%s", p->context ? p->context : "", p->context ? ", " : "",
           p->problem ? p->problem : "found something else");
  return refuse(l, &p->problem_mark, text);
}

static int next_event(struct loader *l, yaml_event_t *event) {
  return yaml_parser_parse(&l->parser, event) ? 0 : parser_failed(l);
}

static int append(struct conf_node *parent, struct conf_node *child) {
  if (!array_room_for_one(&parent->items, parent->count, sizeof(struct conf_node *)))
    return -1;
  parent->items[parent->count++] = child;
  return 0;
}

static int check_plain(const struct loader *l, const yaml_event_t *event) {
  const yaml_char_t *anchor = NULL, *tag = NULL;
  switch (event->type) {
  case YAML_ALIAS_EVENT:
    return refuse(l, &event->start_mark, "aliases (*name) are not supported: write the value out");
  case YAML_SCALAR_EVENT:
    anchor = event->data.scalar.anchor;
    tag = event->data.scalar.tag;
    break;
  case YAML_SEQUENCE_START_EVENT:
    anchor = event->data.sequence_start.anchor;
    tag = event->data.sequence_start.tag;
    break;
  case YAML_MAPPING_START_EVENT:
    anchor = event->data.mapping_start.anchor;
    tag = event->data.mapping_start.tag;
    break;
  default:
    break;
  }
  if (anchor)
    return refuse(l, &event->start_mark, "anchors (&name) are not supported: write the value out");
  if (tag)
    return refuse(l, &event->start_mark, "tags (!name) are not supported: write a plain value");
  return 0;
}

static char *scalar_text(const struct loader *l, const yaml_event_t *event) {
  const char *value = (const char *)event->data.scalar.value;
  if (strlen(value) != event->data.scalar.length) {
    refuse(l, &event->start_mark, "found a NUL character inside a value");
    return NULL;
  }
  char *copy = strdup(value);
  if (!copy)
    no_memory(l);
  return copy;
}

static struct conf_node *parse_node(struct loader *l, const yaml_event_t *event, int depth);

static int parse_list(struct loader *l, struct conf_node *list, int depth) {
  for (;;) {
    yaml_event_t event;
    if (next_event(l, &event) != 0)
      return -1;
    if (event.type == YAML_SEQUENCE_END_EVENT) {
      yaml_event_delete(&event);
      return 0;
    }
    struct conf_node *item = parse_node(l, &event, depth);
    yaml_event_delete(&event);
    if (!item)
      return -1;
    if (append(list, item) != 0) {
      node_destroy(item);
      return no_memory(l);
    }
  }
}

/* Parses the value of a key. Takes ownership of `key`, also on failure. */
static int parse_value(struct loader *l, struct conf_node *map, char *key, const yaml_mark_t *key_at, int depth) {
  yaml_event_t event;
  struct conf_node *value = NULL;
  if (next_event(l, &event) == 0) {
    value = parse_node(l, &event, depth);
    yaml_event_delete(&event);
  }
  if (!value) {
    free(key);
    return -1;
  }
  value->key = key;
  value->key_line = (unsigned)key_at->line + 1;
  value->key_column = (unsigned)key_at->column + 1;
  if (append(map, value) == 0)
    return 0;
  node_destroy(value);
  return no_memory(l);
}

/* Orders by key, and equal keys by their place in the file, so that the later one is reported. */
static int by_key(const void *a, const void *b) {
  const struct conf_node *x = *(struct conf_node *const *)a, *y = *(struct conf_node *const *)b;
  int order = strcmp(x->key, y->key);
  if (order == 0)
    order = (x->key_line > y->key_line) - (x->key_line < y->key_line);
  if (order == 0)
    order = (x->key_column > y->key_column) - (x->key_column < y->key_column);
  return order;
}

static int check_unique(const struct loader *l, const struct conf_node *map) {
  if (map->count < 2)
    return 0;
  const struct conf_node **sorted = malloc(map->count * sizeof *sorted);
  if (!sorted)
    return no_memory(l);
  memcpy(sorted, map->items, map->count * sizeof *sorted);
  qsort(sorted, map->count, sizeof *sorted, by_key);
  int status = 0;
  for (size_t i = 1; i < map->count && status == 0; i++) {
    const struct conf_node *first = sorted[i - 1], *again = sorted[i];
    if (strcmp(first->key, again->key) == 0)
      status = error_at(l->error, ERROR_INPUT, l->file, again->key_line, again->key_column, again->key,
                        "found this key twice in one mapping, first at line %u", first->key_line);
  }
  free(sorted);
  return status;
}

static int parse_map(struct loader *l, struct conf_node *map, int depth) {
  for (;;) {
    yaml_event_t event;
    if (next_event(l, &event) != 0)
      return -1;
    bool end = event.type == YAML_MAPPING_END_EVENT;
    char *key = NULL;
    yaml_mark_t key_at = event.start_mark;
    if (!end && check_plain(l, &event) == 0) {
      if (event.type != YAML_SCALAR_EVENT)
        refuse(l, &event.start_mark, "found a list or a mapping as a key, expected a word");
      else
        key = scalar_text(l, &event);
    }
    yaml_event_delete(&event);
    if (end)
      return check_unique(l, map);
    if (!key || parse_value(l, map, key, &key_at, depth) != 0)
      return -1;
  }
}

static int parse_content(struct loader *l, struct conf_node *node, const yaml_event_t *event, int depth) {
  switch (event->type) {
  case YAML_SCALAR_EVENT:
    node->kind = CONF_SCALAR;
    node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    node->text = scalar_text(l, event);
    return node->text ? 0 : -1;
  case YAML_SEQUENCE_START_EVENT:
    node->kind = CONF_LIST;
    return parse_list(l, node, depth + 1);
  default:
    assert(event->type == YAML_MAPPING_START_EVENT);
    node->kind = CONF_MAP;
    return parse_map(l, node, depth + 1);
  }
}

static struct conf_node *parse_node(struct loader *l, const yaml_event_t *event, int depth) {
  if (check_plain(l, event) != 0)
    return NULL;
  if (depth >= DEEPEST) {
    refuse(l, &event->start_mark, "nested too deeply: allowed are 64 levels");
    return NULL;
  }
  if (++l->nodes > MOST_NODES) {
    refuse(l, &event->start_mark, "too many values: allowed are 1000000");
    return NULL;
  }
  struct conf_node *node = calloc(1, sizeof *node);
  if (!node) {
    no_memory(l);
    return NULL;
  }
  node->file = l->file;
  node->line = (unsigned)event->start_mark.line + 1;
  node->column = (unsigned)event->start_mark.column + 1;
  if (parse_content(l, node, event, depth) == 0)
    return node;
  node_destroy(node);
  return NULL;
}

/* Parses the only document of the stream. */
static int parse_stream(struct loader *l, struct conf_doc *doc) {
  for (;;) {
    yaml_event_t event;
    if (next_event(l, &event) != 0)
      return -1;
    yaml_event_type_t type = event.type;
    int status = 0;
    if (type == YAML_DOCUMENT_START_EVENT && doc->root)
      status = refuse(l, &event.start_mark, "found a second document, expected one document a file");
    else if (type == YAML_STREAM_END_EVENT && !doc->root)
      status = refuse(l, &event.start_mark, "found an empty file, expected YAML");
    else if (type == YAML_SCALAR_EVENT || type == YAML_SEQUENCE_START_EVENT || type == YAML_MAPPING_START_EVENT ||
             type == YAML_ALIAS_EVENT)
      status = (doc->root = parse_node(l, &event, 0)) ? 0 : -1;
    yaml_event_delete(&event);
    if (status != 0 || type == YAML_STREAM_END_EVENT)
      return status;
  }
}

int conf_load_text(const char *name, const char *text, size_t length, struct conf_doc **out, struct error *error) {
  *out = NULL;
  if (length > MOST_BYTES)
    return error_at(error, ERROR_INPUT, name, 0, 0, NULL, "the file is too large: allowed are %d bytes", MOST_BYTES);
  if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) { /* the byte order mark of some editors */
    text += 3;
    length -= 3;
  }
  struct conf_doc *doc = calloc(1, sizeof *doc);
  if (!doc || !(doc->file = strdup(name))) {
    conf_destroy(doc);
    return error_no_memory(error);
  }
  struct loader loader = {.file = doc->file, .input = text, .length = length, .error = error};
  int status = yaml_parser_initialize(&loader.parser) ? 0 : no_memory(&loader);
  if (status == 0) {
    yaml_parser_set_encoding(&loader.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&loader.parser, (const unsigned char *)text, length);
    status = parse_stream(&loader, doc);
    yaml_parser_delete(&loader.parser);
  }
  if (status != 0) {
    conf_destroy(doc);
    return -1;
  }
  *out = doc;
  return 0;
}

int conf_load_file(const char *path, struct conf_doc **out, struct error *error) {
  char *text = NULL;
  size_t length = 0;
  *out = NULL;
  if (file_read(path, MOST_BYTES, &text, &length, error) != 0)
    return -1;
  int status = conf_load_text(path, text, length, out, error);
  free(text);
  return status;
}
