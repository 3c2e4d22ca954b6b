/* Our listing of each recorded shader is one of those that the driver printed when it compiled the kernel, byte for
 * byte. */
#include "bifrost_recordings.h"

#include "tracegen/bifrost/isa/disassemble.h"

static size_t clauses;

static int list(void *context, const struct bifrost_dispatch *dispatch, struct error *error) {
  const struct bifrost_region *region = bifrost_memory_region(dispatch->memory, dispatch->shader, QUADWORD_BYTES);
  size_t offset = (size_t)(dispatch->shader - region->address);
  return program_disassemble(region->data + offset, (size_t)region->bytes - offset, context, error);
}

static char *listing_of(const struct bifrost_recording *recording) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  const struct bifrost_job_handler handler = {.dispatch = list, .context = out};
  struct error error = ERROR_INIT;
  if (bifrost_job_chain_run(&recording->before, recording->product, recording->job_chain, &handler, &error))
    fail_msg("%s", error.text);
  fclose(out);
  return text;
}

static void check_listing(const char *name, struct bifrost_recording *recording) {
  char *listing = listing_of(recording);
  assert_non_null(strstr(listing, "clause_0:\n"));
  if (!strstr(recording->disassembly, listing))
    fail_msg("%s: the driver printed no such listing:\n%s", name, listing);
  for (const char *at = listing; (at = strstr(at, "}\n")); at++)
    clauses++;
  free(listing);
}

static void every_clause_is_listed_as_the_driver_does(void **state) {
  const size_t recordings = for_each_recording(check_listing);
  (void)state;
  printf("%zu recordings, %zu clauses: all are listed as the driver does\n", recordings, clauses);
  assert_true(recordings_of_user() || (recordings >= 48 && clauses >= 900));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_clause_is_listed_as_the_driver_does)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
