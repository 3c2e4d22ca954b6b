/* ISA profile: what each operation of a code table costs in issue slots of a target.
 *
 * YAML (schema reassemble.isa/1): a list of rules, first match wins; a rule matches on class, type, space, name (any
 * may be missing) and gives slots per 32-bit lane of work, or per operation; each rule has a source. See
 * docs/isa-profiles.md. Ownership: isa_load allocates, isa_destroy frees. Read-only afterwards. */
#ifndef MODEL_ISA_H
#define MODEL_ISA_H

#include "base/error.h"
#include "trace/code.h"

struct isa_profile;

int isa_load(const char *name_or_path, struct isa_profile **out, struct error *error);
void isa_destroy(struct isa_profile *isa);
const char *isa_name(const struct isa_profile *isa);

/* Issue slots that one work-item's execution of `op` costs; *rule (may be NULL) becomes the index of the rule used. An
 * operation that no rule matches is an error that names it. */
int isa_op_slots(const struct isa_profile *isa, const struct trace_code *code, const struct trace_op *op, double *slots,
                 unsigned *rule, struct error *error);
const char *isa_rule_source(const struct isa_profile *isa, unsigned rule);

#endif
