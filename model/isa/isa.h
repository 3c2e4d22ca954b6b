/* ISA profile: what each operation of a code table costs in issue slots of a target.
 *
 * YAML (schema reassemble.isa/1): a list of rules, first match wins; a rule matches on class, type, space, name (any
 * may be missing) and gives slots per 32-bit lane of work, or per operation; each rule has a source. See
 * docs/isa-profiles.md. Ownership: isa_load allocates, isa_destroy frees. Errors: with file and line. Cost: O(rules)
 * per operation. Threads: read-only once loaded. */
#ifndef MODEL_ISA_H
#define MODEL_ISA_H

#include "base/error.h"
#include "trace/code.h"

/* Where an operation issues: for people who read a profile's prices, and for `issue: bundles` (model/isa/bundle.h).
 * X(enumerator, "name in files", "meaning") */
#define ISA_PIPES(X)                                                                                                   \
  X(ISA_PIPE_ANY, "any", "any arithmetic pipe, or a sequence over several")                                            \
  X(ISA_PIPE_FMA, "fma", "multiply-add pipe")                                                                          \
  X(ISA_PIPE_ADD, "add", "add pipe")                                                                                   \
  X(ISA_PIPE_INT, "int", "integer pipe")                                                                               \
  X(ISA_PIPE_SPECIAL, "special", "special function unit")                                                              \
  X(ISA_PIPE_DOUBLE, "double", "64-bit float unit")                                                                    \
  X(ISA_PIPE_MESSAGE, "message", "messages to memory, barriers")                                                       \
  X(ISA_PIPE_BRANCH, "branch", "control flow")

enum isa_pipe {
#define X(id, name, meaning) id,
  ISA_PIPES(X)
#undef X
      ISA_PIPE_COUNT
};

struct isa_profile;
struct bundle_rule;

int isa_load(const char *name_or_path, struct isa_profile **out, struct error *error);
void isa_destroy(struct isa_profile *isa);
const char *isa_name(const struct isa_profile *isa);
/* Returns which front end makes the traces that the profile prices, and for which GPU: "bifrost g71", as --frontend and
 * --gpu-id of `reassemble trace` take them. NULL: the default front end. */
const char *isa_front_end(const struct isa_profile *isa);

/* Finds the issue slots that one work-item's execution of `op` costs; *rule (may be NULL) becomes the index of the
 * rule used. An operation that no rule matches is an error that names it. */
int isa_op_slots(const struct isa_profile *isa, const struct trace_code *code, const struct trace_op *op, double *slots,
                 unsigned *rule, struct error *error);
/* Finds the bytes of code of an operation; an error where the profile does not say. */
int isa_op_bytes(const struct isa_profile *isa, const struct trace_code *code, const struct trace_op *op,
                 uint32_t *bytes, struct error *error);
const char *isa_rule_source(const struct isa_profile *isa, unsigned rule);
enum isa_pipe isa_rule_pipe(const struct isa_profile *isa, unsigned rule);
const char *isa_pipe_name(enum isa_pipe pipe);
/* Returns what issues side by side, NULL where the profile does not say. */
const struct bundle_rule *isa_bundle(const struct isa_profile *isa);

#endif
