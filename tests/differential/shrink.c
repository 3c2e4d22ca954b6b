/* Smaller programs that still fail: statements go, blocks take the place of their ifs, expressions become one of their
 * parts or a constant, work-groups shrink. Largest pieces first; again until nothing more goes. */
#include "program.h"

struct shrinker {
  struct program *program;
  struct kernel *kernel;
  still_fails *test;
  void *user;
  uint32_t attempts, limit;
};

static bool try_it(struct shrinker *s) {
  return s->attempts < s->limit && (s->attempts++, s->test(s->user));
}

/* Statements of a block: all at once, halves, single ones. */
static bool delete_statements(struct shrinker *s, struct node *block) {
  bool any = false;
  uint32_t count = 0;
  for (struct node *c = block->first; c; c = c->next)
    count++;
  for (uint32_t length = count; length > 0; length /= 2)
    for (struct node **at = &block->first; *at;) {
      struct node *removed = *at, *behind = removed;
      for (uint32_t i = 0; i < length && behind; i++)
        behind = behind->next;
      *at = behind;
      if (try_it(s)) {
        any = true;
        continue;
      }
      *at = removed;
      for (uint32_t i = 0; i < length && *at; i++)
        at = &(*at)->next;
    }
  return any;
}

/* `n` becomes `with`, in the same place. */
static bool replace(struct shrinker *s, struct node *n, const struct node *with) {
  const struct node saved = *n;
  *n = *with;
  n->next = saved.next;
  if (try_it(s))
    return true;
  *n = saved;
  return false;
}

static bool replace_by_constant(struct shrinker *s, struct node *n) {
  if (n->kind == EXPR_CONST && n->bits <= 1 && (n->real == 0 || n->real == 1))
    return false;
  const struct node zero = {.kind = EXPR_CONST, .type = n->type},
                    one = {.kind = EXPR_CONST, .type = n->type, .bits = 1, .real = 1};
  return replace(s, n, &zero) || replace(s, n, &one);
}

static bool shrink_expression(struct shrinker *s, struct node *n) {
  if (replace_by_constant(s, n))
    return true;
  for (struct node *c = n->first; c; c = c->next)
    if (same_type(c->type, n->type) && replace(s, n, c))
      return true;
  return false;
}

static bool shrink_if(struct shrinker *s, struct node *n) {
  return replace(s, n, child(n, 1)) || replace(s, n, child(n, 2));
}

static bool shrink_node(struct shrinker *s, struct node *n) {
  bool any = false;
  if (n->kind == STMT_BLOCK)
    any |= delete_statements(s, n);
  else if (n->kind == STMT_IF)
    any |= shrink_if(s, n);
  else if (n->kind < FIRST_STATEMENT)
    any |= shrink_expression(s, n);
  for (struct node *c = n->first; c && s->attempts < s->limit; c = c->next)
    any |= shrink_node(s, c);
  return any;
}

static bool shrink_size(struct shrinker *s, uint32_t *size, uint32_t to) {
  const uint32_t saved = *size;
  if (saved <= to)
    return false;
  *size = to;
  if (try_it(s))
    return true;
  *size = saved;
  return false;
}

static bool shrink_shape(struct shrinker *s) {
  bool any = false;
  for (int d = 0; d < 3; d++) {
    any |= shrink_size(s, &s->kernel->groups[d], 1);
    any |= shrink_size(s, &s->kernel->local[d], 1);
    any |= shrink_size(s, &s->kernel->offset[d], 0);
  }
  return any;
}

uint32_t program_shrink(struct program *p, struct kernel *k, still_fails *test, void *user, uint32_t attempts) {
  struct shrinker s = {.program = p, .kernel = k, .test = test, .user = user, .limit = attempts};
  bool again = true;
  while (again && s.attempts < s.limit) {
    again = shrink_node(&s, k->main.body);
    for (uint32_t h = 0; h < k->helper_count; h++) {
      again |= shrink_node(&s, k->helpers[h].body);
      again |= shrink_node(&s, k->helpers[h].result);
    }
    again |= shrink_shape(&s);
  }
  return s.attempts;
}
