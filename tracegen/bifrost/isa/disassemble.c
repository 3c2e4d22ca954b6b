#include "tracegen/bifrost/isa/disassemble.h"

#include <inttypes.h>
#include <string.h>

#include "tracegen/bifrost/isa/operations.h"
#include "tracegen/bifrost/isa/register_block.h"
#include "tracegen/bifrost/isa/sources.h"

/* A tuple that is being listed. */
struct listing {
  FILE *out;
  const struct clause *clause;
  unsigned quadword;
  struct register_block registers, next; /* `next` says where the tuple's results go */
};

static const char *message_text(uint8_t message) {
  static const char *const texts[] = {
#define X(id, text) text,
      BIFROST_MESSAGES(X)
#undef X
  };
  return message < MESSAGE_COUNT ? texts[message] : "reserved";
}

static const char *flow_text(uint8_t flow) {
  static const char *const texts[] = {
#define X(id, text) text,
      BIFROST_FLOWS(X)
#undef X
  };
  return texts[flow];
}

static void list_waits(uint8_t slots, FILE *out) {
  const char *separator = "";
  if (!slots)
    return;
  fputs("dwb(", out);
  for (unsigned i = 0; i < 8; i++)
    if (slots >> i & 1) {
      fprintf(out, "%s%u", separator, i);
      separator = ", ";
    }
  fputs(") ", out);
}

static void list_header(const struct clause_header *header, FILE *out) {
  static const char *const subnormals[] = {"", "ftz_dx11 ", "ftz_hsa ", "ftz_au "};
  static const char *const exceptions[] = {"", "fpe_ts ", "fpe_pd ", "fpe_psqr "};
  fprintf(out, "ds(%u) %s%s ", header->dependency_slot, header->waits_for_staging ? "osrb " : "",
          flow_text(header->flow));
  fprintf(out, "%s%s%s%s", header->suppresses_inf ? "inf_suppress " : "", header->suppresses_nan ? "nan_suppress " : "",
          subnormals[header->flush_to_zero], exceptions[header->exceptions]);
  if (header->message)
    fprintf(out, "%s ", message_text(header->message));
  fprintf(out, "%s%s", header->ends_discarded ? "td " : "", header->prefetches ? "ncph " : "");
  if (header->next_message)
    fprintf(out, "next_%s ", message_text(header->next_message));
  list_waits(header->dependency_wait, out);
  fputc('\n', out);
}

/* Most of a listing is short texts: no lock is needed, and printf takes long for them. */
static void put(const char *text, FILE *out) {
  while (*text)
    putc_unlocked(*text++, out);
}

static void put_number(unsigned number, FILE *out) {
  if (number > 9)
    put_number(number / 10, out);
  putc_unlocked((int)('0' + number % 10), out);
}

static void put_register(unsigned number, FILE *out) {
  putc_unlocked('r', out);
  put_number(number, out);
}

static void put_modifier(uint8_t value, FILE *out) {
  putc_unlocked('.', out);
  put(bifrost_value_text(value), out);
}

static void list_destination(const struct register_write *write, const char *temporary, FILE *out) {
  static const char *const halves[] = {[SLOT_WRITE_LOW] = ".h0", [SLOT_WRITE_HIGH] = ".h1"};
  if (write->number != NO_REGISTER) {
    put_register(write->number, out);
    putc_unlocked(':', out);
  }
  put(temporary, out);
  if (write->number != NO_REGISTER && halves[write->use])
    put(halves[write->use], out);
}

static void list_value(uint32_t bits, FILE *out) {
  float value;
  memcpy(&value, &bits, sizeof value);
  fprintf(out, "0x%08x /* %f */", bits, (double)value);
}

static void list_code_address(const struct listing *listing, uint64_t constant, enum constant_origin origin,
                              bool high) {
  int64_t distance = constant_distance(constant, origin, high);
  fprintf(listing->out, "clause_%" PRId64, listing->quadword + distance / QUADWORD_BYTES);
  if (origin == ORIGIN_LOW && high)
    put(" >> 32", listing->out);
  if (distance == 0)
    put(" /* jumps to itself */", listing->out);
}

static void list_constant(const struct listing *listing, bool high) {
  uint8_t fau = listing->registers.fau;
  unsigned index = fau_constant(fau);
  uint64_t constant = listing->clause->constants[index] | (fau & 15);
  enum constant_origin origin = listing->clause->origins[index];
  if (origin == ORIGIN_NONE || (origin == ORIGIN_HIGH && !high))
    list_value((uint32_t)(high ? constant >> 32 : constant), listing->out);
  else
    list_code_address(listing, constant, origin, high);
}

static void list_special(uint8_t fau, bool high, FILE *out) {
  static const char *const names[] = {"#0",          "lane_id", "warp_id", "core_id", "framebuffer_size",
                                      "atest_datum", "sample"};
  if (fau < sizeof names / sizeof *names)
    put(names[fau], out);
  else if (fau >= FAU_BLEND && fau < FAU_BLEND + 8)
    fprintf(out, "blend_descriptor_%u", fau - FAU_BLEND);
  else
    fprintf(out, "reserved%u", fau);
  put(high ? ".y" : ".x", out);
}

static void list_fau(const struct listing *listing, bool high) {
  uint8_t fau = listing->registers.fau;
  if (fau >= FAU_UNIFORM)
    fprintf(listing->out, "u%u.w%d", fau - FAU_UNIFORM, high);
  else if (fau >= FAU_CONSTANT)
    list_constant(listing, high);
  else
    list_special(fau, high, listing->out);
}

static void list_source(const struct listing *listing, uint8_t selector, enum bifrost_unit unit) {
  switch (selector) {
  case SOURCE_STAGE:
    put(unit == UNIT_FMA ? "#0" : "t", listing->out);
    break;
  case SOURCE_FAU_LOW:
  case SOURCE_FAU_HIGH:
    list_fau(listing, selector == SOURCE_FAU_HIGH);
    break;
  case SOURCE_PASSED_FMA:
  case SOURCE_PASSED_ADD:
    put(selector == SOURCE_PASSED_FMA ? "t0" : "t1", listing->out);
    break;
  default:
    put_register(listing->registers.read[selector], listing->out);
  }
}

/* Writes the modifiers that a field sets, of those that belong to source `source` (-1: to the instruction). */
static void list_choices(const struct instruction *in, const struct operation_field *field, int source, FILE *out) {
  const struct field_choices *choices = field->choices;
  bool single = choices->count == 1 && !choices->second_bits && !choices->by_order;
  for (unsigned i = 0; i < choices->count; i++) {
    uint8_t target = single ? field->target : choices->targets[i];
    if (bifrost_target_source(target) == source && in->modifier[target] != choices->unprinted[i])
      put_modifier(in->modifier[target], out);
  }
}

static void list_modifiers(const struct instruction *in, int source, FILE *out) {
  for (const struct operation_field *field = in->operation->fields;
       field < in->operation->fields + OPERATION_MAX_FIELDS && field->kind != FIELD_NONE; field++)
    if (field->kind == FIELD_CHOICES)
      list_choices(in, field, source, out);
    else if (field->kind == FIELD_ALWAYS && bifrost_target_source(field->target) == source)
      put_modifier(field->value, out);
}

static void list_numbers(const struct instruction *in, FILE *out) {
  for (const struct operation_field *field = in->operation->fields;
       field < in->operation->fields + OPERATION_MAX_FIELDS && field->kind != FIELD_NONE; field++)
    if (field->kind == FIELD_NUMBER)
      fprintf(out, ", %s:%u", bifrost_number_text(field->target), in->number[field->target]);
}

static void list_operands(const struct listing *listing, const struct instruction *in) {
  bool is_fma = in->operation->unit == UNIT_FMA;
  putc_unlocked(' ', listing->out);
  list_destination(is_fma ? &listing->next.fma : &listing->next.add, is_fma ? "t0" : "t1", listing->out);
  for (int i = 0; i < in->source_count; i++) {
    put(", ", listing->out);
    list_source(listing, in->source[i], in->operation->unit);
    list_modifiers(in, i, listing->out);
  }
  list_numbers(in, listing->out);
  if (in->operation->staging != STAGING_NONE) {
    put(", @", listing->out);
    put_register(listing->clause->header.staging_register, listing->out);
  }
}

static void list_instruction(const struct listing *listing, enum bifrost_unit unit, uint32_t bits) {
  struct instruction in;
  put("    ", listing->out);
  if (instruction_decode(unit, bits, &in)) {
    putc_unlocked(unit == UNIT_FMA ? '*' : '+', listing->out);
    put(in.operation->name, listing->out);
    list_modifiers(&in, -1, listing->out);
    list_operands(listing, &in);
  } else {
    fprintf(listing->out, "INSTR_INVALID_ENC %s %X", unit == UNIT_FMA ? "fma" : "add", bits);
  }
  putc_unlocked('\n', listing->out);
}

void clause_disassemble(const struct clause *clause, unsigned quadword, FILE *out) {
  struct listing listing = {.out = out, .clause = clause, .quadword = quadword};
  fprintf(out, "clause_%u:\n", quadword);
  list_header(&clause->header, out);
  fputs("{\n", out);
  for (unsigned i = 0; i < clause->tuple_count; i++) {
    bool last = i + 1 == clause->tuple_count;
    register_block_decode(clause->tuples[i].registers, i == 0, &listing.registers);
    register_block_decode(clause->tuples[last ? 0 : i + 1].registers, last, &listing.next);
    list_instruction(&listing, UNIT_FMA, clause->tuples[i].fma);
    list_instruction(&listing, UNIT_ADD, clause->tuples[i].add);
  }
  fputs("}\n\n", out);
}

int program_disassemble(const uint8_t *code, size_t size, FILE *out, struct error *error) {
  static const uint8_t padding[4] = {0};
  struct clause clause;
  size_t at = 0;
  while (at < size && !(size - at >= sizeof padding && memcmp(code + at, padding, sizeof padding) == 0)) {
    if (clause_unpack(code + at, size - at, &clause, error))
      return -1;
    clause_disassemble(&clause, (unsigned)(at / QUADWORD_BYTES), out);
    at += (size_t)clause.quadword_count * QUADWORD_BYTES;
  }
  return 0;
}
