/* Loads the mapping `bundle` of an ISA profile. */
#include <math.h>

#include "model/isa/bundle.h"

static const char *const pipe_names[] = {
#define X(id, name, meaning) name,
    ISA_PIPES(X)
#undef X
        NULL};

static int issue_here(const struct conf_node *node, struct bundle_rule *rule, struct error *error) {
  int pipe;
  if (conf_choice(node, pipe_names, &pipe, error))
    return -1;
  if (pipe == ISA_PIPE_ANY)
    return conf_error(node, error, "operations of pipe 'any' issue on every pipe of a bundle: leave it out");
  if (rule->pipe_of[pipe] != BUNDLE_NO_PIPE)
    return conf_error(node, error, "'%s' issues on another pipe of the bundle already", pipe_names[pipe]);
  rule->pipe_of[pipe] = (uint8_t)rule->pipe_count;
  return 0;
}

static int load_pipe(const struct conf_node *node, struct bundle_rule *rule, struct error *error) {
  static const char *const keys[] = {"issues", "slots", NULL};
  if (conf_expect(node, CONF_MAP, error) || conf_check_keys(node, keys, error))
    return -1;
  const struct conf_node *issues = conf_need(node, "issues", error), *slots = conf_need(node, "slots", error);
  int64_t count;
  if (!issues || !slots || conf_int(slots, 1, BUNDLE_MOST_SIDE, &count, error))
    return -1;
  if (issues->kind != CONF_LIST && issue_here(issues, rule, error))
    return -1;
  for (size_t i = 0; issues->kind == CONF_LIST && i < issues->count; i++)
    if (issue_here(issues->items[i], rule, error))
      return -1;
  rule->slots_of[rule->pipe_count++] = (uint32_t)count;
  return 0;
}

static int load_pipes(const struct conf_node *list, struct bundle_rule *rule, struct error *error) {
  if (!list || conf_expect(list, CONF_LIST, error))
    return -1;
  for (int i = 0; i < ISA_PIPE_COUNT; i++)
    rule->pipe_of[i] = BUNDLE_NO_PIPE;
  if (list->count == 0 || list->count >= ISA_PIPE_COUNT)
    return conf_error(list, error, "found %zu pipes, expected 1 to %d", list->count, ISA_PIPE_COUNT - 1);
  for (size_t i = 0; i < list->count; i++)
    if (load_pipe(list->items[i], rule, error))
      return -1;
  return 0;
}

int bundle_load(const struct conf_node *node, struct bundle_rule *rule, struct error *error) {
  static const char *const keys[] = {"slots", "most", "pipes", "source", NULL};
  *rule = (struct bundle_rule){.most = BUNDLE_MOST};
  if (conf_expect(node, CONF_MAP, error) || conf_check_keys(node, keys, error))
    return -1;
  const struct conf_node *slots = conf_need(node, "slots", error), *source = conf_need(node, "source", error);
  const struct conf_node *most = conf_get(node, "most");
  double paid;
  int64_t bundles = BUNDLE_MOST;
  if (!slots || !source || conf_real(slots, 0, 64, &paid, error) || conf_string(source, &rule->source, error) ||
      (most && conf_int(most, 1, BUNDLE_MOST, &bundles, error)) ||
      load_pipes(conf_need(node, "pipes", error), rule, error))
    return -1;
  rule->most = (uint32_t)bundles;
  rule->slots = (uint64_t)llround(paid * 1024);
  return 0;
}
