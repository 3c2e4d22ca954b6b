#include "tracegen/bifrost/front/keep_recordings.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"
#include "base/text.h"

#define MOST_LISTING_BYTES ((size_t)256 << 20)

int recordings_open(struct recordings *r, const char *folder, const char *name, struct error *error) {
  *r = (struct recordings){.folder = folder, .name = name};
  r->listing = text_format("%s/%s.tmp-%d", folder, name, (int)getpid());
  return r->listing ? 0 : error_no_memory(error);
}

static void clear_memory(struct bifrost_memory *memory) {
  for (size_t i = 0; i < memory->count; i++)
    free(memory->regions[i].data);
  free(memory->regions);
}

static int copy_memory(const struct bifrost_memory *from, struct bifrost_memory *to, struct error *error) {
  to->regions = calloc(from->count + 1, sizeof *to->regions);
  for (size_t i = 0; to->regions && i < from->count; i++) {
    to->regions[i] = from->regions[i];
    to->regions[i].data = malloc((size_t)from->regions[i].bytes);
    if (!to->regions[i].data)
      return error_set(error, ERROR_WORK, "out of memory for a recording");
    memcpy(to->regions[i].data, from->regions[i].data, (size_t)from->regions[i].bytes);
    to->count++;
  }
  return to->regions ? 0 : error_set(error, ERROR_WORK, "out of memory for a recording");
}

int recordings_begin(struct recordings *r, uint32_t product, const struct bifrost_submission *submission,
                     struct error *error) {
  struct bifrost_recording *recording;
  if (!array_room_for_one(&r->list, r->count, sizeof *r->list))
    return error_set(error, ERROR_WORK, "out of memory for a recording");
  recording = &r->list[r->count++];
  *recording = (struct bifrost_recording){
      .product = product, .job_chain = submission->job_chain, .launches = strdup(submission->launches)};
  return recording->launches ? copy_memory(&submission->memory, &recording->before, error)
                             : error_set(error, ERROR_WORK, "out of memory for a recording");
}

/* Drops the regions of `after` that the jobs have not changed. */
static void keep_changed(struct bifrost_recording *recording) {
  size_t kept = 0;
  for (size_t i = 0; i < recording->after.count; i++) {
    struct bifrost_region *after = &recording->after.regions[i];
    if (memcmp(after->data, recording->before.regions[i].data, (size_t)after->bytes) == 0)
      free(after->data);
    else
      recording->after.regions[kept++] = *after;
  }
  recording->after.count = kept;
}

int recordings_end(struct recordings *r, const struct bifrost_submission *submission, struct error *error) {
  struct bifrost_recording *recording = &r->list[r->count - 1];
  const int status = copy_memory(&submission->memory, &recording->after, error);
  if (status == 0)
    keep_changed(recording);
  return status;
}

static bool is_listing(const char *line) {
  static const char *const starts[] = {"clause_", "ds(", "{", "}", " ", "\t"};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    if (strncmp(line, starts[i], strlen(starts[i])) == 0)
      return true;
  return !*line;
}

/* Keeps the listings of machine code: a shader begins with "clause_0:". Other lines show stages before it. */
static char *keep_listings(char *text) {
  char *kept = NULL, *rest = text, *line;
  size_t length;
  bool inside = false;
  FILE *out = text_stream_begin(&kept, &length);
  while (out && (line = strsep(&rest, "\n"))) {
    if (strncmp(line, "clause_0:", 9) == 0)
      fputs("shader\n", out);
    inside = strncmp(line, "clause_", 7) == 0 || (inside && is_listing(line));
    if (inside)
      fprintf(out, "%s\n", line);
  }
  return out && text_stream_end(out, &kept) ? kept : NULL;
}

static char *read_listing(const struct recordings *r, struct error *error) {
  char *text, *kept;
  size_t length;
  if (file_read(r->listing, MOST_LISTING_BYTES, &text, &length, error) != 0)
    return NULL;
  kept = keep_listings(text);
  free(text);
  if (!kept)
    error_set(error, ERROR_WORK, "out of memory for a recording");
  return kept;
}

int recordings_write(struct recordings *r, struct error *error) {
  char *listing = read_listing(r, error);
  int status = listing ? 0 : -1;
  for (size_t i = 0; i < r->count && status == 0; i++) {
    char *path = text_format("%s/%s.%zu.rbifrost", r->folder, r->name, i);
    r->list[i].disassembly = listing;
    status = path ? bifrost_recording_write(path, &r->list[i], error) : error_no_memory(error);
    r->list[i].disassembly = NULL;
    free(path);
  }
  free(listing);
  return status;
}

void recordings_close(struct recordings *r) {
  for (size_t i = 0; i < r->count; i++) {
    clear_memory(&r->list[i].before);
    clear_memory(&r->list[i].after);
    free(r->list[i].launches);
  }
  if (r->listing)
    unlink(r->listing);
  free(r->listing);
  free(r->list);
}
