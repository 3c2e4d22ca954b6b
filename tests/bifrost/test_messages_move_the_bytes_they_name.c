/* Every load, store and atomic operation, with random modifiers, addresses and data, does to registers and memory what
 * a plain reference does: at least 10,000 cases of each. */
#include "expect_error.h"

#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "clause_packer.h"
#include "fuzzed_rows.h"
#include "tracegen/bifrost/exec/warp.h"

#define CODE        ((uint64_t)0x100000000)
#define DATA        ((uint64_t)0x2fffffff0) /* addresses carry into their upper words */
#define TABLE       ((uint64_t)0x400000000)
#define DATA_BYTES  64
#define FMA_NOP     0x701963
#define ADDRESS_LOW 1 /* registers */
#define STAGING     8
#define ATOM_CX     0xd7400 /* its sources are the registers 1 and 2 */

/* A warp, and all that it may change; and the reference's copy. */
struct world {
  uint8_t data[DATA_BYTES], local[DATA_BYTES], private[WARP_LANES][DATA_BYTES];
  uint32_t registers[WARP_LANES][8]; /* staging registers */
};

struct bench {
  uint8_t code[PACKED_CLAUSE_BYTES], table[8];
  _Alignas(16) struct world world;
  struct world wanted;
  struct bifrost_region regions[3];
  struct bifrost_memory memory;
  struct bifrost_dispatch dispatch;
  struct random_state random;
  uint8_t active;
  uint32_t offset[WARP_LANES];
};

static void fill_random(struct random_state *random, void *bytes, size_t count) {
  for (size_t i = 0; i < count; i++)
    ((uint8_t *)bytes)[i] = (uint8_t)random_next(random);
}

/* Returns where a lane's bytes lie in a world: by the segment's name. */
static uint8_t *memory_of(struct world *world, uint8_t segment, unsigned lane, uint32_t offset) {
  return (segment == V_WLS ? world->local : segment == V_TL ? world->private[lane] : world->data) + offset;
}

static unsigned bytes_of(const struct instruction *in) {
  return (unsigned)strtoul(strstr(in->operation->name, ".i") + 2, NULL, 10) / 8;
}

/* Writes to `registers` the values that a load leaves in the staging registers. */
static void reference_load(const struct instruction *in, uint32_t *registers, const uint8_t *memory) {
  const char *part = bifrost_value_text(in->modifier[T_LANE_DEST]);
  unsigned bytes = bytes_of(in), first = part[0] == 'h'   ? (unsigned)(part[1] - '0') * 2
                                         : part[0] == 'b' ? (unsigned)(part[1] - '0')
                                                          : 0;
  unsigned room = part[0] == 'h'   ? 2
                  : part[0] == 'b' ? 1
                  : part[0] == 'd' ? 8
                  : part[0] == 'w' ? 4
                                   : (bytes + 3) / 4 * 4;
  bool is_negative = in->modifier[T_EXTEND] == V_SEXT && memory[bytes - 1] & 0x80;
  for (unsigned i = 0; i < room; i++)
    ((uint8_t *)registers)[first + i] = i < bytes ? memory[i] : is_negative ? 0xff : 0;
}

static uint64_t word_at(const void *memory, unsigned bytes) {
  uint64_t word = 0;
  memcpy(&word, memory, bytes);
  return word;
}

static uint64_t combined(const char *opcode, uint64_t old, uint64_t operand, unsigned bytes) {
  int64_t a = bytes == 8 ? (int64_t)old : (int32_t)(uint32_t)old,
          b = bytes == 8 ? (int64_t)operand : (int32_t)(uint32_t)operand;
  if (strncmp(opcode, "aadd", 4) == 0)
    return old + operand;
  if (strcmp(opcode, "ainc") == 0 || strcmp(opcode, "adec") == 0)
    return opcode[1] == 'i' ? old + 1 : old - 1;
  if (opcode[strlen(opcode) - 1] == '1') /* the operand is 1 */
    operand = 1, b = 1;
  if (strncmp(opcode, "asm", 3) == 0)
    return (a < b) == (opcode[3] == 'i') ? old : operand;
  if (strncmp(opcode, "aum", 3) == 0)
    return (old < operand) == (opcode[3] == 'i') ? old : operand;
  return strncmp(opcode, "aand", 4) == 0  ? old & operand
         : strncmp(opcode, "aor", 3) == 0 ? old | operand
                                          : old ^ operand;
}

/* Executes an atomic operation; its caller checks the combination of the two numbers that the operation returns. */
static void reference_atomic(const struct instruction *in, uint32_t *registers, uint8_t *memory) {
  unsigned bytes = bytes_of(in);
  const char *name = in->operation->name;
  uint64_t old = word_at(memory, bytes), value = word_at(registers, bytes);
  if (strncmp(name, "ATOM_C", 6) == 0)
    value = combined(bifrost_value_text(in->modifier[T_ATOM_OPC]), old, value, bytes);
  else if (strncmp(name, "ACMP", 4) == 0 && word_at((uint8_t *)registers + bytes, bytes) != old)
    value = old;
  memcpy(memory, &value, bytes);
  if (strstr(name, "RETURN") || strstr(name, "XCHG"))
    memcpy(registers, &old, bytes);
}

static void reference_lane(const struct instruction *in, struct bench *bench, unsigned lane) {
  uint8_t *memory = memory_of(&bench->wanted, in->modifier[T_SEG], lane, bench->offset[lane]);
  uint32_t *registers = bench->wanted.registers[lane];
  if (in->operation->message == MESSAGE_LOAD)
    reference_load(in, registers, memory);
  else if (in->operation->message == MESSAGE_STORE)
    memcpy(memory, registers, bytes_of(in));
  else
    reference_atomic(in, registers, memory);
}

static void pack(struct bench *bench, const struct operation *row, uint32_t bits) {
  struct clause clause = {.tuple_count = 1, .header = {.staging_register = STAGING}};
  bool is_half = row->unit == UNIT_FMA;
  clause.tuples[0] =
      (struct clause_tuple){(uint64_t)3 << 31 | 40 << 8 | 3 << 14 | ADDRESS_LOW << 20 | (uint64_t)2 << 25,
                            is_half ? bits : FMA_NOP, is_half ? ATOM_CX | 1 << 3 | 2 << 6 : bits};
  pack_clause(&clause, bench->code);
}

/* Chooses aligned offsets, of which some are equal. */
static void choose_offsets(struct bench *bench, unsigned bytes) {
  unsigned step = bytes & (bytes - 1) ? 1 : bytes;
  for (unsigned i = 0; i < WARP_LANES; i++)
    bench->offset[i] = random_below(&bench->random, (DATA_BYTES - bytes) / step + 1) * step;
}

static void set_registers(struct bench *bench, struct warp *warp, uint8_t segment) {
  bool is_global = segment != V_WLS && segment != V_TL && segment != V_UBO;
  for (unsigned lane = 0; lane < WARP_LANES; lane++) {
    uint64_t address = bench->offset[lane] + (is_global ? DATA : 0);
    warp->values[ADDRESS_LOW].at[lane] = (uint32_t)address;
    warp->values[ADDRESS_LOW + 1].at[lane] = (uint32_t)(address >> 32);
    for (unsigned i = 0; i < 8; i++)
      warp->values[STAGING + i].at[lane] = bench->world.registers[lane][i];
  }
}

/* Half of the lanes of a compare-and-exchange name the value that memory holds. */
static void make_some_equal(struct bench *bench, const struct instruction *in) {
  for (unsigned lane = 0; lane < WARP_LANES; lane += 2)
    if (strncmp(in->operation->name, "ACMP", 4) == 0)
      memcpy((uint8_t *)bench->world.registers[lane] + bytes_of(in),
             memory_of(&bench->world, in->modifier[T_SEG], lane, bench->offset[lane]), bytes_of(in));
}

static void read_back(struct bench *bench, const struct bifrost_runner *runner) {
  memcpy(bench->world.local, runner->local, DATA_BYTES);
  memcpy(bench->world.private, runner->private, sizeof bench->world.private);
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    for (unsigned i = 0; i < 8; i++)
      bench->world.registers[lane][i] = runner->warps[0].values[STAGING + i].at[lane];
}

/* The second number of a result is free; ATOM_POST with it gives the first again, which another test checks. */
static void forget_second_numbers(struct bench *bench, const struct instruction *in) {
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    if (strstr(in->operation->name, "_RETURN.i32"))
      bench->world.registers[lane][1] = bench->wanted.registers[lane][1] = 0;
}

static void run_once(struct bench *bench, const struct bifrost_shader *shader, const struct instruction *in) {
  struct bifrost_runner *runner;
  struct error error = ERROR_INIT;
  uint8_t taken;
  fill_random(&bench->random, &bench->world, sizeof bench->world);
  bench->active = (uint8_t)(random_next(&bench->random) | 1);
  choose_offsets(bench, bytes_of(in));
  make_some_equal(bench, in);
  bench->wanted = bench->world;
  assert_int_equal(bifrost_runner_create(shader, &bench->dispatch, NULL, &runner, NULL), 0);
  memset(runner->warps, 0, sizeof *runner->warps);
  memcpy(runner->local, bench->world.local, DATA_BYTES);
  memcpy(runner->private, bench->world.private, sizeof bench->world.private);
  set_registers(bench, &runner->warps[0], in->modifier[T_SEG]);
  runner->warps[0].alive = 0xff;
  runner->at.lanes = bench->active;
  runner->error = &error;
  if (clause_run(runner, &runner->warps[0], shader->clauses, &taken))
    fail_msg("%s: %s", in->operation->name, error.text);
  read_back(bench, runner);
  bifrost_runner_destroy(runner);
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    if (bench->active >> lane & 1)
      reference_lane(in, bench, lane);
  forget_second_numbers(bench, in);
  if (memcmp(&bench->world, &bench->wanted, sizeof bench->world) != 0)
    fail_msg("%s.%s.%s does not do what the reference does", in->operation->name,
             bifrost_value_text(in->modifier[T_SEG]), bifrost_value_text(in->modifier[T_LANE_DEST]));
}

/* Runs a random encoding some times. Returns how many cases that were. */
static unsigned try_encoding(struct bench *bench, const struct operation *row) {
  struct bifrost_shader *shader;
  struct instruction in;
  struct error error = ERROR_INIT;
  uint32_t all = row->unit == UNIT_FMA ? 0x7fffff : 0xfffff,
           bits = ((uint32_t)random_next(&bench->random) & all & ~row->mask) | row->bits;
  unsigned cases = 0;
  bits = ((bits & ~077u) | 1 << 3 | (row->bits & 077)); /* sources: registers 1 and 2 */
  if (strncmp(row->name, "ATOM_C1", 7) == 0)
    bits |= (uint32_t)random_below(&bench->random, 5) << 6;
  if (!instruction_decode(row->unit, bits, &in) || in.operation != row)
    return 0;
  pack(bench, row, bits);
  if (bifrost_shader_create(&bench->dispatch, &shader, &error))
    fail_msg("%s: %s", row->name, error.text);
  for (; cases < 80 && shader->tuples[0].slots[UNIT_ADD].action != ACTION_UNSUPPORTED; cases += WARP_LANES)
    run_once(bench, shader, &in);
  bifrost_shader_destroy(shader);
  return cases;
}

static void set_up(struct bench *bench) {
  uint64_t descriptor = (DATA_BYTES / 16 - 1) | DATA >> 4 << 12;
  memcpy(bench->table, &descriptor, sizeof descriptor);
  bench->regions[0] = (struct bifrost_region){CODE, PACKED_CLAUSE_BYTES, bench->code, true};
  bench->regions[1] = (struct bifrost_region){DATA, DATA_BYTES, bench->world.data, false};
  bench->regions[2] = (struct bifrost_region){TABLE, sizeof bench->table, bench->table, false};
  bench->memory = (struct bifrost_memory){bench->regions, 3};
  bench->dispatch = (struct bifrost_dispatch){.memory = &bench->memory,
                                              .architecture = 7,
                                              .warp_lanes = 8,
                                              .groups = {1, 1, 1},
                                              .local = {8, 1, 1},
                                              .shader = CODE,
                                              .tls_bytes = DATA_BYTES,
                                              .wls_bytes = DATA_BYTES,
                                              .uniform_buffers = TABLE,
                                              .uniform_buffer_count = 1};
}

static void every_message_equals_its_reference(void **state) {
  static struct bench bench = {.random = {7}};
  unsigned operations = 0;
  (void)state;
  set_up(&bench);
  for (const struct operation *row = bifrost_operations; row < bifrost_operations + bifrost_operation_count; row++) {
    if (fuzz_of(row) != FUZZ_MESSAGES || strcmp(row->name, "ATOM_CX") == 0) /* each ATOM_C runs with an ATOM_CX */
      continue;
    for (unsigned cases = 0; cases < FUZZ_CASES;)
      cases += try_encoding(&bench, row);
    operations++;
  }
  assert_true(operations >= 35);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_message_equals_its_reference)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
