#include "model/isa/isa.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/input/conf.h"
#include "base/file.h"
#include "model/isa/bundle.h"

#define ISA_SCHEMA    "reassemble.isa/1"
#define ISA_MAX_BYTES 100000.0 /* largest size of the code of one operation */
#define ISA_MAX_SLOTS 10000.0  /* largest price of one operation of one work-item; far above any real sequence */

enum per { PER_LANE, PER_ELEMENT, PER_MESSAGE, PER_OPERATION };
static const char *const per_names[] = {"lane", "element", "message", "operation", NULL};
static const char *const pipe_names[] = {
#define X(id, name, meaning) name,
    ISA_PIPES(X)
#undef X
        NULL};

struct rule {
  uint32_t classes, types, spaces; /* bit sets of the values that match; all ones: any value */
  const char **names;              /* NULL: any name; borrowed from the document */
  size_t name_count;
  enum per per;
  enum isa_pipe pipe;
  double slots, bytes;
  bool has_bytes;
  double uses;        /* operations of the pipe; below 0: as many as `slots` holds */
  const char *source; /* borrowed from the document */
};

struct isa_profile {
  struct conf_doc *doc; /* owns the texts */
  const char *name;
  struct rule *rules;
  unsigned rule_count;
  const char *front_end; /* NULL: the default front end */
  double bytes_per_slot; /* below 0: the profile does not say */
  bool has_bundle;
  struct bundle_rule bundle;
  double pipe_slots[ISA_PIPE_COUNT]; /* price of an operation of each pipe */
};

/* Fills the lists of names for messages and matching. They end with NULL. */
static void names_of_trace(const char *classes[OP_CLASS_COUNT + 1], const char *types[TYPE_COUNT + 1],
                           const char *spaces[SPACE_COUNT + 1]) {
  for (int i = 0; i < OP_CLASS_COUNT; i++)
    classes[i] = trace_op_class_name((enum trace_op_class)i);
  for (int i = 0; i < TYPE_COUNT; i++)
    types[i] = trace_type_name((enum trace_type)i);
  for (int i = 0; i < SPACE_COUNT; i++)
    spaces[i] = trace_space_name((enum trace_space)i);
  classes[OP_CLASS_COUNT] = types[TYPE_COUNT] = spaces[SPACE_COUNT] = NULL;
}

/* Loads one name or a list of names as a set of indices into `names`. A missing key gives all ones. */
static int load_set(const struct conf_node *rule, const char *key, const char *const *names, uint32_t *set,
                    struct error *error) {
  const struct conf_node *node = conf_get(rule, key);
  int index;
  *set = node ? 0 : UINT32_MAX;
  if (!node)
    return 0;
  if (node->kind != CONF_LIST) {
    if (conf_choice(node, names, &index, error))
      return -1;
    *set = 1u << index;
    return 0;
  }
  for (size_t i = 0; i < node->count; i++) {
    if (conf_choice(node->items[i], names, &index, error))
      return -1;
    *set |= 1u << index;
  }
  return 0;
}

static int load_names(const struct conf_node *node, struct rule *rule, struct error *error) {
  if (!node)
    return 0;
  bool list = node->kind == CONF_LIST;
  if (list && node->count == 0)
    return conf_error(node, error, "an empty list matches nothing: leave the key out to match any name");
  rule->name_count = list ? node->count : 1;
  rule->names = calloc(rule->name_count, sizeof *rule->names);
  if (!rule->names)
    return error_no_memory(error);
  for (size_t i = 0; i < rule->name_count; i++)
    if (conf_string(list ? node->items[i] : node, &rule->names[i], error))
      return -1;
  return 0;
}

static int load_bytes(const struct conf_node *node, struct rule *rule, struct error *error) {
  rule->has_bytes = node != NULL;
  return node ? conf_real(node, 0, ISA_MAX_BYTES, &rule->bytes, error) : 0;
}

static int load_uses(const struct conf_node *node, struct rule *rule, struct error *error) {
  rule->uses = -1;
  return node ? conf_real(node, 0, ISA_MAX_SLOTS, &rule->uses, error) : 0;
}

static int load_rule(const struct conf_node *node, struct rule *rule, struct error *error) {
  static const char *const keys[] = {"class", "type", "space", "name",   "slots", "uses",
                                     "bytes", "per",  "pipe",  "source", NULL};
  const char *classes[OP_CLASS_COUNT + 1], *types[TYPE_COUNT + 1], *spaces[SPACE_COUNT + 1];
  names_of_trace(classes, types, spaces);
  if (conf_expect(node, CONF_MAP, error) || conf_check_keys(node, keys, error) ||
      load_set(node, "class", classes, &rule->classes, error) || load_set(node, "type", types, &rule->types, error) ||
      load_set(node, "space", spaces, &rule->spaces, error) || load_names(conf_get(node, "name"), rule, error))
    return -1;
  const struct conf_node *slots = conf_need(node, "slots", error);
  const struct conf_node *source = conf_need(node, "source", error);
  const struct conf_node *per = conf_get(node, "per"), *pipe = conf_get(node, "pipe");
  int choice = PER_LANE, pipe_choice = ISA_PIPE_ANY;
  if (!slots || !source || conf_real(slots, 0, ISA_MAX_SLOTS, &rule->slots, error) ||
      load_uses(conf_get(node, "uses"), rule, error) || load_bytes(conf_get(node, "bytes"), rule, error) ||
      conf_string(source, &rule->source, error) || (per && conf_choice(per, per_names, &choice, error)) ||
      (pipe && conf_choice(pipe, pipe_names, &pipe_choice, error)))
    return -1;
  rule->per = (enum per)choice;
  rule->pipe = (enum isa_pipe)pipe_choice;
  return 0;
}

static int load_rules(const struct conf_node *list, struct isa_profile *isa, struct error *error) {
  if (!list || conf_expect(list, CONF_LIST, error))
    return -1;
  isa->rules = calloc(list->count + 1, sizeof *isa->rules);
  if (!isa->rules)
    return error_no_memory(error);
  for (size_t i = 0; i < list->count; i++) {
    isa->rule_count++;
    if (load_rule(list->items[i], &isa->rules[i], error))
      return -1;
  }
  return 0;
}

/* Checks that each rule issues on a pipe of the bundle, where the profile has one. */
static int load_bundle(const struct conf_node *node, const struct conf_node *rules, struct isa_profile *isa,
                       struct error *error) {
  if (!node)
    return 0;
  isa->has_bundle = true;
  if (bundle_load(node, &isa->bundle, error))
    return -1;
  for (unsigned i = 0; i < isa->rule_count; i++)
    if (isa->rules[i].pipe != ISA_PIPE_ANY && isa->bundle.pipe_of[isa->rules[i].pipe] == BUNDLE_NO_PIPE)
      return conf_error(conf_get(rules->items[i], "pipe"), error,
                        "no pipe of the 'bundle' issues '%s': add it to the 'issues' of one, or leave the pipe out",
                        pipe_names[isa->rules[i].pipe]);
  return 0;
}

/* Loads the prices of an operation of each pipe. */
static int load_pipes(const struct conf_node *list, struct isa_profile *isa, struct error *error) {
  static const char *const keys[] = {"pipe", "slots", "source", NULL};
  const char *text;
  int pipe;
  for (int i = 0; i < ISA_PIPE_COUNT; i++)
    isa->pipe_slots[i] = 1;
  if (list && conf_expect(list, CONF_LIST, error))
    return -1;
  for (size_t i = 0; list && i < list->count; i++) {
    const struct conf_node *item = list->items[i];
    if (conf_expect(item, CONF_MAP, error) || conf_check_keys(item, keys, error))
      return -1;
    const struct conf_node *name = conf_need(item, "pipe", error), *slots = conf_need(item, "slots", error),
                           *source = conf_need(item, "source", error);
    if (!name || !slots || !source || conf_choice(name, pipe_names, &pipe, error) ||
        conf_real(slots, 1, ISA_MAX_SLOTS, &isa->pipe_slots[pipe], error) || conf_string(source, &text, error))
      return -1;
  }
  return 0;
}

/* Loads the bytes of an operation's code where its rule does not state them. */
static int load_code(const struct conf_node *node, struct isa_profile *isa, struct error *error) {
  static const char *const keys[] = {"bytes_per_slot", "source", NULL};
  const char *text;
  isa->bytes_per_slot = -1;
  if (!node)
    return 0;
  if (conf_expect(node, CONF_MAP, error) || conf_check_keys(node, keys, error))
    return -1;
  const struct conf_node *bytes = conf_need(node, "bytes_per_slot", error), *source = conf_need(node, "source", error);
  return !bytes || !source || conf_real(bytes, 0, 1000, &isa->bytes_per_slot, error) ||
                 conf_string(source, &text, error)
             ? -1
             : 0;
}

static int load_root(const struct conf_node *root, struct isa_profile *isa, struct error *error) {
  static const char *const keys[] = {"schema", "name", "about", "front_end", "bundle", "pipes", "code", "rules", NULL};
  const char *about;
  if (conf_check_schema(root, ISA_SCHEMA, "an ISA profile", error) || conf_check_keys(root, keys, error))
    return -1;
  const struct conf_node *name = conf_need(root, "name", error);
  const struct conf_node *abouts = conf_get(root, "about"), *front_end = conf_get(root, "front_end");
  if (!name || conf_string(name, &isa->name, error) || (abouts && conf_string(abouts, &about, error)) ||
      (front_end && conf_string(front_end, &isa->front_end, error)))
    return -1;
  const struct conf_node *rules = conf_need(root, "rules", error);
  return load_code(conf_get(root, "code"), isa, error) || load_pipes(conf_get(root, "pipes"), isa, error) ||
                 load_rules(rules, isa, error) || load_bundle(conf_get(root, "bundle"), rules, isa, error)
             ? -1
             : 0;
}

int isa_load(const char *name_or_path, struct isa_profile **out, struct error *error) {
  char *path;
  *out = NULL;
  if (data_find(DATA_ISA, name_or_path, &path, error))
    return -1;
  struct isa_profile *isa = calloc(1, sizeof *isa);
  int status = isa ? conf_load_file(path, &isa->doc, error) : error_no_memory(error);
  free(path);
  if (status || load_root(conf_root(isa->doc), isa, error)) {
    isa_destroy(isa);
    return -1;
  }
  *out = isa;
  return 0;
}

void isa_destroy(struct isa_profile *isa) {
  if (!isa)
    return;
  for (unsigned i = 0; i < isa->rule_count; i++)
    free(isa->rules[i].names);
  free(isa->rules);
  if (isa->doc)
    conf_destroy(isa->doc);
  free(isa);
}

const char *isa_name(const struct isa_profile *isa) {
  return isa->name;
}

const char *isa_front_end(const struct isa_profile *isa) {
  return isa->front_end;
}

/* Returns the 32-bit registers that `width` elements fill. A truth value fills one; a pointer has 64 bits. */
static unsigned lanes(enum trace_type type, unsigned width) {
  static const unsigned char bits[TYPE_COUNT] = {
      [TYPE_VOID] = 32, [TYPE_I1] = 32,  [TYPE_I8] = 8,   [TYPE_I16] = 16, [TYPE_I32] = 32,
      [TYPE_I64] = 64,  [TYPE_F16] = 16, [TYPE_F32] = 32, [TYPE_F64] = 64, [TYPE_PTR] = 64};
  return (bits[type] * width + 31u) / 32u;
}

/* Returns whether the name matches the pattern: "native_*" matches every name that begins with "native_". */
static bool pattern_matches(const char *pattern, const char *name) {
  size_t n = strlen(pattern);
  if (n > 0 && pattern[n - 1] == '*')
    return strncmp(pattern, name, n - 1) == 0;
  return strcmp(pattern, name) == 0;
}

static bool name_matches(const struct rule *rule, const char *name) {
  if (!rule->names)
    return true;
  for (size_t i = 0; name && i < rule->name_count; i++)
    if (pattern_matches(rule->names[i], name))
      return true;
  return false;
}

static bool has_space(unsigned op_class) {
  return op_class == OP_LOAD || op_class == OP_STORE || op_class == OP_ATOMIC || op_class == OP_ADDRESS;
}

static bool rule_matches(const struct rule *rule, const struct trace_op *op, const char *name) {
  return rule->classes >> op->op_class & 1 && rule->types >> op->type & 1 &&
         (rule->spaces == UINT32_MAX || (has_space(op->op_class) && rule->spaces >> op->space & 1)) &&
         name_matches(rule, name);
}

/* Returns slots or bytes: `each` times the number of lanes, elements, messages or operations that the rule's `per`
 * says. */
static double amount_of(const struct rule *rule, double each, const struct trace_op *op) {
  unsigned width = op->width ? op->width : 1;
  switch (rule->per) {
  case PER_LANE:
    return each * lanes((enum trace_type)op->type, width);
  case PER_ELEMENT:
    return each * width;
  case PER_MESSAGE: /* the 128 bits that one load or store message carries */
    return each * ((lanes((enum trace_type)op->type, width) + 3u) / 4u);
  case PER_OPERATION:
    break;
  }
  return each;
}

int isa_op_slots(const struct isa_profile *isa, const struct trace_code *code, const struct trace_op *op, double *slots,
                 unsigned *rule, struct error *error) {
  const char *name = op->name < code->name_count ? code->names[op->name] : NULL;
  for (unsigned i = 0; i < isa->rule_count; i++)
    if (rule_matches(&isa->rules[i], op, name)) {
      *slots = amount_of(&isa->rules[i], isa->rules[i].slots, op);
      if (rule)
        *rule = i;
      return 0;
    }
  const bool memory = has_space(op->op_class);
  return error_set(error, ERROR_INPUT,
                   "ISA profile '%s' has no rule for %s, type %s%s%s%s%s: add one (the last rule may leave out "
                   "everything but the class)",
                   isa->name, trace_op_class_name((enum trace_op_class)op->op_class),
                   trace_type_name((enum trace_type)op->type), memory ? ", space " : "",
                   memory ? trace_space_name((enum trace_space)op->space) : "", name ? ", name " : "",
                   name ? name : "");
}

void isa_pipe_use(const struct isa_profile *isa, unsigned rule, const struct trace_op *op, double slots, double *issue,
                  double *uses) {
  const struct rule *r = &isa->rules[rule];
  const double each = isa->pipe_slots[r->pipe];
  *uses = r->uses < 0 ? slots / each : amount_of(r, r->uses, op);
  *issue = fmax(slots - *uses * (each - 1), 0);
}

int isa_op_bytes(const struct isa_profile *isa, const struct trace_code *code, const struct trace_op *op,
                 uint32_t *bytes, struct error *error) {
  double slots;
  unsigned rule;
  if (isa_op_slots(isa, code, op, &slots, &rule, error))
    return -1;
  if (isa->bytes_per_slot < 0)
    return error_at(error, ERROR_INPUT, "", 0, 0, "instruction_cache_bytes",
                    "ISA profile '%s' has no 'code', which says how many bytes of code a slot takes: expected "
                    "instruction_cache_bytes: 0, or a profile that has it",
                    isa->name);
  double own = isa->rules[rule].has_bytes ? amount_of(&isa->rules[rule], isa->rules[rule].bytes, op)
                                          : slots * isa->bytes_per_slot;
  *bytes = (uint32_t)fmin(round(own), UINT32_MAX);
  return 0;
}

const char *isa_rule_source(const struct isa_profile *isa, unsigned rule) {
  return rule < isa->rule_count ? isa->rules[rule].source : "";
}

enum isa_pipe isa_rule_pipe(const struct isa_profile *isa, unsigned rule) {
  return rule < isa->rule_count ? isa->rules[rule].pipe : ISA_PIPE_ANY;
}

const char *isa_pipe_name(enum isa_pipe pipe) {
  return pipe_names[pipe];
}

const struct bundle_rule *isa_bundle(const struct isa_profile *isa) {
  return isa->has_bundle ? &isa->bundle : NULL;
}
