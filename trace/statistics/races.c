/* Finds races: runs the work-items of each work-group, or of each sub-group, from barrier to barrier and compares
 * every access with the earlier ones of the same element (trace/statistics/races.h). */
#include "trace/statistics/races.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "trace/statistics/race_shadow.h"

struct memory {
  struct race_shadow shadow;
  uint32_t elem_bytes; /* 0: the kernel does not access this memory */
};

/* Where a work-item stands. */
enum stop { STOP_END, STOP_BARRIER, STOP_SUB_BARRIER };

struct trace_race_search {
  const struct trace *trace;
  struct memory global, local;
  struct trace_cursor *cursors; /* of the work-items of a work-group */
  enum stop *stops;             /* at which they are */
  uint32_t *addresses;          /* of a block's accesses */
  uint32_t **passed;            /* by path, computed when the path is first walked: see struct trace_cursor */
  size_t passed_capacity;
  uint32_t phase;        /* barriers that the work-group has passed */
  uint32_t sub_phase;    /* and those that the sub-group has passed since */
  uint32_t sub_group;    /* work-items of a sub-group; without sub-groups those of a work-group */
  bool *has_sub_barrier; /* by block */
  uint64_t blocks;       /* blocks walked so far */
  struct trace_race_limits limits;
  struct trace_races races;
};

static const struct trace_code *code_of(const struct trace_race_search *s) {
  return &s->trace->code;
}

static bool in_one_sub_group(const struct trace_race_search *s, const struct race_access *a,
                             const struct race_access *b) {
  return a->group == b->group && a->item / s->sub_group == b->item / s->sub_group;
}

static bool in_order(const struct trace_race_search *s, const struct race_access *a, const struct race_access *b) {
  return a->group == b->group &&
         (a->item == b->item || a->phase != b->phase || (a->sub_phase != b->sub_phase && in_one_sub_group(s, a, b)));
}

/* Returns the first of two earlier accesses with which `access` races if one of them is a write, or NULL if it races
 * with none. */
static const struct race_access *racing(const struct trace_race_search *s, const struct race_access earlier[2],
                                        const struct race_access *access) {
  for (int i = 0; i < 2; i++)
    if (earlier[i].op != RACE_NO_OP && !in_order(s, &earlier[i], access))
      return &earlier[i];
  return NULL;
}

static uint32_t buffer_at(const struct trace_race_search *s, uint32_t address) {
  const struct trace_header *header = &s->trace->header;
  for (uint32_t b = 0; b < header->buffer_count; b++)
    if (address - header->buffers[b].base < header->buffers[b].bytes)
      return b;
  return TRACE_NO_BUFFER;
}

static struct trace_race *same_race(struct trace_races *races, const struct trace_race *race) {
  for (size_t i = 0; i < races->count; i++) {
    struct trace_race *other = &races->list[i];
    if (other->buffer == race->buffer && ((other->op[0] == race->op[0] && other->op[1] == race->op[1]) ||
                                          (other->op[0] == race->op[1] && other->op[1] == race->op[0])))
      return other;
  }
  return NULL;
}

static bool count_race(struct trace_race_search *s, const struct memory *memory, uint32_t element,
                       const struct race_access *first, const struct race_access *second) {
  const uint32_t address = element * memory->elem_bytes;
  const uint32_t buffer = memory == &s->local ? TRACE_NO_BUFFER : buffer_at(s, address);
  const struct trace_race race = {{first->op, second->op},
                                  buffer,
                                  buffer == TRACE_NO_BUFFER ? address : address - s->trace->header.buffers[buffer].base,
                                  {first->group, second->group},
                                  {first->item, second->item},
                                  1,
                                  memory->elem_bytes};
  struct trace_race *known = same_race(&s->races, &race);
  if (known) {
    known->elements++;
    return true;
  }
  if (!array_room_for_one(&s->races.list, s->races.count, sizeof race))
    return false;
  s->races.list[s->races.count++] = race;
  return true;
}

/* Keeps two accesses of a kind so that a later access that races with any of the kind races with one of the two. An
 * access of another work-group races with every later one of this work-group, and one of another sub-group with every
 * later one in this phase: the second place is theirs. */
static void remember(const struct trace_race_search *s, struct race_access kept[2], const struct race_access *access) {
  const bool any = kept[0].op != RACE_NO_OP, second = kept[1].op != RACE_NO_OP;
  const bool same_group = any && kept[0].group == access->group;
  const bool another_group = second && kept[1].group != access->group;
  const bool another_sub_group = second && any && in_one_sub_group(s, &kept[0], access) &&
                                 kept[1].phase == access->phase && !in_one_sub_group(s, &kept[1], access);
  if (any && !in_order(s, &kept[0], access) && !(same_group && (another_group || another_sub_group)))
    kept[1] = kept[0];
  else if (same_group && kept[0].phase != access->phase && !another_group)
    kept[1].op = RACE_NO_OP;
  kept[0] = *access;
}

/* Returns the earlier access of the element with which this one races, or NULL if there is none. */
static const struct race_access *race_with(const struct trace_race_search *s, const struct race_element *element,
                                           const struct race_access *access, enum trace_op_class op_class) {
  const struct race_access *other = racing(s, element->write, access);
  if (!other && op_class != OP_LOAD)
    other = racing(s, element->read, access);
  if (!other && op_class != OP_ATOMIC)
    other = racing(s, element->atomic, access);
  return other;
}

static bool look_at_element(struct trace_race_search *s, const struct memory *memory, uint32_t number,
                            struct race_element *element, const struct race_access *access) {
  const enum trace_op_class op_class = code_of(s)->ops[access->op].op_class;
  const struct race_access *other = race_with(s, element, access, op_class);
  if (other) {
    element->found = true;
    return count_race(s, memory, number, other, access);
  }
  remember(s, op_class == OP_LOAD ? element->read : op_class == OP_ATOMIC ? element->atomic : element->write, access);
  return true;
}

static bool look_at(struct trace_race_search *s, struct memory *memory, uint32_t address,
                    const struct race_access *access) {
  const struct trace_op *op = &code_of(s)->ops[access->op];
  const uint32_t last = (uint32_t)(((uint64_t)address + op->bytes - 1) / memory->elem_bytes);
  for (uint32_t e = address / memory->elem_bytes; e <= last; e++) {
    struct race_element *element = race_shadow_at(&memory->shadow, e);
    if (!element)
      return false;
    if (!element->found && !look_at_element(s, memory, e, element, access))
      return false;
  }
  return true;
}

/* Returns the memory in which an operation can race, or NULL if there is none. */
static struct memory *memory_of(struct trace_race_search *s, const struct trace_op *op) {
  if (op->bytes == 0 || (s->limits.writes_alone && op->op_class == OP_LOAD))
    return NULL;
  return op->space == SPACE_GLOBAL ? &s->global : op->space == SPACE_LOCAL ? &s->local : NULL;
}

static bool look_at_block(struct trace_race_search *s, const struct trace_cursor *cursor, uint32_t block) {
  const struct trace_block *b = &code_of(s)->blocks[block];
  s->blocks++;
  for (uint32_t m = 0; m < b->mem_count; m++) {
    struct race_access access = {.op = code_of(s)->mem_ops[b->first_mem + m],
                                 .group = cursor->group->id,
                                 .phase = s->phase,
                                 .item = (uint16_t)cursor->item,
                                 .sub_phase = (uint16_t)s->sub_phase};
    struct memory *memory = memory_of(s, &code_of(s)->ops[access.op]);
    if (memory && !look_at(s, memory, s->addresses[m], &access))
      return false;
  }
  return true;
}

static bool spent(const struct trace_race_search *s) {
  return s->limits.most_blocks > 0 && s->blocks >= s->limits.most_blocks;
}

/* Runs a work-item up to its next barrier or its end. Returns false when memory ran out. */
static bool run_to_barrier(struct trace_race_search *s, struct trace_cursor *cursor, enum stop *stop) {
  uint32_t block;
  *stop = STOP_END;
  while (*stop == STOP_END && !spent(s) && trace_cursor_next(cursor, &block, s->addresses)) {
    if (!look_at_block(s, cursor, block))
      return false;
    *stop = code_of(s)->blocks[block].has_barrier ? STOP_BARRIER
            : s->has_sub_barrier[block]           ? STOP_SUB_BARRIER
                                                  : STOP_END;
  }
  return true;
}

/* Runs the work-items of [first, end), a sub-group, up to the next barrier of the work-group or their ends. */
static bool run_sub_group(struct trace_race_search *s, uint32_t first, uint32_t end, bool *arrived) {
  bool waits = true;
  for (s->sub_phase = 0; waits && !spent(s); s->sub_phase++) {
    waits = false;
    for (uint32_t i = first; i < end; i++) {
      if (s->sub_phase > 0 && s->stops[i] != STOP_SUB_BARRIER)
        continue;
      if (!run_to_barrier(s, &s->cursors[i], &s->stops[i]))
        return false;
      waits |= s->stops[i] == STOP_SUB_BARRIER;
      *arrived |= s->stops[i] == STOP_BARRIER;
    }
  }
  return true;
}

/* ---- loops in which nothing can race ---- */

static bool has_race(struct trace_race_search *s, uint32_t block) {
  const struct trace_block *b = &code_of(s)->blocks[block];
  bool found = b->has_barrier || s->has_sub_barrier[block];
  for (uint32_t m = 0; m < b->mem_count && !found; m++)
    found = memory_of(s, &code_of(s)->ops[code_of(s)->mem_ops[b->first_mem + m]]) != NULL;
  return found;
}

static uint32_t leaves_to_pass(struct trace_race_search *s, const struct trace_path *path, uint32_t loop) {
  uint32_t sites = 0;
  for (uint32_t i = loop + 1; i <= loop + path->steps[loop].body; i++) {
    if (path->steps[i].body > 0)
      continue;
    if (has_race(s, path->steps[i].block))
      return 0;
    sites += code_of(s)->blocks[path->steps[i].block].mem_count;
  }
  return sites + 1;
}

static uint32_t *make_passed(struct trace_race_search *s, const struct trace_path *path) {
  uint32_t *passed = calloc(path->step_count + 1, sizeof *passed);
  for (uint32_t i = 0; passed && i < path->step_count; i++)
    if (path->steps[i].body > 0)
      passed[i] = leaves_to_pass(s, path, i);
  return passed;
}

static const uint32_t *passed_of(struct trace_race_search *s, uint32_t path) {
  const size_t before = s->passed_capacity;
  if (path >= before) {
    if (!array_room(&s->passed, &s->passed_capacity, (size_t)path + 1, sizeof *s->passed))
      return NULL;
    memset(s->passed + before, 0, (s->passed_capacity - before) * sizeof *s->passed);
  }
  if (!s->passed[path])
    s->passed[path] = make_passed(s, s->trace->paths[path]);
  return s->passed[path];
}

/* ---- work-groups ---- */

static int out_of_memory(struct error *error) {
  return error_set(error, ERROR_WORK, "out of memory while looking for races");
}

static int check_memory(const struct trace_race_search *s, struct error *error) {
  const size_t bytes = s->global.shadow.bytes + s->local.shadow.bytes;
  if (bytes <= s->limits.memory_bytes)
    return 0;
  return error_set(error, ERROR_WORK, "looking for races takes more than the %zu MB of memory that are allowed",
                   s->limits.memory_bytes / 1000000);
}

static bool start_group(struct trace_race_search *s, const struct trace_group *group, uint32_t items) {
  const struct trace_shape *shape = s->trace->shapes[group->shape];
  for (uint32_t i = 0; i < items; i++) {
    trace_cursor_init(&s->cursors[i], s->trace, group, i);
    s->cursors[i].passed = passed_of(s, shape->cohorts[shape->cohort_of_item[i]].path);
    if (!s->cursors[i].passed)
      return false;
  }
  race_shadow_forget(&s->local.shadow);
  return true;
}

int trace_races_group(struct trace_race_search *s, const struct trace_group *group, struct error *error) {
  const uint32_t items = trace_local_size(&s->trace->header);
  bool running = true;
  if (!start_group(s, group, items))
    return out_of_memory(error);
  for (s->phase = 0; running && !spent(s); s->phase++) {
    running = false;
    for (uint32_t i = 0; i < items; i += s->sub_group)
      if (!run_sub_group(s, i, i + s->sub_group < items ? i + s->sub_group : items, &running))
        return out_of_memory(error);
    if (check_memory(s, error) != 0)
      return -1;
  }
  return spent(s);
}

static uint32_t element_bytes(const struct trace_code *code, enum trace_space space) {
  uint32_t smallest = 0;
  for (uint32_t m = 0; m < code->mem_count; m++) {
    const struct trace_op *op = &code->ops[code->mem_ops[m]];
    const uint32_t bytes = op->width > 0 ? op->bytes / op->width : op->bytes;
    if (op->space == space && bytes > 0 && (smallest == 0 || bytes < smallest))
      smallest = bytes;
  }
  return smallest;
}

static uint32_t most_accesses_of_a_block(const struct trace_code *code) {
  uint32_t most = 1;
  for (uint32_t b = 0; b < code->block_count; b++)
    if (code->blocks[b].mem_count > most)
      most = code->blocks[b].mem_count;
  return most;
}

/* Finds the blocks that end in a barrier of a sub-group. Returns false when memory ran out. */
static bool find_sub_barriers(struct trace_race_search *s) {
  const struct trace_code *code = code_of(s);
  s->has_sub_barrier = calloc(code->block_count + 1u, sizeof *s->has_sub_barrier);
  for (uint32_t b = 0; b < code->block_count && s->has_sub_barrier; b++)
    for (uint32_t i = 0; i < code->blocks[b].op_count; i++) {
      const uint32_t name = code->ops[code->blocks[b].first_op + i].name;
      s->has_sub_barrier[b] |= name < code->name_count && strcmp(code->names[name], TRACE_SUB_GROUP_BARRIER) == 0;
    }
  return s->has_sub_barrier;
}

struct trace_race_search *trace_races_begin(const struct trace *trace, const struct trace_race_limits *limits) {
  struct trace_race_search *s = calloc(1, sizeof *s);
  if (!s)
    return NULL;
  s->trace = trace;
  s->limits = *limits;
  s->global.elem_bytes = element_bytes(&trace->code, SPACE_GLOBAL);
  s->local.elem_bytes = element_bytes(&trace->code, SPACE_LOCAL);
  s->sub_group = trace->header.sub_group > 0 ? trace->header.sub_group : trace_local_size(&trace->header);
  s->cursors = calloc(trace_local_size(&trace->header), sizeof *s->cursors);
  s->stops = calloc(trace_local_size(&trace->header), sizeof *s->stops);
  s->addresses = calloc(most_accesses_of_a_block(&trace->code), sizeof *s->addresses);
  if (s->cursors && s->stops && s->addresses && find_sub_barriers(s))
    return s;
  trace_races_end(s, NULL);
  return NULL;
}

void trace_races_end(struct trace_race_search *s, struct trace_races *out) {
  if (out)
    *out = s->races;
  else
    trace_races_clear(&s->races);
  race_shadow_clear(&s->global.shadow);
  race_shadow_clear(&s->local.shadow);
  for (size_t i = 0; i < s->passed_capacity; i++)
    free(s->passed[i]);
  free(s->passed);
  free(s->has_sub_barrier);
  free(s->cursors);
  free(s->stops);
  free(s->addresses);
  free(s);
}

int trace_races_find(const struct trace *trace, size_t memory_bytes, struct trace_races *out, struct error *error) {
  const struct trace_race_limits limits = {.memory_bytes = memory_bytes};
  struct trace_race_search *search = trace_races_begin(trace, &limits);
  *out = (struct trace_races){0};
  if (!search)
    return out_of_memory(error);
  int status = 0;
  for (uint32_t g = 0; g < trace->group_count && status == 0; g++)
    status = trace_races_group(search, &trace->groups[g], error);
  trace_races_end(search, status == 0 ? out : NULL);
  return status;
}

void trace_races_clear(struct trace_races *races) {
  free(races->list);
  *races = (struct trace_races){0};
}
