/* The files of shaders' sources. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "graphics/execute/stage/stage_launch.h"

uint64_t stage_text_digest(const struct shader_source *s) {
  return text_hash(TEXT_HASH_START, s->text, strlen(s->text));
}

/* Returns whether an earlier command has left the file with this text. */
static bool has_text(const char *path, const char *text) {
  const size_t length = strlen(text);
  char *found = NULL;
  size_t found_length = 0;
  const bool same = access(path, F_OK) == 0 && file_read(path, length, &found, &found_length, NULL) == 0 &&
                    found_length == length && memcmp(found, text, length) == 0;
  free(found);
  return same;
}

/* A shader's file is named after its text, so that draws share it. Frames that share workers share files, too. */
int stage_write_source(const struct execution *e, const struct shader_source *s, char **path, struct error *error) {
  const uint64_t digest = stage_text_digest(s);
  const char *kept = kept_shaders_source(e->kept, digest);
  struct file_replace file;
  *path = kept ? strdup(kept) : text_format("%s/shader-%016llx.cl", e->options->folder, (unsigned long long)digest);
  if (!*path)
    return error_no_memory(error);
  if (kept)
    return 0;
  if (has_text(*path, s->text))
    return kept_shaders_add_source(e->kept, digest, *path, error);
  if (file_make_directories(e->options->folder, error) || file_replace_begin(&file, *path, error))
    return -1;
  file.is_scratch = !e->options->traces; /* which refer to its lines */
  fputs(s->text, file.stream);
  return file_replace_commit(&file, error) || kept_shaders_add_source(e->kept, digest, *path, error) ? -1 : 0;
}
