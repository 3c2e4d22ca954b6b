/* Executes printf while a kernel runs: generated code calls emulation_print. */
#include "tracegen/run/diagnose/generated_numbers.h"
#include "tracegen/run/diagnose/mistakes.h"

struct string_search {
  const struct arena *arena;
  bool fails; /* some address was none of a constant */
};

/* Finds a string literal, which lies among the constants in the arena. *room: the bytes up to the constant's end. */
static const char *find_string(void *user, uint64_t address, size_t *room) {
  struct string_search *search = user;
  const struct arena *arena = search->arena;
  const uint64_t offset = address - (uintptr_t)arena->base;
  const struct arena_region *region = arena_region_at(arena, offset);
  *room = region ? region->offset + region->bytes - offset : 0;
  search->fails |= !region;
  return region ? arena->base + offset : NULL;
}

void emulation_print(struct item_context *item, uint64_t index, uint64_t memory) {
  struct group_run *run = item->run;
  struct printed *p = &run->printed;
  const struct kernel_print *print =
      &run->program->prints[generated_index(item, index, run->program->print_count, "calls of printf")];
  struct string_search search = {.arena = run->request->arena};
  const struct print_strings strings = {find_string, &search};
  const size_t start = p->text.length;
  if (!run->request->print)
    return;
  print_format_append(&print->format, print->values, (const char *)(uintptr_t)memory, &strings, &p->text);
  if (search.fails)
    group_run_mistake(item, print->line, "printf: conversion \"%s\" of an address at which there is no string");
  if (p->text.failed || !printed_add(p, item->local_id, start))
    group_run_mistake(item, print->line, "no memory for what it prints");
  if (p->total > PRINTED_BYTES)
    group_run_mistake(item, print->line, "the launch has printed more than 16 MiB and is stopped; print less");
}
