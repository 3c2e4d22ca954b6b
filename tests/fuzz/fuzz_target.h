/* The readers of this program as targets for a fuzzer: each takes any bytes, and must neither crash nor hang nor take
 * memory without bounds. fuzz_main.c runs them on kept inputs and on random changes of these; a build with
 * -DREASSEMBLE_FUZZER=ON lets libFuzzer choose the changes (fuzz_libfuzzer.c). */
#ifndef FUZZ_TARGET_H
#define FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

struct fuzz_target {
  const char *name;
  void (*run)(const uint8_t *data, size_t size);
  size_t most_bytes; /* of an input that libFuzzer or a random change makes */
};

/* Ends with a NULL name. */
extern const struct fuzz_target fuzz_targets[];
/* NULL: there is none of this name. */
const struct fuzz_target *fuzz_target_find(const char *name);

/* The targets of the files fuzz_*.c. */
void fuzz_trace(const uint8_t *data, size_t size);
void fuzz_yaml(const uint8_t *data, size_t size);
void fuzz_workload(const uint8_t *data, size_t size);
void fuzz_gpu(const uint8_t *data, size_t size);
void fuzz_isa(const uint8_t *data, size_t size);
void fuzz_sweep(const uint8_t *data, size_t size);
void fuzz_board(const uint8_t *data, size_t size);
void fuzz_json(const uint8_t *data, size_t size);
void fuzz_sweep_journal(const uint8_t *data, size_t size);
void fuzz_tune_journal(const uint8_t *data, size_t size);
void fuzz_capture_log(const uint8_t *data, size_t size);
void fuzz_options(const uint8_t *data, size_t size);
void fuzz_kernel(const uint8_t *data, size_t size);
void fuzz_bifrost(const uint8_t *data, size_t size);
void fuzz_frame(const uint8_t *data, size_t size);     /* where graphics are built */
void fuzz_quads(const uint8_t *data, size_t size);     /* the same */
void fuzz_binned(const uint8_t *data, size_t size);    /* the same */
void fuzz_spirv(const uint8_t *data, size_t size);     /* the same */
void fuzz_execution(const uint8_t *data, size_t size); /* the same */
void fuzz_manifest(const uint8_t *data, size_t size);
void fuzz_virtual_board(const uint8_t *data, size_t size);
void fuzz_report(const uint8_t *data, size_t size);
void fuzz_table(const uint8_t *data, size_t size);
void fuzz_program_times(const uint8_t *data, size_t size);
void fuzz_reference(const uint8_t *data, size_t size);

/* Puts the bytes into a file without a name and returns its path, which is good until the next call. */
const char *fuzz_file(const uint8_t *data, size_t size);
/* Puts the bytes into a file of this name in the working folder, for readers that ask for a name. */
void fuzz_named_file(const char *name, const uint8_t *data, size_t size);
/* Makes a trace of the bytes, as fuzz_trace takes them, and returns its path, which is good until the next call. */
const char *fuzz_trace_file(const uint8_t *data, size_t size);
/* Returns the bytes as a text; the caller frees it. */
char *fuzz_text(const uint8_t *data, size_t size);

#endif
