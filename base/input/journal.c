#include "base/input/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/input/json_parse.h"
#include "base/text.h"

enum { CHECKSUM_DIGITS = 16 };

struct journal {
  const struct journal_kind *kind;
  int descriptor;
  char *path;
  off_t end; /* behind the last whole line */
};

/* Where lines go as they are read. */
struct reading {
  const char *path;
  const struct journal_kind *kind;
  const json_t *head;
  journal_take *take;
  void *context;
};

/* ---- head ---- */

static int compare_heads(const struct reading *reading, const json_t *found, struct error *error) {
  if (json_ran_out_of_memory()) /* a part of a head may be missing */
    return error_no_memory(error);
  for (const struct journal_member *member = reading->kind->members; member->key; member++) {
    const json_t *mine = json_object_get(reading->head, member->key), *theirs = json_object_get(found, member->key);
    if (mine && theirs && json_equal(mine, theirs))
      continue;
    const char *a = json_string_value(theirs), *b = json_string_value(mine);
    return error_at(error, ERROR_INPUT, reading->path, 1, 0, member->key,
                    "this journal is of another run: %s differs%s%s%s%s%s; %s", member->meaning,
                    a && b ? " (found " : "", a && b ? a : "", a && b ? ", expected " : "", a && b ? b : "",
                    a && b ? ")" : "", reading->kind->otherwise);
  }
  return 0;
}

static int take_head(const char *path, const struct journal_kind *kind, const char *rest, json_t **out,
                     struct error *error) {
  json_error_t problem;
  *out = rest ? json_parse(rest, strlen(rest), JSON_REJECT_DUPLICATES, &problem) : NULL;
  if (json_is_object(*out))
    return 0;
  if (rest && !*out && json_problem_is_memory(&problem))
    return error_no_memory(error);
  json_decref(*out);
  *out = NULL;
  return error_at(error, ERROR_INPUT, path, 1, 0, NULL, "is no journal of %s, or its first line is damaged", kind->run);
}

/* ---- reading ---- */

/* Returns the rest of a whole, undamaged line (its end removed), or NULL for any other. */
static char *checked_rest(char *line, ssize_t length) {
  unsigned long long sum;
  int used = 0;
  if (length <= CHECKSUM_DIGITS + 1 || line[length - 1] != '\n' || strlen(line) != (size_t)length)
    return NULL;
  line[length - 1] = '\0';
  if (sscanf(line, "%16llx%n", &sum, &used) != 1 || used != CHECKSUM_DIGITS || line[CHECKSUM_DIGITS] != ' ')
    return NULL;
  char *rest = line + CHECKSUM_DIGITS + 1;
  return text_hash(TEXT_HASH_START, rest, strlen(rest)) == sum ? rest : NULL;
}

static int check_head(const struct reading *reading, const char *rest, struct error *error) {
  json_t *found;
  int status = take_head(reading->path, reading->kind, rest, &found, error);
  if (status == 0)
    status = compare_heads(reading, found, error);
  json_decref(found);
  return status;
}

/* Returns false where getline, which returned this length, found neither a line nor the end. */
static bool line_was_read(FILE *file, ssize_t length) {
  return length >= 0 || (feof(file) && !ferror(file));
}

/* Reads from the beginning. *end becomes the end of the last whole line, or 0 if there is no whole head. */
static int read_lines(FILE *file, const struct reading *reading, off_t *end, struct error *error) {
  char *line = NULL;
  size_t capacity = 0;
  ssize_t length = 0;
  int status = 0;
  *end = 0;
  for (unsigned number = 1; status == 0 && (length = getline(&line, &capacity, file)) > 0; number++) {
    if (line[length - 1] != '\n') /* the run ended while it wrote this line */
      break;
    *end += length;
    char *rest = checked_rest(line, length);
    if (number == 1)
      status = check_head(reading, rest, error);
    else if (rest)
      status = reading->take(reading->context, reading->path, number, rest, error);
  }
  if (status == 0 && !line_was_read(file, length)) /* errno is of getline */
    status = error_at(error, ERROR_WORK, reading->path, 0, 0, NULL, "cannot read the journal: %s", strerror(errno));
  free(line);
  return status;
}

static FILE *open_to_read(const char *path, struct error *error) {
  FILE *file = fopen(path, "re");
  if (!file)
    error_at(error, error_kind_of(errno), path, 0, 0, NULL, "cannot open the journal: %s", strerror(errno));
  return file;
}

int journal_read_head(const char *path, const struct journal_kind *kind, json_t **out, struct error *error) {
  char *line = NULL;
  size_t capacity = 0;
  *out = NULL;
  FILE *file = open_to_read(path, error);
  if (!file)
    return -1;
  const ssize_t length = getline(&line, &capacity, file);
  const int status =
      line_was_read(file, length)
          ? take_head(path, kind, length > 0 ? checked_rest(line, length) : NULL, out, error)
          : error_at(error, ERROR_WORK, path, 0, 0, NULL, "cannot read the journal: %s", strerror(errno));
  free(line);
  fclose(file);
  return status;
}

int journal_read(const char *path, const struct journal_kind *kind, const json_t *head, journal_take *take,
                 void *context, struct error *error) {
  const struct reading reading = {path, kind, head, take, context};
  off_t end;
  FILE *file = open_to_read(path, error);
  if (!file)
    return -1;
  int status = read_lines(file, &reading, &end, error);
  if (status == 0 && end == 0)
    status = error_at(error, ERROR_INPUT, path, 0, 0, NULL, "is empty: that run ended before its first result");
  fclose(file);
  return status;
}

/* ---- writing ---- */

static int cannot_write(const struct journal *journal, struct error *error) {
  const int reason = errno;
  return error_at(error, ERROR_WORK, journal->path, 0, 0, NULL,
                  "cannot write the journal: %s; what was there stays, and %s goes on from it", strerror(reason),
                  journal->kind->goes_on);
}

/* Writes a whole line or nothing: a part that a full disk accepted is cut off again. */
static int write_line(struct journal *journal, const char *line, size_t length, struct error *error) {
  for (size_t written = 0; written < length;) {
    const ssize_t n = pwrite(journal->descriptor, line + written, length - written, journal->end + (off_t)written);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0) {
      const int status = cannot_write(journal, error);
      if (ftruncate(journal->descriptor, journal->end) != 0)
        return status; /* the reader cuts it off */
      return status;
    }
    written += (size_t)n;
  }
  journal->end += (off_t)length;
  return 0;
}

int journal_append(struct journal *journal, const char *rest, struct error *error) {
  const uint64_t sum = text_hash(TEXT_HASH_START, rest, strlen(rest));
  char *line = text_format("%016llx %s\n", (unsigned long long)sum, rest);
  if (!line)
    return error_no_memory(error);
  const int status = write_line(journal, line, strlen(line), error);
  free(line);
  return status;
}

static int open_file(struct journal *journal, bool resume, struct error *error) {
  journal->descriptor = open(journal->path, O_RDWR | O_CREAT | O_CLOEXEC | (resume ? 0 : O_EXCL), 0666);
  if (journal->descriptor < 0 && errno == EEXIST)
    return error_at(error, ERROR_INPUT, journal->path, 0, 0, NULL,
                    "holds results of a run already: go on with --resume, or choose another output folder");
  if (journal->descriptor < 0)
    return error_at(error, ERROR_WORK, journal->path, 0, 0, NULL, "cannot open the journal: %s", strerror(errno));
  if (flock(journal->descriptor, LOCK_EX | LOCK_NB) != 0)
    return error_at(error, ERROR_WORK, journal->path, 0, 0, NULL, "another run is writing this journal");
  return 0;
}

static int go_on(struct journal *journal, const struct reading *reading, struct error *error) {
  FILE *file = open_to_read(journal->path, error);
  if (!file)
    return -1;
  int status = read_lines(file, reading, &journal->end, error);
  fclose(file);
  if (status == 0 && ftruncate(journal->descriptor, journal->end) != 0)
    status = cannot_write(journal, error);
  return status;
}

static int write_head(struct journal *journal, const json_t *head, struct error *error) {
  char *text = json_text(head, JSON_COMPACT);
  const int status = text ? journal_append(journal, text, error) : error_no_memory(error);
  free(text);
  return status;
}

int journal_open(const char *path, const struct journal_kind *kind, const json_t *head, bool resume, journal_take *take,
                 void *context, struct journal **out, struct error *error) {
  const struct reading reading = {path, kind, head, take, context};
  *out = NULL;
  struct journal *journal = calloc(1, sizeof *journal);
  if (!journal)
    return error_no_memory(error);
  *journal = (struct journal){.kind = kind, .descriptor = -1, .path = strdup(path)};
  int status = journal->path ? open_file(journal, resume, error) : error_no_memory(error);
  if (status == 0 && resume)
    status = go_on(journal, &reading, error);
  if (status == 0 && journal->end == 0)
    status = write_head(journal, head, error);
  if (status != 0) {
    journal_close(journal);
    return -1;
  }
  *out = journal;
  return 0;
}

void journal_close(struct journal *journal) {
  if (!journal)
    return;
  if (journal->descriptor >= 0)
    close(journal->descriptor);
  free(journal->path);
  free(journal);
}
