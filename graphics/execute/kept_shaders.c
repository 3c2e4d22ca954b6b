#include "graphics/execute/kept_shaders.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "graphics/spirv/spirv_tools.h"
#include "trace/format/bytes.h"
#include "trace/write/share_code.h"
#include "tracegen/abi/kept_file.h"
#include "tracegen/process/worker_pool.h"

#define KIND         "shaders"            /* of what is kept on disk (tracegen/abi/kept_file.h) */
#define MOST_SHARING (UINT64_C(64) << 10) /* bytes of a trace that shares its code table */

struct kept_module {
  uint32_t *given, *words;
  size_t given_count, count;
};

struct kept_source {
  uint64_t digest;
  char *path, *trace; /* the first trace; NULL: none yet */
};

struct kept_shaders {
  struct worker_pool *pool;
  struct kept_module *modules;
  struct kept_source *sources;
  size_t module_count, source_count;
  struct kept_translations *translations;
  char *tools; /* spirv_tools_identity */
};

struct kept_shaders *kept_shaders_create(void) {
  struct kept_shaders *k = calloc(1, sizeof *k);
  if (!k)
    return NULL;
  k->tools = spirv_tools_identity();
  k->translations = kept_translations_create();
  if (k->translations)
    return k;
  kept_shaders_destroy(k);
  return NULL;
}

static void forget_sources(struct kept_shaders *k) {
  for (size_t i = 0; i < k->source_count; i++) {
    free(k->sources[i].path);
    free(k->sources[i].trace);
  }
  free(k->sources);
  k->sources = NULL;
  k->source_count = 0;
}

void kept_shaders_destroy(struct kept_shaders *k) {
  if (!k)
    return;
  for (size_t i = 0; i < k->module_count; i++) {
    free(k->modules[i].given);
    free(k->modules[i].words);
  }
  free(k->modules);
  forget_sources(k);
  kept_translations_destroy(k->translations);
  worker_pool_destroy(k->pool);
  free(k->tools);
  free(k);
}

bool kept_shaders_begin_frame(struct kept_shaders *k, bool traces) {
  if (traces) {
    worker_pool_destroy(k->pool);
    k->pool = NULL;
    forget_sources(k);
  }
  if (!k->pool)
    k->pool = worker_pool_create();
  return k->pool != NULL;
}

struct worker_pool *kept_shaders_pool(struct kept_shaders *k) {
  return k->pool;
}

/* Takes what an earlier run has made of the module of the key. Returns whether there is such. */
static bool find_prepared(struct kept_module *m, const struct bytes *key) {
  struct kept_data found;
  if (!key->data || key->failed || !kept_file_find(KIND, key->data, key->length, &found))
    return false;
  m->count = found.length / sizeof *m->words;
  m->words = found.length > 0 && found.length % sizeof *m->words == 0 ? malloc(found.length) : NULL;
  if (m->words)
    memcpy(m->words, found.data, found.length);
  free(found.memory);
  return m->words;
}

/* Prepares a module, or takes what is kept: of what no tool is there for, nothing is. */
static int prepare(const struct kept_shaders *k, struct kept_module *m, struct error *error) {
  struct bytes key = {0};
  if (k->tools) {
    bytes_text(&key, k->tools);
    bytes_append(&key, m->given, m->given_count * sizeof *m->given);
  }
  const bool found = find_prepared(m, &key);
  const int status = found ? 0 : spirv_tools_prepare(m->given, m->given_count, &m->words, &m->count, error);
  if (!status && !found && key.data && !key.failed)
    kept_file_put(KIND, key.data, key.length, m->words, m->count * sizeof *m->words);
  bytes_clear(&key);
  return status;
}

/* Adds a module. The words that were given are copied: they belong to a frame. */
static int add_module(struct kept_shaders *k, const uint32_t *words, size_t count, struct error *error) {
  struct kept_module *m;
  if (!array_room_for_one(&k->modules, k->module_count, sizeof *k->modules))
    return error_no_memory(error);
  m = &k->modules[k->module_count];
  *m = (struct kept_module){.given = malloc((count + 1) * sizeof *words), .given_count = count};
  if (!m->given)
    return error_no_memory(error);
  memcpy(m->given, words, count * sizeof *words);
  if (prepare(k, m, error)) {
    free(m->given);
    return -1;
  }
  k->module_count++;
  return 0;
}

int kept_shaders_prepare(struct kept_shaders *k, const uint32_t *words, size_t count, const uint32_t **out,
                         size_t *out_count, struct error *error) {
  size_t i = 0;
  while (i < k->module_count &&
         (k->modules[i].given_count != count || memcmp(k->modules[i].given, words, count * sizeof *words) != 0))
    i++;
  if (i == k->module_count && add_module(k, words, count, error))
    return -1;
  *out = k->modules[i].words;
  *out_count = k->modules[i].count;
  return 0;
}

int kept_shaders_translate(struct kept_shaders *k, const struct shader_request *request, struct shader_source *out,
                           struct error *error) {
  return kept_translations_give(k->translations, request, out, error);
}

static struct kept_source *find_source(const struct kept_shaders *k, uint64_t digest) {
  for (size_t i = 0; i < k->source_count; i++)
    if (k->sources[i].digest == digest)
      return &k->sources[i];
  return NULL;
}

const char *kept_shaders_source(const struct kept_shaders *k, uint64_t digest) {
  const struct kept_source *s = find_source(k, digest);
  return s ? s->path : NULL;
}

int kept_shaders_share_code(struct kept_shaders *k, uint64_t digest, const char *folder, const char *name,
                            uint64_t *bytes, struct error *error) {
  struct kept_source *s = find_source(k, digest);
  char *path = text_format("%s/%s.rtrace", folder, name);
  int status = s && path ? 0 : error_no_memory(error);
  if (!status && !s->trace) { /* the first one */
    s->trace = path;
    return 0;
  }
  if (!status && *bytes <= MOST_SHARING)
    status = trace_share_code(path, s->trace, bytes, error);
  free(path);
  return status;
}

int kept_shaders_add_source(struct kept_shaders *k, uint64_t digest, const char *path, struct error *error) {
  char *copy = strdup(path);
  if (!copy || !array_room_for_one(&k->sources, k->source_count, sizeof *k->sources)) {
    free(copy);
    return error_no_memory(error);
  }
  k->sources[k->source_count++] = (struct kept_source){digest, copy, NULL};
  return 0;
}
