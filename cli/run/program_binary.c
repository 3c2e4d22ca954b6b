#include "cli/run/program_binary.h"

#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MOST_BYTES 65536 /* of a segment that is read: of a program's notes, or its dynamic section */

struct segments {
  int file;
  Elf64_Ehdr header;
  char bytes[MOST_BYTES];
};

static bool read_header(struct segments *s) {
  return pread(s->file, &s->header, sizeof s->header, 0) == sizeof s->header &&
         memcmp(s->header.e_ident, ELFMAG, SELFMAG) == 0 && s->header.e_ident[EI_CLASS] == ELFCLASS64;
}

/* Reads the `skip`th segment of this type. Returns its bytes as far as there is room; -1 where it is not there. */
static ssize_t read_segment(struct segments *s, Elf64_Word type, unsigned skip) {
  Elf64_Phdr row;
  for (unsigned i = 0; i < s->header.e_phnum; i++) {
    const off_t at = (off_t)(s->header.e_phoff + i * sizeof row);
    if (pread(s->file, &row, sizeof row, at) != sizeof row)
      return -1;
    if (row.p_type == type && skip-- == 0)
      return pread(s->file, s->bytes, row.p_filesz < MOST_BYTES ? row.p_filesz : MOST_BYTES, (off_t)row.p_offset);
  }
  return -1;
}

/* Notes. */

/* Returns where the note behind this one starts. */
static size_t next_note(size_t at, const Elf64_Nhdr *note) {
  const size_t name = ((size_t)note->n_namesz + 3) & ~(size_t)3, text = ((size_t)note->n_descsz + 3) & ~(size_t)3;
  return at + sizeof *note + name + text;
}

static bool is_note_of_go(const struct segments *s, size_t bytes) {
  Elf64_Nhdr note;
  for (size_t at = 0; at + sizeof note + sizeof "Go" <= bytes; at = next_note(at, &note)) {
    memcpy(&note, s->bytes + at, sizeof note);
    if (note.n_namesz >= sizeof "Go" && memcmp(s->bytes + at + sizeof note, "Go", sizeof "Go") == 0)
      return true;
  }
  return false;
}

static bool is_of_go(struct segments *s) {
  ssize_t bytes;
  for (unsigned i = 0; (bytes = read_segment(s, PT_NOTE, i)) >= 0; i++)
    if (is_note_of_go(s, (size_t)bytes))
      return true;
  return false;
}

/* Static programs. */

/* Returns whether the dynamic section is that of a program; the loader, which may be started itself, has that of a
 * library. */
static bool is_position_independent(const struct segments *s, size_t bytes) {
  Elf64_Dyn row;
  for (size_t at = 0; at + sizeof row <= bytes; at += sizeof row) {
    memcpy(&row, s->bytes + at, sizeof row);
    if (row.d_tag == DT_FLAGS_1)
      return row.d_un.d_val & DF_1_PIE;
  }
  return false;
}

static bool is_static(struct segments *s) {
  if (read_segment(s, PT_INTERP, 0) >= 0)
    return false;
  const ssize_t bytes = read_segment(s, PT_DYNAMIC, 0);
  return bytes < 0 || is_position_independent(s, (size_t)bytes);
}

enum program_binary program_binary_of(const char *path) {
  struct segments s = {.file = open(path, O_RDONLY | O_CLOEXEC)};
  enum program_binary found = BINARY_SHARED;
  if (s.file < 0)
    return found;
  if (read_header(&s))
    found = is_of_go(&s) ? BINARY_GO : is_static(&s) ? BINARY_STATIC : BINARY_SHARED;
  close(s.file);
  return found;
}

void binary_watch_look(struct binary_watch *watch) {
  char path[64];
  struct stat file;
  snprintf(path, sizeof path, "/proc/%d/exe", (int)watch->process);
  if (stat(path, &file) || (file.st_ino == watch->file.st_ino && file.st_dev == watch->file.st_dev))
    return;
  watch->file = file;
  const enum program_binary found = program_binary_of(path);
  if (found == BINARY_SHARED)
    return;
  const ssize_t length = readlink(path, watch->path, sizeof watch->path - 1);
  watch->path[length > 0 ? length : 0] = '\0';
  watch->found = found;
}
