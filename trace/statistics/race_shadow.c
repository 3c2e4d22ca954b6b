/* Keeps elements in pages that are made when they are first used (trace/statistics/race_shadow.h). */
#include "trace/statistics/race_shadow.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { PAGE_ELEMENTS = 1024 };

static void empty_page(struct race_element *page) {
  static const struct race_access none = {.op = RACE_NO_OP};
  for (int i = 0; i < PAGE_ELEMENTS; i++)
    page[i] = (struct race_element){.write = {none, none}, .read = {none, none}, .atomic = {none, none}};
}

static bool room_for_page(struct race_shadow *shadow, size_t page) {
  const size_t before = shadow->capacity;
  if (!array_room(&shadow->pages, &shadow->capacity, page + 1, sizeof(struct race_element *)))
    return false;
  memset(shadow->pages + before, 0, (shadow->capacity - before) * sizeof(struct race_element *));
  return true;
}

static struct race_element *make_page(struct race_shadow *shadow, size_t page) {
  const size_t bytes = PAGE_ELEMENTS * sizeof(struct race_element);
  if (page >= shadow->capacity && !room_for_page(shadow, page))
    return NULL;
  shadow->pages[page] = malloc(bytes);
  if (!shadow->pages[page])
    return NULL;
  empty_page(shadow->pages[page]);
  shadow->bytes += bytes;
  return shadow->pages[page];
}

struct race_element *race_shadow_at(struct race_shadow *shadow, uint32_t element) {
  const size_t page = element / PAGE_ELEMENTS;
  struct race_element *elements = page < shadow->capacity ? shadow->pages[page] : NULL;
  if (!elements)
    elements = make_page(shadow, page);
  return elements ? &elements[element % PAGE_ELEMENTS] : NULL;
}

void race_shadow_forget(struct race_shadow *shadow) {
  for (size_t i = 0; i < shadow->capacity; i++)
    if (shadow->pages[i])
      empty_page(shadow->pages[i]);
}

void race_shadow_clear(struct race_shadow *shadow) {
  for (size_t i = 0; i < shadow->capacity; i++)
    free(shadow->pages[i]);
  free(shadow->pages);
  *shadow = (struct race_shadow){0};
}
