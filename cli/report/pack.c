#include "cli/report/pack.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { FEWEST_ROWS = 2 };

/* Returns whether both objects have the same keys in the same order. */
static bool keys_equal(json_t *a, json_t *b) {
  void *left = json_object_iter(a), *right = json_object_iter(b);
  while (left && right && strcmp(json_object_iter_key(left), json_object_iter_key(right)) == 0) {
    left = json_object_iter_next(a, left);
    right = json_object_iter_next(b, right);
  }
  return !left && !right;
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

/* Returns whether the value of `key` is an object with the same keys in all rows. */
static bool is_nested(json_t *list, const char *key) {
  json_t *first = json_object_get(json_array_get(list, 0), key), *item;
  size_t i;
  json_array_foreach(list, i, item) {
    json_t *value = json_object_get(item, key);
    if (!json_is_object(value) || !keys_equal(first, value))
      return false;
  }
  return true;
}

static json_t *nested_keys(const char *key, json_t *object) {
  json_t *keys = json_array(), *value;
  const char *inner;
  json_array_append_new(keys, json_string(key));
  json_object_foreach(object, inner, value) {
    json_array_append_new(keys, json_string(inner));
  }
  return keys;
}

static json_t *pack_keys(json_t *list) {
  json_t *keys = json_array(), *value;
  const char *key;
  json_object_foreach(json_array_get(list, 0), key, value) {
    json_array_append_new(keys, is_nested(list, key) ? nested_keys(key, value) : json_string(key));
  }
  return keys;
}

/* Returns the values of an object, whose nested objects are given by `keys` (NULL: there are none). */
static json_t *pack_row(json_t *object, json_t *keys) {
  json_t *row = json_array(), *value;
  const char *key;
  size_t i = 0;
  json_object_foreach(object, key, value) {
    const json_t *inner_keys = json_array_get(keys, i++);
    const bool nested = json_is_array(inner_keys);
    if (json_array_append_new(row, nested ? pack_row(value, NULL) : pack(value)) != 0) {
      json_decref(row);
      return NULL;
    }
  }
  return row;
}

/* `keys` NULL: the items stay as they are; else they are rows. */
static json_t *pack_list(json_t *list, json_t *keys) {
  json_t *items = json_array(), *item;
  size_t i;
  json_array_foreach(list, i, item) {
    if (json_array_append_new(items, keys ? pack_row(item, keys) : pack(item)) != 0) {
      json_decref(items);
      return NULL;
    }
  }
  return items;
}

static json_t *pack_rows(json_t *list) {
  json_t *keys = pack_keys(list);
  return json_pack("{s:o, s:o}", "#keys", keys, "#rows", pack_list(list, keys));
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
  if (json_is_array(value))
    return is_regular(value) ? pack_rows(value) : pack_list(value, NULL);
  return json_is_object(value) ? pack_object(value) : json_incref(value);
}
