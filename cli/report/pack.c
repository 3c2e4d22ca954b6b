#include "cli/report/pack.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { FEWEST_ROWS = 3 };

/* Returns whether both objects have the same keys in the same order. */
static bool keys_equal(json_t *a, json_t *b) {
  void *left = json_object_iter(a), *right = json_object_iter(b);
  while (left != NULL && right != NULL && strcmp(json_object_iter_key(left), json_object_iter_key(right)) == 0) {
    left = json_object_iter_next(a, left);
    right = json_object_iter_next(b, right);
  }
  return left == NULL && right == NULL;
}

static bool is_regular(json_t *list) {
  json_t *first = json_array_get(list, 0), *item;
  size_t i;
  if (json_array_size(list) < FEWEST_ROWS || !json_is_object(first) || json_object_size(first) == 0)
    return false;
  json_array_foreach(list, i, item) {
    if (!json_is_object(item) || !keys_equal(first, item))
      return false;
  }
  return true;
}

static json_t *pack_row(json_t *object) {
  json_t *row = json_array(), *value;
  const char *key;
  json_object_foreach(object, key, value) {
    if (json_array_append_new(row, pack(value)) != 0) {
      json_decref(row);
      return NULL;
    }
  }
  return row;
}

static json_t *pack_keys(json_t *object) {
  json_t *keys = json_array(), *value;
  const char *key;
  json_object_foreach(object, key, value) {
    json_array_append_new(keys, json_string(key));
  }
  return keys;
}

static json_t *pack_list(json_t *list, json_t *(*pack_item)(json_t *)) {
  json_t *items = json_array(), *item;
  size_t i;
  json_array_foreach(list, i, item) {
    if (json_array_append_new(items, pack_item(item)) != 0) {
      json_decref(items);
      return NULL;
    }
  }
  return items;
}

static json_t *pack_object(json_t *object) {
  json_t *packed = json_object(), *value;
  const char *key;
  json_object_foreach(object, key, value) {
    if (json_object_set_new(packed, key, pack(value)) != 0) {
      json_decref(packed);
      return NULL;
    }
  }
  return packed;
}

json_t *pack(json_t *value) {
  if (json_is_array(value) && is_regular(value))
    return json_pack("{s:o, s:o}", "#keys", pack_keys(json_array_get(value, 0)), "#rows", pack_list(value, pack_row));
  if (json_is_array(value))
    return pack_list(value, pack);
  return json_is_object(value) ? pack_object(value) : json_incref(value);
}
