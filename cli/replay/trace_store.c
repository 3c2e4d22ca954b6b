#include "cli/replay/trace_store.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/core/temporary.h"
#include "tracegen/emulate.h"
#include "workload/workload.h"

#include "emulator_digest.h" /* of this build: EMULATOR_DIGEST */

/* ---- keys ---- */

static uint64_t hash_text(uint64_t hash, const char *text) {
  return text_hash(hash, text, strlen(text) + 1);
}

static uint64_t hash_file(uint64_t hash, const char *path) {
  char *data;
  size_t length;
  if (file_read(path, (size_t)64 << 20, &data, &length, NULL) != 0)
    return hash_text(hash, "?");
  hash = text_hash(hash, data, length);
  free(data);
  return hash;
}

static bool is_kernel_file(const char *name) {
  const char *dot = strrchr(name, '.');
  return dot && (strcmp(dot, ".cl") == 0 || strcmp(dot, ".h") == 0);
}

/* Adds up digests of the kernel files beside the source, in whatever order the folder has them. */
static uint64_t hash_folder_of(const char *source) {
  const char *slash = strrchr(source, '/');
  char *folder = slash ? strndup(source, (size_t)(slash - source)) : strdup(".");
  DIR *directory = folder ? opendir(folder) : NULL;
  uint64_t sum = 0;
  for (const struct dirent *entry; directory && (entry = readdir(directory));) {
    char *path = is_kernel_file(entry->d_name) ? text_format("%s/%s", folder, entry->d_name) : NULL;
    if (path)
      sum += hash_file(hash_text(TEXT_HASH_START, entry->d_name), path);
    free(path);
  }
  if (directory)
    closedir(directory);
  free(folder);
  return sum;
}

/* A digest of the folder, which is computed once for neighbours with the same source. */
struct folder_digest {
  char *source;
  uint64_t digest;
};

static uint64_t digest_of(struct folder_digest *known, const char *source) {
  if (!known->source || strcmp(known->source, source) != 0) {
    free(known->source);
    known->source = strdup(source);
    known->digest = hash_folder_of(source);
  }
  return known->digest;
}

/* "xgemm-0123456789abcdef": the workload's name without its values, and the digest. */
static char *make_key(const struct workload *workload, const char *groups, struct folder_digest *folder) {
  const size_t length = strcspn(workload->name, "+");
  char *file = strndup(workload->path, strcspn(workload->path, ":"));
  const uint64_t sources = digest_of(folder, workload->source);
  uint64_t hash = hash_text(TEXT_HASH_START, EMULATOR_DIGEST);
  hash = hash_text(hash_text(hash, workload->name), groups ? groups : "");
  hash = text_hash(hash_text(hash, workload->options ? workload->options : ""), &sources, sizeof sources);
  hash = text_hash(hash, &workload->seed, sizeof workload->seed);
  char *key = file ? text_format("%.*s-%016" PRIx64, (int)length, workload->name, hash_file(hash, file)) : NULL;
  free(file);
  return key;
}

static char *trace_path(const struct trace_store *store, const struct stored_workload *stored, size_t launch) {
  return stored->launch_count == 1 ? text_format("%s/%s.rtrace", store->folder, stored->key)
                                   : text_format("%s/%s.%zu.rtrace", store->folder, stored->key, launch);
}

static bool has_all(const struct trace_store *store, const struct stored_workload *stored) {
  bool all = true;
  for (size_t i = 0; i < stored->launch_count && all; i++) {
    char *path = trace_path(store, stored, i);
    all = path && access(path, R_OK) == 0;
    free(path);
  }
  return all;
}

/* ---- the list ---- */

static int expand_one(const struct trace_store *store, const struct board_launch *launch, char **path,
                      struct error *error) {
  char **paths;
  size_t count;
  if (workload_expand(launch->workload, &paths, &count, error) != 0)
    return board_blame(store->board, "workload", error);
  *path = count == 1 ? strdup(paths[0]) : NULL;
  data_list_free(paths, count);
  if (count != 1)
    return error_at(error, ERROR_INPUT, store->board->path, 0, 0, "workload",
                    "measurement %s: found the set %s, expected one workload (a member of the set)",
                    store->board->measurements[launch->measurement].name, launch->workload);
  return *path ? 0 : error_no_memory(error);
}

static int describe(const struct trace_store *store, struct stored_workload *stored, struct folder_digest *folder,
                    struct error *error) {
  struct workload *workload;
  if (expand_one(store, stored->named, &stored->path, error) != 0 || workload_load(stored->path, &workload, error) != 0)
    return -1;
  stored->launch_count = workload->launch_count;
  stored->name = strdup(workload->name);
  stored->key = make_key(workload, stored->named->groups, folder);
  workload_destroy(workload);
  if (!stored->name || !stored->key)
    return error_no_memory(error);
  stored->is_there = has_all(store, stored);
  return 0;
}

static int check_launch(const struct trace_store *store, const struct stored_workload *stored,
                        const struct board_launch *launch, struct error *error) {
  return launch->launch < stored->launch_count
             ? 0
             : error_at(error, ERROR_INPUT, store->board->path, 0, 0, "launch",
                        "measurement %s: found %u; the last launch of workload %s is %zu",
                        store->board->measurements[launch->measurement].name, launch->launch, launch->workload,
                        stored->launch_count - 1);
}

/* Launches of one workload stand side by side. */
static int list_workloads(struct trace_store *store, struct error *error) {
  const struct board_launches *launches = store->launches;
  struct folder_digest folder = {NULL, 0};
  int status = 0;
  for (size_t i = 0; i < launches->count && status == 0; i++) {
    const struct board_launch *launch = &launches->all[i];
    if (i == 0 || board_launches_order(&launches->all[i - 1], launch) != 0) {
      struct stored_workload *stored = &store->workloads[store->count++];
      stored->named = launch;
      status = describe(store, stored, &folder, error);
    }
    if (status == 0)
      status = check_launch(store, &store->workloads[store->count - 1], launch, error);
  }
  free(folder.source);
  return status;
}

int trace_store_open(struct trace_store *store, const struct board *board, const struct board_launches *launches,
                     struct error *error) {
  *store = (struct trace_store){.board = board, .launches = launches, .folder = data_cache("traces")};
  store->is_temporary = !store->folder;
  store->workloads = calloc(launches->count + 1, sizeof *store->workloads);
  if (!store->workloads)
    return error_no_memory(error);
  if ((store->is_temporary ? temporary_create(&store->folder, error) : file_make_directories(store->folder, error)) !=
      0)
    return -1;
  return list_workloads(store, error);
}

void trace_store_clear(struct trace_store *store) {
  for (size_t i = 0; i < store->count; i++) {
    free(store->workloads[i].path);
    free(store->workloads[i].name);
    free(store->workloads[i].key);
  }
  free(store->workloads);
  if (store->is_temporary && store->folder)
    temporary_remove(store->folder);
  else
    free(store->folder);
  *store = (struct trace_store){0};
}

/* ---- traces ---- */

int trace_store_emulate(const struct trace_store *store, const struct stored_workload *stored, bool more_follow,
                        const struct options *options, struct error *error) {
  struct workload *workload;
  struct emulate_result result = {0};
  const struct emulate_options emulation = {.trace_directory = store->folder,
                                            .trace_name = stored->key,
                                            .timeout_s = options->timeout_s,
                                            .memory_bytes = (size_t)options->memory_bytes,
                                            .max_instructions = (uint64_t)options->max_instructions,
                                            .check = true,
                                            .quiet = true,
                                            .more_follow = more_follow,
                                            .jobs = options->emulation_jobs};
  if (workload_load(stored->path, &workload, error) != 0)
    return -1;
  int status = stored->named->groups ? workload_choose_groups(workload, stored->named->groups, error) : 0;
  if (status == 0)
    status = emulate_workload(workload, &emulation, false, &result, error);
  emulate_result_clear(&result);
  workload_destroy(workload);
  return status;
}

int trace_store_add(const struct trace_store *store, struct replay *replay, bool load, const struct options *options,
                    struct error *error) {
  int (*const add)(struct replay *, const char *, const char *, const char *, const struct options *, struct error *) =
      load ? replay_add_trace : replay_add_file;
  size_t w = 0;
  for (size_t i = 0; i < store->launches->count; i++) {
    const struct board_launch *launch = &store->launches->all[i];
    w += i > 0 && board_launches_order(&store->launches->all[i - 1], launch) != 0;
    const struct stored_workload *stored = &store->workloads[w];
    char *path = trace_path(store, stored, launch->launch);
    const int status = path ? add(replay, path, stored->name, stored->path, options, error) : error_no_memory(error);
    free(path);
    if (status != 0)
      return -1;
  }
  return 0;
}
