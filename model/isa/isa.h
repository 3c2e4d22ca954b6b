/* An ISA profile: the price of each operation of a code table in issue slots of a target.
 *
 * YAML (schema reassemble.isa/1): a list of rules, of which the first that matches applies; a rule matches on class,
 * type, space and name (each may be missing) and gives slots for each 32-bit lane of work, or for each operation; each
 * rule has a source. See docs/isa-profiles.md. Ownership: isa_load allocates, isa_destroy frees. Errors: with file and
 * line. Cost: O(rules) for each operation. Threads: read-only once loaded. */
#ifndef MODEL_ISA_H
#define MODEL_ISA_H

#include "base/error.h"
#include "trace/code.h"

/* The pipe that an operation issues on, for readers of a profile's prices and for `issue: bundles`
 * (model/isa/bundle.h). A row is X(enumerator, "name in files", "meaning"). */
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
/* Returns the front end, and the GPU of which the profile prices the traces, as --frontend and --gpu-id of `reassemble
 * trace` take them ("bifrost g71"). NULL: the default front end. */
const char *isa_front_end(const struct isa_profile *isa);

/* Writes the issue slots of one work-item's execution of `op` to *slots, and the index of the rule that applies to
 * *rule, which may be NULL. An operation that no rule matches is an error that names it. */
int isa_op_slots(const struct isa_profile *isa, const struct trace_code *code, const struct trace_op *op, double *slots,
                 unsigned *rule, struct error *error);
/* Writes what an operation that costs `slots` under `rule` is where its pipe is modelled (model/isa/pipes.h): how many
 * operations of the pipe to *uses, and the slots of its issue to *issue, which are one for each of these operations in
 * place of the slots that the profile gives an operation of the pipe, and all others. */
void isa_pipe_use(const struct isa_profile *isa, unsigned rule, const struct trace_op *op, double slots, double *issue,
                  double *uses);
/* Writes the bytes of code of an operation to *bytes. It is an error if the profile does not give them. */
int isa_op_bytes(const struct isa_profile *isa, const struct trace_code *code, const struct trace_op *op,
                 uint32_t *bytes, struct error *error);
const char *isa_rule_source(const struct isa_profile *isa, unsigned rule);
enum isa_pipe isa_rule_pipe(const struct isa_profile *isa, unsigned rule);
const char *isa_pipe_name(enum isa_pipe pipe);
/* Returns the bundles of the profile, or NULL if it does not have them. */
const struct bundle_rule *isa_bundle(const struct isa_profile *isa);

#endif
