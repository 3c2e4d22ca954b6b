#include "tracegen/run/group/printed.h"

#include <stdlib.h>

#include "base/array.h"

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
