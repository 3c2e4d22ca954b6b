/* Programs of the differential test as trees, so that they can be generated, printed as OpenCL C 1.2 and shrunk.
 *
 * What a program may hold has one meaning: printing guards shifts, divisions, indices and signed overflow, whatever the
 * tree says, so every tree that the shrinker makes is as well defined as the generator's.
 * Ownership: program_clear frees all nodes at once. Threads: one program, one thread. */
#ifndef DIFFERENTIAL_PROGRAM_H
#define DIFFERENTIAL_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum base {
  BASE_CHAR,
  BASE_UCHAR,
  BASE_SHORT,
  BASE_USHORT,
  BASE_INT,
  BASE_UINT,
  BASE_LONG,
  BASE_ULONG,
  BASE_FLOAT,
  BASE_DOUBLE,
  BASE_COUNT
};

struct type {
  uint8_t base, width; /* width: 1, 2, 3, 4, 8, 16 */
};

enum node_kind {
  /* Expressions: `type` is the value's. */
  EXPR_CONST,       /* bits or real, the same in all lanes */
  EXPR_VARIABLE,    /* index */
  EXPR_UNARY,       /* index: character - or ~ */
  EXPR_BINARY,      /* index: character + - * / % & | ^ < (shift left) > (shift right) */
  EXPR_COMPARE,     /* index into compare_names */
  EXPR_LOGIC,       /* index: character & | ! on scalars */
  EXPR_SELECT,      /* condition ? a : b, element by element for vectors */
  EXPR_CONVERT,     /* from another base of the same width; saturated from floats */
  EXPR_SPLAT,       /* a scalar in all lanes */
  EXPR_HALVES,      /* a vector from two of half its width */
  EXPR_SWIZZLE,     /* lanes of a vector */
  EXPR_REINTERPRET, /* as_type from integers of the same size; bits: by a union */
  EXPR_BUILTIN,     /* index into builtins */
  EXPR_LOAD,        /* index: object; child: place */
  EXPR_CALL,        /* index: helper */
  EXPR_ID,          /* index into id_names; bits: dimension */
  /* Statements. */
  STMT_BLOCK,
  STMT_ASSIGN,    /* index: variable */
  STMT_LANES,     /* some lanes of a variable */
  STMT_STORE,     /* index: object; children: place, value */
  STMT_IF,        /* condition, block, block */
  STMT_LOOP,      /* index: its counter; children: number of iterations (below 8), block; bits: enum loop_form */
  STMT_SWITCH,    /* value, blocks; bit n of bits: case n falls through */
  STMT_LEAVE_IF,  /* condition; bits: break or continue */
  STMT_RETURN_IF, /* condition, value; helpers only */
  STMT_EXCHANGE,  /* index: local object; children: value to share, place to read; bits: variable that receives */
  STMT_TALLY,     /* the same with atomics on a cleared local object: place, value, place to read */
  STMT_ATOMIC,    /* index: global object; children: place, value */
  STMT_POINTERS, /* index: variable; bits: another one of its type; through pointers to pointers, children: which, value
                  */
  STMT_RECORD,   /* the structure that holds some variables; index: one of them; children: place, its new value */
  STMT_COPY,     /* async_work_group_strided_copy. index: local object; bits: struct copy */
};

#define FIRST_STATEMENT STMT_BLOCK

struct node {
  enum node_kind kind;
  struct type type;
  uint32_t index;
  uint64_t bits;
  double real;
  uint8_t lanes[16];
  struct node *first, *next; /* children, siblings */
};

enum loop_form { LOOP_FOR, LOOP_WHILE, LOOP_DO, LOOP_ENTERED_IN_THE_MIDDLE /* a second block */ };

enum object_kind {
  OBJECT_INPUT,
  OBJECT_OUTPUT,
  OBJECT_PRIVATE,
  OBJECT_LOCAL,
  OBJECT_TABLE,
  OBJECT_TALLY,
  OBJECT_ATOMIC,
  OBJECT_VALUE /* an argument by value */
};

struct object {
  enum object_kind kind;
  struct type type;
  uint32_t count;           /* elements, a power of two; OUTPUT: for each work-item */
  uint64_t seed;            /* contents of tables and private arrays; which atomic function */
  bool vectors_by_function; /* INPUT: vloadN instead of an array of vectors */
  bool is_argument;         /* LOCAL: a pointer that the kernel gets */
  bool used;                /* set while printing */
};

struct variable {
  struct type type;
  bool is_counter; /* of a loop: declared there, never assigned */
  bool in_record;  /* a member of the kernel's structure */
  bool is_volatile;
  uint64_t seed; /* of its first value */
  bool used;
};

#define MAX_VARIABLES  48
#define MAX_OBJECTS    24
#define MAX_HELPERS    3
#define MAX_PARAMETERS 4

/* The contents of the bits of STMT_COPY. */
struct copy {
  uint8_t out;    /* from local to global memory */
  uint8_t object; /* the global one */
  uint8_t stride, start, target;
};

struct function {
  struct variable variables[MAX_VARIABLES]; /* a helper's parameters first */
  uint32_t variable_count, parameter_count;
  struct node *body;
  struct type result_type; /* helpers */
  struct node *result;
  bool used;
};

struct kernel {
  uint32_t number;
  uint32_t dimensions, local[3], groups[3], offset[3];
  bool packed;      /* the structure */
  bool irreducible; /* loops that are entered in the middle, and no barriers: PoCL cannot have both */
  struct object objects[MAX_OBJECTS];
  uint32_t object_count;
  struct function helpers[MAX_HELPERS], main;
  uint32_t helper_count;
};

struct program {
  struct kernel *kernels;
  uint32_t kernel_count;
  struct node **nodes; /* all, for freeing */
  size_t node_count, node_capacity;
};

#define ID_COUNT 8

/* Variables that every function has: 0 is the work-item's number, 1 its number in the group (kernels only). */
enum { VARIABLE_ITEM, VARIABLE_LANE, FIXED_VARIABLES };

extern const char *const base_names[BASE_COUNT];
extern const char *const id_names[ID_COUNT];
extern const char *const compare_names[]; /* == != < > <= >=, then floats' isequal... */
#define COMPARE_OPERATORS 6
#define COMPARE_COUNT     13

struct builtin {
  const char *name;
  uint8_t arity;
  bool integers, floats;
};
extern const struct builtin builtins[];
extern const uint32_t builtin_count;

static inline bool base_is_float(uint8_t base) {
  return base >= BASE_FLOAT;
}

static inline bool base_is_signed(uint8_t base) {
  return !base_is_float(base) && base % 2 == 0;
}

static inline uint32_t base_bytes(uint8_t base) {
  return base >= BASE_FLOAT ? (base == BASE_FLOAT ? 4u : 8u) : 1u << (base / 2);
}

static inline struct type signed_of(struct type t) { /* what a comparison of vectors gives */
  static const uint8_t by_bytes[] = {0, BASE_CHAR, BASE_SHORT, 0, BASE_INT, 0, 0, 0, BASE_LONG};
  return (struct type){by_bytes[base_bytes(t.base)], t.width};
}

static inline uint32_t group_size(const struct kernel *k) {
  return k->local[0] * k->local[1] * k->local[2];
}

static inline uint32_t item_count(const struct kernel *k) {
  return group_size(k) * k->groups[0] * k->groups[1] * k->groups[2];
}

static inline bool same_type(struct type a, struct type b) {
  return a.base == b.base && a.width == b.width;
}

static inline struct copy copy_of(const struct node *n) {
  struct copy c;
  memcpy(&c, &n->bits, sizeof c);
  return c;
}

/* A child by its place; NULL behind the last. */
static inline struct node *child(const struct node *n, uint32_t place) {
  struct node *c = n->first;
  while (c && place--)
    c = c->next;
  return c;
}

/* A zeroed node that the program owns. Ends the test when memory runs out. */
struct node *program_node(struct program *p, enum node_kind kind, struct type type);
void program_clear(struct program *p);

/* `count` kernels; the same seed gives the same program on every machine. Kernel i of it depends on seed and i only. */
void program_generate(struct program *p, uint64_t seed, uint32_t first, uint32_t count);

/* The OpenCL C of kernels [from, from + count), and a workload that runs them from `source`. */
void program_print(struct program *p, uint32_t from, uint32_t count, FILE *out);
void program_print_workload(struct program *p, uint32_t from, uint32_t count, const char *name, const char *source,
                            const char *about, uint64_t seed, FILE *out);

/* Makes kernel `k` as small as `still_fails` allows, in at most `attempts` trials; returns the trials made. */
typedef bool still_fails(void *user);
uint32_t program_shrink(struct program *p, struct kernel *k, still_fails *test, void *user, uint32_t attempts);

#endif
