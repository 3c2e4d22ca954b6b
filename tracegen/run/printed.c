#include "tracegen/run/printed.h"

#include <stdlib.h>

#include "base/array.h"
#include "tracegen/run/generated_numbers.h"
#include "tracegen/run/group_run.h"

bool printed_add(struct printed *p, uint32_t item, size_t start) {
  const size_t length = p->text.length - start;
  p->total += length;
  if (p->count > 0 && p->pieces[p->count - 1].item == item) {
    p->pieces[p->count - 1].length += length;
    return true;
  }
  if (!array_room(&p->pieces, &p->capacity, p->count + 1, sizeof *p->pieces))
    return false;
  p->pieces[p->count++] = (struct printed_piece){item, start, length};
  return true;
}

static int by_item(const void *left, const void *right) {
  const struct printed_piece *a = left, *b = right;
  if (a->item != b->item)
    return a->item < b->item ? -1 : 1;
  return a->start < b->start ? -1 : a->start > b->start;
}

void printed_flush(struct printed *p, void (*print)(const char *text, size_t length)) {
  if (p->count > 1)
    qsort(p->pieces, p->count, sizeof *p->pieces, by_item);
  for (size_t i = 0, next; i < p->count; i = next) {
    size_t end = p->pieces[i].start + p->pieces[i].length;
    for (next = i + 1; next < p->count && p->pieces[next].start == end; next++)
      end += p->pieces[next].length;
    print((const char *)p->text.data + p->pieces[i].start, end - p->pieces[i].start);
  }
  p->count = 0;
  p->text.length = 0;
}

void printed_clear(struct printed *p) {
  free(p->pieces);
  bytes_clear(&p->text);
  *p = (struct printed){0};
}

/* A literal lies among the constants in the arena. */
static const char *find_string(void *user, uint64_t address, size_t *room) {
  const struct arena *arena = user;
  const uint64_t offset = address - (uintptr_t)arena->base;
  const struct arena_region *region = arena_region_at(arena, offset);
  *room = region ? region->offset + region->bytes - offset : 0;
  return region ? arena->base + offset : NULL;
}

void emulation_print(struct item_context *item, uint64_t index, uint64_t memory) {
  struct group_run *run = item->run;
  struct printed *p = &run->printed;
  const struct kernel_print *print =
      &run->program->prints[generated_index(item, index, run->program->print_count, "calls of printf")];
  const struct print_strings strings = {find_string, (void *)(uintptr_t)run->request->arena};
  const size_t start = p->text.length;
  if (!run->request->print)
    return;
  print_format_append(&print->format, print->values, (const char *)(uintptr_t)memory, &strings, &p->text);
  if (p->text.failed || !printed_add(p, item->local_id, start))
    group_run_mistake(item, print->line, "no memory for what it prints");
  if (p->total > PRINTED_BYTES)
    group_run_mistake(item, print->line, "the launch has printed more than 16 MiB and is stopped; print less");
}
