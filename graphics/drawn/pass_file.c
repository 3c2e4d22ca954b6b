#include "graphics/drawn/pass_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/input/json.h"

#define SCHEMA     "reassemble.passes/1"
#define MOST_SIDE  16384
#define MOST_BYTES 1024 /* of a pixel: 16 bytes in 64 samples */
#define MOST_DRAWS 65536

/* Writing. */

static json_t *describe_pass(const struct pass *p) {
  json_t *targets = json_array();
  for (uint32_t i = 0; i < p->target_count; i++)
    json_array_append_new(targets, json_pack("{s:i, s:i, s:b, s:b}", "image", (int)p->targets[i].image, "pixel_bytes",
                                             (int)p->targets[i].pixel_bytes, "loads", p->targets[i].loads, "stores",
                                             p->targets[i].stores));
  return json_pack("{s:i, s:i, s:b, s:o}", "width", (int)p->width, "height", (int)p->height, "has_depth", p->has_depth,
                   "targets", targets);
}

static json_t *describe_draw(const struct pass_draw *d) {
  return json_pack("{s:i, s:i, s:i, s:i, s:i}", "number", (int)d->number, "pass", (int)d->pass, "reads", (int)d->reads,
                   "writes", (int)d->writes, "varying_words", (int)d->varying_words);
}

int pass_file_write(const char *path, const struct pass_file *file, struct error *error) {
  json_t *passes = json_array(), *draws = json_array();
  for (size_t i = 0; i < file->pass_count; i++)
    json_array_append_new(passes, describe_pass(&file->passes[i]));
  for (size_t i = 0; i < file->draw_count; i++)
    json_array_append_new(draws, describe_draw(&file->draws[i]));
  json_t *document = json_pack("{s:s, s:o, s:o}", "schema", SCHEMA, "passes", passes, "draws", draws);
  if (file->mediump_half)
    json_object_set_new(document, "mediump", json_string("half"));
  const int status = json_save_document(document, path, 0, error);
  json_decref(document);
  return status;
}

/* Reading. */

struct member {
  const char *key;
  int64_t most;
  uint32_t *to;
};

static int read_numbers(const json_t *object, const struct member *members, size_t count, const char *path,
                        struct error *error) {
  for (size_t i = 0; i < count; i++) {
    int64_t value;
    if (json_need_int(object, members[i].key, 0, members[i].most, &value, path, error))
      return -1;
    *members[i].to = (uint32_t)value;
  }
  return 0;
}

static int read_target(const json_t *object, struct pass_target *t, const char *path, struct error *error) {
  const struct member members[] = {{"image", INT32_MAX, &t->image}, {"pixel_bytes", MOST_BYTES, &t->pixel_bytes}};
  return read_numbers(object, members, 2, path, error) || json_need_bool(object, "loads", &t->loads, path, error) ||
                 json_need_bool(object, "stores", &t->stores, path, error)
             ? -1
             : 0;
}

static int read_pass(const json_t *object, struct pass *p, const char *path, struct error *error) {
  const struct member members[] = {{"width", MOST_SIDE, &p->width}, {"height", MOST_SIDE, &p->height}};
  json_t *targets;
  if (read_numbers(object, members, 2, path, error) ||
      json_need_bool(object, "has_depth", &p->has_depth, path, error) ||
      json_need_array(object, "targets", &targets, path, error))
    return -1;
  p->target_count = (uint32_t)json_array_size(targets);
  if (json_array_size(targets) > PASS_MOST_TARGETS || (p->has_depth && p->target_count == 0))
    return error_at(error, ERROR_INPUT, path, 0, 0, "targets", "found %zu of them, expected %s and at most %d",
                    json_array_size(targets), p->has_depth ? "one, depth," : "none", PASS_MOST_TARGETS);
  for (uint32_t i = 0; i < p->target_count; i++)
    if (read_target(json_array_get(targets, i), &p->targets[i], path, error))
      return -1;
  return 0;
}

static int read_passes(const json_t *list, struct pass_file *out, const char *path, struct error *error) {
  for (size_t i = 0; i < json_array_size(list); i++)
    if (read_pass(json_array_get(list, i), &out->passes[out->pass_count++], path, error))
      return -1;
  return 0;
}

static int read_draws(const json_t *list, struct pass_file *out, const char *path, struct error *error) {
  for (size_t i = 0; i < json_array_size(list); i++) {
    struct pass_draw *d = &out->draws[out->draw_count++];
    const struct member members[] = {{"number", MOST_DRAWS - 1, &d->number},
                                     {"pass", (int64_t)out->pass_count - 1, &d->pass},
                                     {"reads", (1 << PASS_MOST_TARGETS) - 1, &d->reads},
                                     {"writes", (1 << PASS_MOST_TARGETS) - 1, &d->writes},
                                     {"varying_words", 4096, &d->varying_words}};
    if (read_numbers(json_array_get(list, i), members, sizeof members / sizeof *members, path, error))
      return -1;
  }
  return 0;
}

static int read_document(const json_t *root, struct pass_file *out, const char *path, struct error *error) {
  json_t *passes, *draws;
  if (json_check_schema(root, SCHEMA, path, error) || json_need_array(root, "passes", &passes, path, error) ||
      json_need_array(root, "draws", &draws, path, error))
    return -1;
  const char *mediump = json_string_value(json_object_get(root, "mediump"));
  if (json_object_get(root, "mediump") && (!mediump || strcmp(mediump, "half") != 0))
    return error_at(error, ERROR_INPUT, path, 0, 0, "mediump", "found \"%.20s\", expected \"half\" or no such member",
                    mediump ? mediump : "another type");
  out->mediump_half = mediump != NULL;
  if (json_array_size(passes) > MOST_DRAWS || json_array_size(draws) > MOST_DRAWS)
    return error_at(error, ERROR_INPUT, path, 0, 0, NULL, "more than %d passes or draws", MOST_DRAWS);
  out->passes = calloc(json_array_size(passes) + 1, sizeof *out->passes);
  out->draws = calloc(json_array_size(draws) + 1, sizeof *out->draws);
  if (!out->passes || !out->draws)
    return error_no_memory(error);
  return read_passes(passes, out, path, error) || read_draws(draws, out, path, error) ? -1 : 0;
}

int pass_file_load(const char *path, struct pass_file *out, struct error *error) {
  json_t *root;
  *out = (struct pass_file){0};
  if (json_load_document(path, &root, error))
    return -1;
  const int status = read_document(root, out, path, error);
  json_decref(root);
  if (status)
    pass_file_clear(out);
  return status;
}

void pass_file_clear(struct pass_file *file) {
  free(file->passes);
  free(file->draws);
  *file = (struct pass_file){0};
}
