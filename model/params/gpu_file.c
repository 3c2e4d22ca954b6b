/* Reads GPU files: inheritance by `base:`, names, parameters, and the source of each value. */
#include "model/params/gpu.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"

#define GPU_SCHEMA      "reassemble.gpu/1"
#define GPU_BASE_LEVELS 16 /* longest chain of `base:` files */

/* The chain of files from the one to load to the base that is being loaded, by which cycles are found. */
struct chain {
  const struct chain *below;
  const char *path;
};

static bool chain_has(const struct chain *chain, const char *path) {
  for (; chain; chain = chain->below)
    if (strcmp(chain->path, path) == 0)
      return true;
  return false;
}

static unsigned chain_length(const struct chain *chain) {
  unsigned n = 0;
  for (; chain; chain = chain->below)
    n++;
  return n;
}

static int out_of_memory(struct error *error) {
  return error_no_memory(error);
}

/* Finds a base: a file beside the one that names it, otherwise what data_find finds. */
static int find_base(const char *file, const char *base, char **path, struct error *error) {
  const char *slash = strrchr(file, '/');
  int folder = slash && base[0] != '/' ? (int)(slash - file + 1) : 0;
  static const char *const endings[] = {"", ".yaml"};
  for (int i = 0; i < 2 && folder; i++) {
    char *near = text_format("%.*s%s%s", folder, file, base, endings[i]);
    if (!near)
      return out_of_memory(error);
    if (access(near, R_OK) == 0) {
      *path = near;
      return 0;
    }
    free(near);
  }
  return data_find(DATA_GPU, base, path, error);
}

static int replace_text(char **text, const struct conf_node *node, struct error *error) {
  const char *value;
  if (!node)
    return 0;
  if (conf_string(node, &value, error))
    return -1;
  char *copy = strdup(value);
  if (!copy)
    return out_of_memory(error);
  free(*text);
  *text = copy;
  return 0;
}

static int load_file(const char *path, struct gpu *gpu, const struct chain *below, struct error *error);

static int load_base(const struct conf_node *root, const char *path, struct gpu *gpu, const struct chain *here,
                     struct error *error) {
  const struct conf_node *base = conf_get(root, "base");
  const char *name;
  if (!base)
    return 0;
  if (conf_string(base, &name, error))
    return -1;
  char *base_path = NULL;
  struct error cause = ERROR_INIT;
  if (find_base(path, name, &base_path, &cause))
    return cause.kind == ERROR_WORK ? error_set(error, ERROR_WORK, "%s", cause.text)
                                    : conf_error(base, error, "%s", cause.text);
  char *real = realpath(base_path, NULL);
  free(base_path);
  if (!real)
    return errno == ENOMEM ? out_of_memory(error) : conf_error(base, error, "'%s' cannot be read", name);
  int status;
  if (chain_has(here, real))
    status = conf_error(base, error, "'%s' leads back to this file: inheritance must not go in a circle", name);
  else if (chain_length(here) >= GPU_BASE_LEVELS)
    status = conf_error(base, error, "more than %d files inherit from each other", GPU_BASE_LEVELS);
  else
    status = load_file(real, gpu, here, error);
  free(real);
  return status;
}

static int load_root(const struct conf_node *root, const char *path, struct gpu *gpu, const struct chain *here,
                     struct error *error) {
  static const char *const keys[] = {"schema", "name", "about", "base", "isa", "parameters", NULL};
  if (conf_expect(root, CONF_MAP, error) || conf_check_schema(root, GPU_SCHEMA, "a GPU description", error) ||
      conf_check_keys(root, keys, error))
    return -1;
  if (load_base(root, path, gpu, here, error))
    return -1;
  const struct conf_node *name = conf_need(root, "name", error);
  if (!name || replace_text(&gpu->name, name, error) || replace_text(&gpu->about, conf_get(root, "about"), error) ||
      replace_text(&gpu->isa, conf_get(root, "isa"), error))
    return -1;
  const struct conf_node *parameters = conf_get(root, "parameters");
  if (parameters && (conf_expect(parameters, CONF_MAP, error) ||
                     params_load(&gpu_params, parameters, &gpu->spec, gpu->origins, error)))
    return -1;
  if (!gpu->isa)
    return conf_error(root, error, "no 'isa': name the ISA profile that prices operations, or a 'base' that has one");
  return 0;
}

static int load_file(const char *path, struct gpu *gpu, const struct chain *below, struct error *error) {
  const struct chain here = {below, path};
  struct conf_doc *doc;
  if (conf_load_file(path, &doc, error))
    return -1;
  int status = load_root(conf_root(doc), path, gpu, &here, error);
  conf_destroy(doc);
  return status;
}

static int load_found(const char *found, struct gpu *gpu, struct error *error) {
  char *real = realpath(found, NULL);
  if (!real)
    return error_at(error, error_kind_of(errno), found, 0, 0, NULL, "cannot be read: %s", strerror(errno));
  int status =
      params_defaults(&gpu_params, &gpu->spec, gpu->origins) ? load_file(real, gpu, NULL, error) : out_of_memory(error);
  free(real);
  struct error relation = ERROR_INIT;
  if (status == 0 && (gpu_spec_check(&gpu->spec, &relation) || gpu_device_check(&gpu->spec, &relation)))
    status = error_at(error, ERROR_INPUT, found, 0, 0, relation.key, "%s", relation.text);
  return status;
}

int gpu_load(const char *name_or_path, struct gpu **out, struct error *error) {
  *out = NULL;
  char *path;
  if (data_find(DATA_GPU, name_or_path, &path, error))
    return -1;
  struct gpu *gpu = calloc(1, sizeof *gpu);
  if (!gpu || !(gpu->origins = calloc(gpu_params.count, sizeof *gpu->origins)) || !(gpu->about = strdup(""))) {
    free(path);
    gpu_destroy(gpu);
    return out_of_memory(error);
  }
  gpu->path = path;
  if (load_found(path, gpu, error)) {
    gpu_destroy(gpu);
    return -1;
  }
  *out = gpu;
  return 0;
}

int gpu_copy(const struct gpu *gpu, struct gpu **out, struct error *error) {
  struct gpu *copy = calloc(1, sizeof *copy);
  if (!copy || !(copy->origins = calloc(gpu_params.count, sizeof *copy->origins)) ||
      !(copy->name = strdup(gpu->name)) || !(copy->about = strdup(gpu->about)) || !(copy->isa = strdup(gpu->isa)) ||
      !(copy->path = strdup(gpu->path))) {
    gpu_destroy(copy);
    return out_of_memory(error);
  }
  copy->spec = gpu->spec;
  if (!params_origins_copy(&gpu_params, copy->origins, gpu->origins)) {
    gpu_destroy(copy);
    return out_of_memory(error);
  }
  *out = copy;
  return 0;
}

void gpu_destroy(struct gpu *gpu) {
  if (!gpu)
    return;
  if (gpu->origins)
    params_origins_clear(&gpu_params, gpu->origins);
  free(gpu->origins);
  free(gpu->name);
  free(gpu->about);
  free(gpu->isa);
  free(gpu->path);
  free(gpu);
}
