#include "tracegen/lower/kept_program.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tracegen/abi/kept_file.h"
#include "trace/format/code_codec.h"
#include "tracegen/abi/kernel_simd.h"
#include "tracegen/lower/codegen/codegen.h"
#include "tracegen/lower/codegen/native_image.h"
#include "tracegen/lower/instrument/inline_images.h"
#include "tracegen/lower/ir/llvm_failure.h"
#include "tracegen/lower/open_module.h"
#include "tracegen/lower/simd/simd_source.h"

#define KIND      "kernels"
#define MOST_TEXT ((size_t)1 << 20)

/* The key. */

/* Appends which file this is. Returns false where it cannot be told. */
static bool put_file(struct bytes *key, const char *path) {
  struct stat s;
  if (stat(path, &s))
    return false;
  const uint64_t facts[] = {(uint64_t)s.st_dev, (uint64_t)s.st_ino, (uint64_t)s.st_size, (uint64_t)s.st_mtim.tv_sec,
                            (uint64_t)s.st_mtim.tv_nsec};
  bytes_text(key, path);
  bytes_append(key, facts, sizeof facts);
  return true;
}

/* Appends which program this code belongs to: it decides what is compiled, and lays out the tables. */
static bool put_this_program(struct bytes *key) {
  static const char here;
  Dl_info found;
  return dladdr(&here, &found) && found.dli_fname && put_file(key, found.dli_fname);
}

static void put_purpose(struct bytes *key, const struct kernel_purpose *p) {
  bytes_varint(key, p->records);
  bytes_varint(key, p->tracks_buffers);
  bytes_varint(key, p->may_be_undefined);
  bytes_varint(key, p->unoptimised);
  bytes_varint(key, p->reads_zero);
  bytes_varint(key, codegen_tier_items(p->items));
  bytes_varint(key, p->fills_simd_groups);
  bytes_varint(key, p->keeps_simd);
}

static void put_opaques(struct bytes *key, const struct kernel_program *program) {
  for (size_t i = 0; i < KERNEL_MAX_PARAMETERS; i++) {
    const struct kernel_opaque *o = &program->opaques[i];
    if (!o->is_image && !o->is_sampler && !o->format.order && !o->format.type)
      continue;
    bytes_varint(key, i + 1);
    bytes_varint(key, o->is_image);
    bytes_varint(key, o->is_sampler);
    bytes_varint(key, o->format.order);
    bytes_varint(key, o->format.type);
    bytes_varint(key, o->sampler);
  }
  bytes_varint(key, 0);
}

bool kept_program_key(const struct lowering *l, const char *bitcode, size_t length, struct bytes *key) {
  const char *tier = getenv("REASSEMBLE_CODEGEN_TIER");
  *key = (struct bytes){0};
  if (!l->purpose.kept || l->purpose.original || getenv("REASSEMBLE_DUMP_IR"))
    return false;
  bytes_text(key, REASSEMBLE_LLVM_VERSION);
  bytes_text(key, tier ? tier : "");
  bytes_text(key, l->program->name);
  bytes_varint(key, inline_images_wanted());
  put_purpose(key, &l->purpose);
  put_opaques(key, l->program);
  bytes_varint(key, length);
  bytes_append(key, bitcode, length);
  if (put_this_program(key) && put_file(key, REASSEMBLE_POCL_LIBRARY) && !key->failed)
    return true;
  bytes_clear(key);
  return false;
}

/* Writing. The numbers of struct kernel_program stand first, as they lie in memory; then its tables, whose lengths they
 * are. */

static void put_variables(struct bytes *out, const struct kernel_variables *v) {
  bytes_append(out, v->list, v->count * sizeof *v->list);
  for (uint32_t i = 0; i < v->count; i++)
    bytes_text(out, v->list[i].name ? v->list[i].name : "");
}

static void put_parameters(struct bytes *out, const struct kernel_program *p) {
  bytes_append(out, p->parameters, p->parameter_count * sizeof *p->parameters);
  for (uint32_t i = 0; i < p->parameter_count; i++) {
    bytes_text(out, p->parameters[i].name);
    bytes_text(out, p->parameters[i].type_name);
  }
}

static void put_code(struct bytes *out, const struct trace_code *code) {
  struct bytes table = {0};
  code_encode(code, &table);
  out->failed |= table.failed;
  bytes_varint(out, table.length);
  bytes_append(out, table.data, table.length);
  bytes_clear(&table);
}

static void put_tables(struct bytes *out, const struct kernel_program *p) {
  put_code(out, &p->code);
  bytes_varint(out, p->ir != NULL);
  for (uint32_t i = 0; p->ir && i < p->code.op_count; i++)
    bytes_text(out, p->ir[i] ? p->ir[i] : "");
  bytes_append(out, p->accesses, p->code.mem_count * sizeof *p->accesses);
  bytes_append(out, p->image_calls, p->image_call_count * sizeof *p->image_calls);
  bytes_append(out, p->counted_ops, p->code.block_count * sizeof *p->counted_ops);
  bytes_append(out, p->elided_division_lines, p->elided_division_count * sizeof *p->elided_division_lines);
  put_parameters(out, p);
  put_variables(out, &p->locals);
  put_variables(out, &p->privates);
  put_variables(out, &p->undefined);
  put_variables(out, &p->elided_accesses);
}

/* Writes the code for SIMD groups, or what it is made from. */
static void put_simd(struct bytes *out, const struct kernel_program *p, const struct bytes *object) {
  bytes_varint(out, object != NULL);
  if (!object) {
    simd_source_write(p->simd, out);
    return;
  }
  bytes_varint(out, p->simd->shadowed);
  bytes_append(out, p->simd->steps, p->code.op_count * sizeof *p->simd->steps);
  bytes_varint(out, object->length);
  bytes_append(out, object->data, object->length);
}

void kept_program_save(const struct lowering *l, const struct bytes *key, const struct bytes *simd_object) {
  const struct kernel_program *p = l->program;
  struct bytes out = {0};
  const bool plain = p->constants.count == 0 && p->print_count == 0 && !(p->simd && !p->simd->source && !simd_object);
  if (!plain || !l->object || l->object->length == 0 || l->object->failed)
    return;
  bytes_append(&out, p, sizeof *p);
  put_tables(&out, p);
  bytes_varint(&out, l->object->length);
  bytes_append(&out, l->object->data, l->object->length);
  if (p->simd)
    put_simd(&out, p, simd_object);
  if (!out.failed)
    kept_file_put(KIND, key->data, key->length, out.data, out.length);
  bytes_clear(&out);
}

int kept_program_save_with_simd(struct lowering *l, const struct bytes *key) {
  struct bytes object = {0};
  const int status = simd_source_compile_into(l->program->simd, &object, l->error);
  if (!status && l->program->simd->ready && object.length > 0 && !object.failed)
    kept_program_save(l, key, &object);
  bytes_clear(&object);
  return status;
}

/* Reading. */

/* Takes an array into new memory, with room for one more. */
static void *take_array(struct byte_reader *in, size_t count, size_t size) {
  void *array = count <= reader_left(in) / size ? calloc(count + 1, size) : NULL;
  if (!array) {
    in->bad = true;
    return NULL;
  }
  if (count > 0)
    memcpy(array, in->at, count * size);
  in->at += count * size;
  return array;
}

static void take_variables(struct byte_reader *in, struct kernel_variables *v, uint32_t count) {
  v->list = take_array(in, count, sizeof *v->list);
  for (v->count = 0; v->list && v->count < count; v->count++)
    v->list[v->count].name = take_text(in, MOST_TEXT);
}

static void take_parameters(struct byte_reader *in, struct kernel_program *p, uint32_t count) {
  p->parameters = take_array(in, count, sizeof *p->parameters);
  for (p->parameter_count = 0; p->parameters && p->parameter_count < count; p->parameter_count++) {
    struct kernel_parameter *one = &p->parameters[p->parameter_count];
    one->name = take_text(in, MOST_TEXT);
    one->type_name = take_text(in, MOST_TEXT);
  }
}

static void take_code(struct byte_reader *in, struct kernel_program *p) {
  struct error ignored = ERROR_INIT;
  const uint64_t length = take_at_most(in, reader_left(in));
  in->bad |= code_decode(in->at, length, &p->code, &ignored) != 0;
  in->at += length;
}

static void take_ir(struct byte_reader *in, struct kernel_program *p) {
  if (!take_at_most(in, 1))
    return;
  p->ir = calloc((size_t)p->code.op_count + 1, sizeof *p->ir);
  in->bad |= !p->ir;
  for (uint32_t i = 0; !in->bad && i < p->code.op_count; i++)
    p->ir[i] = take_text(in, MOST_TEXT);
}

/* The numbers of the program that is kept; what it had allocated was another process's. */
static bool take_numbers(struct byte_reader *in, struct kernel_program *p, struct kernel_program *kept) {
  if (reader_left(in) < sizeof *kept)
    return false;
  memcpy(kept, in->at, sizeof *kept);
  in->at += sizeof *kept;
  p->line = kept->line;
  p->image_call_count = kept->image_call_count;
  p->local_bytes = kept->local_bytes;
  p->private_bytes = kept->private_bytes;
  p->registers = kept->registers;
  p->early_load_registers = kept->early_load_registers;
  memcpy(p->required_local, kept->required_local, sizeof p->required_local);
  p->required_sub_group = kept->required_sub_group;
  p->has_barrier = kept->has_barrier;
  p->uses_collectives = kept->uses_collectives;
  p->uses_sub_groups = kept->uses_sub_groups;
  p->checks_reads = kept->checks_reads;
  p->tracks_buffers = kept->tracks_buffers;
  p->inputs = kept->inputs;
  p->needs_checking = kept->needs_checking;
  p->elided_division_count = kept->elided_division_count;
  p->dry_runs_all_groups = kept->dry_runs_all_groups;
  return true;
}

static bool take_program(struct byte_reader *in, struct kernel_program *p, bool *has_simd) {
  struct kernel_program kept;
  if (!take_numbers(in, p, &kept))
    return false;
  take_code(in, p);
  if (in->bad)
    return false;
  take_ir(in, p);
  p->accesses = take_array(in, p->code.mem_count, sizeof *p->accesses);
  p->image_calls = take_array(in, p->image_call_count, sizeof *p->image_calls);
  p->counted_ops = take_array(in, p->code.block_count, sizeof *p->counted_ops);
  p->elided_division_lines = take_array(in, p->elided_division_count, sizeof *p->elided_division_lines);
  take_parameters(in, p, kept.parameter_count);
  take_variables(in, &p->locals, kept.locals.count);
  take_variables(in, &p->privates, kept.privates.count);
  take_variables(in, &p->undefined, kept.undefined.count);
  take_variables(in, &p->elided_accesses, kept.elided_accesses.count);
  *has_simd = kept.simd != NULL;
  return !in->bad;
}

/* The rest of a kept program: its code, and that of SIMD groups or what it is made from. */
struct kept_code {
  struct lowering *l;
  struct byte_reader *in;
  const unsigned char *object;
  uint64_t length;
  bool has_simd_source;
};

static int load_by_llvm(void *user) {
  struct kept_code *c = user;
  struct lowering *l = c->l;
  if (open_machine(l))
    return -1;
  l->thread_safe_context = LLVMOrcCreateNewThreadSafeContext();
  l->context = LLVMOrcThreadSafeContextGetContext(l->thread_safe_context);
  return (c->has_simd_source && simd_source_read(l, c->in)) || jit_load(l, c->object, c->length) ? -1 : 0;
}

/* Places the code for SIMD groups. */
static bool take_simd_code(struct kernel_program *p, struct byte_reader *in) {
  struct kernel_simd *simd = p->simd = calloc(1, sizeof *simd);
  if (!simd)
    return false;
  simd->shadowed = take_at_most(in, 1);
  simd->steps = take_array(in, p->code.op_count, sizeof *simd->steps);
  const uint64_t length = take_at_most(in, reader_left(in));
  if (in->bad || !(simd->image = native_image_load(in->at, length)))
    return false;
  in->at += length;
  simd->ready = (kernel_entry *)(uintptr_t)native_image_find(simd->image, SIMD_NAME);
  return simd->ready;
}

/* Places the kernel's code. Returns whether that needed no LLVM. */
static bool take_image(struct kernel_program *p, const struct kept_code *c) {
  p->image = native_image_load(c->object, c->length);
  p->entry = p->image ? (kernel_entry *)(uintptr_t)native_image_find(p->image, INSTRUMENTED_NAME) : NULL;
  return p->entry;
}

static bool take_native_code(struct lowering *l, struct byte_reader *in, bool has_simd) {
  struct kept_code c = {.l = l, .in = in, .length = take_at_most(in, reader_left(in))};
  c.object = in->at;
  if (in->bad)
    return false;
  in->at += c.length;
  const bool has_simd_code = has_simd && take_at_most(in, 1);
  c.has_simd_source = has_simd && !has_simd_code;
  if (has_simd_code && !take_simd_code(l->program, in))
    return false;
  if ((c.has_simd_source || !take_image(l->program, &c)) && llvm_failure_catch(load_by_llvm, &c, false, l->error))
    return false;
  return !in->bad && reader_left(in) == 0;
}

bool kept_program_load(struct lowering *l, const struct bytes *key) {
  struct kept_data kept;
  bool has_simd = false;
  if (!kept_file_find(KIND, key->data, key->length, &kept))
    return false;
  struct byte_reader in = {(const unsigned char *)kept.data, (const unsigned char *)kept.data + kept.length, false};
  const bool whole = take_program(&in, l->program, &has_simd) && take_native_code(l, &in, has_simd);
  free(kept.memory);
  return whole;
}
