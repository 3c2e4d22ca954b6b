/* Executions of recorded frames (datasets/graphics) of which some bytes were changed: commands, state, objects and
 * shaders that no program would give. The reader refuses most; what it accepts must be executed without a crash, and
 * with limits of its memory and time.
 *
 * The input: a byte that chooses the frame, and whether traces are written; then changes of six bytes each: two bytes
 * the record, two bytes the word in its first 64 words, a byte that says how it changes, a byte for it. */
#include "fuzz_target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graphics/execute/frame_execute.h"
#include "graphics/execute/kept_shaders.h"

enum { CHANGE_BYTES = 6, MOST_CHANGES = 16, MOST_WORDS = 64, TRACES = 128, COMPARES = 64, CHOICES = 32 };

static const char *const names[] = {"array",     "blocks", "compare",  "computed", "cube",    "edges",
                                    "fetch",     "flat",   "indirect", "lines",    "points",  "samples",
                                    "scene",     "stages", "stores",   "volume",   "emitted", "chosen",
                                    "distances", "smooth", "second",   "levels",   "divided"};
enum { NAMES = sizeof names / sizeof names[0] };

/* A recorded frame as a file that is not compressed. */
struct plain_frame {
  uint8_t *file;
  size_t size;
};

/* NULL on a machine where the frame cannot be read. */
static const struct plain_frame *plain_frame(unsigned number) {
  static struct plain_frame frames[NAMES];
  struct plain_frame *f = &frames[number % CHOICES % NAMES];
  char path[4096];
  struct frame_capture *capture;
  if (f->file)
    return f;
  snprintf(path, sizeof path, FUZZ_FRAMES "/%s.rframe", names[number % CHOICES % NAMES]);
  if (frame_capture_load(path, &capture, NULL) != 0)
    return NULL;
  const struct frame_file_head head = {FRAME_MAGIC, FRAME_VERSION, 0};
  const struct frame_entry *last = &capture->records[capture->record_count - 1];
  const size_t bytes = (size_t)((const uint8_t *)last->payload + last->bytes - (const uint8_t *)capture->memory);
  f->size = sizeof head + bytes;
  f->file = malloc(f->size);
  if (!f->file)
    abort();
  memcpy(f->file, &head, sizeof head);
  memcpy(f->file + sizeof head, capture->memory, bytes);
  frame_capture_destroy(capture);
  return f;
}

static uint32_t word_at(const uint8_t *bytes) {
  uint32_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

static uint32_t changed(uint32_t word, uint8_t how, uint8_t by) {
  switch (how % 6) {
  case 0:
    return by;
  case 1:
    return word + by;
  case 2:
    return word - by;
  case 3:
    return word ^ 1u << by % 32;
  case 4:
    return UINT32_MAX >> by % 32;
  default:
    return word * (1u + by);
  }
}

/* Changes a word of a record. Heads stay as they are, so that the records behind are found. */
static void change(uint8_t *file, size_t size, const uint8_t *by) {
  const uint32_t record = by[0] | (uint32_t)by[1] << 8, word = by[2] | (uint32_t)by[3] << 8;
  size_t at = sizeof(struct frame_file_head);
  for (uint32_t i = 0; i < record && at + 8 < size; i++)
    at = at + 8 + word_at(file + at + 4) < size ? at + 8 + word_at(file + at + 4) : sizeof(struct frame_file_head);
  if (at + 8 > size)
    return;
  const size_t payload = word_at(file + at + 4), words = payload / 4 < MOST_WORDS ? payload / 4 : MOST_WORDS;
  if (words == 0 || at + 8 + 4 * words > size)
    return;
  uint8_t *place = file + at + 8 + word % words * 4;
  const uint32_t value = changed(word_at(place), by[4], by[5]);
  memcpy(place, &value, sizeof value);
}

static void execute(const struct frame_capture *capture, uint8_t choice) {
  static struct kept_shaders *kept;
  struct frame_execution x;
  if (!kept)
    kept = kept_shaders_create();
  const struct frame_execute_options options = {.kept = kept,
                                                .folder = "fuzz-frames",
                                                .traces = choice & TRACES,
                                                .each_draw = choice & COMPARES,
                                                .timeout_s = 2,
                                                .memory_bytes = (size_t)1 << 30,
                                                .max_instructions = 10000000,
                                                .most_quads = 1 << 14};
  if (frame_execute(capture, &options, &x, NULL) != 0)
    return;
  frame_execution_compare(&x);
  frame_execution_clear(&x);
}

void fuzz_execution(const uint8_t *data, size_t size) {
  const struct plain_frame *plain = size > 0 ? plain_frame(data[0]) : NULL;
  struct frame_capture *capture;
  uint8_t *file = plain ? malloc(plain->size) : NULL;
  if (!file)
    return;
  memcpy(file, plain->file, plain->size);
  for (size_t i = 0; i < MOST_CHANGES && 1 + (i + 1) * CHANGE_BYTES <= size; i++)
    change(file, plain->size, data + 1 + i * CHANGE_BYTES);
  if (frame_capture_read("fuzzed", file, plain->size, &capture, NULL) == 0) {
    execute(capture, data[0]);
    frame_capture_destroy(capture);
  }
  free(file);
}
