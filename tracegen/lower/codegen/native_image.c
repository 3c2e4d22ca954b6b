#include "tracegen/lower/codegen/native_image.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tracegen/lower/ir/emulator_calls.h"

struct native_image {
  unsigned char *memory;
  size_t bytes;
  unsigned char *object; /* a copy, for its tables */
  const Elf64_Sym *symbols;
  size_t symbol_count;
  const char *names;
  size_t name_bytes;
  unsigned char **places; /* by section: where it lies; NULL: nowhere */
};

/* An object file, while its sections are placed. */
struct object {
  const unsigned char *bytes;
  size_t length;
  const Elf64_Shdr *sections;
  size_t section_count;
};

/* Returns whether the part lies in the object, as whole elements at an address that suits them. */
static bool holds(const struct object *o, uint64_t offset, uint64_t bytes, size_t element) {
  return offset <= o->length && bytes <= o->length - offset && offset % 8 == 0 && bytes % element == 0;
}

static bool read_header(struct object *o) {
  const Elf64_Ehdr *h = (const void *)o->bytes;
  if (o->length < sizeof *h || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0 || h->e_ident[EI_CLASS] != ELFCLASS64 ||
      h->e_machine != EM_X86_64 || h->e_type != ET_REL || h->e_shentsize != sizeof(Elf64_Shdr) ||
      !holds(o, h->e_shoff, (uint64_t)h->e_shnum * sizeof(Elf64_Shdr), 1))
    return false;
  o->sections = (const void *)(o->bytes + h->e_shoff);
  o->section_count = h->e_shnum;
  return true;
}

static bool is_placed(const Elf64_Shdr *s) {
  return (s->sh_flags & SHF_ALLOC) != 0 && s->sh_type == SHT_PROGBITS && s->sh_size > 0;
}

/* Finds the symbols and their names. */
static bool read_symbols(const struct object *o, struct native_image *image) {
  for (size_t i = 0; i < o->section_count; i++) {
    const Elf64_Shdr *s = &o->sections[i];
    if (s->sh_type != SHT_SYMTAB)
      continue;
    if (s->sh_link >= o->section_count || !holds(o, s->sh_offset, s->sh_size, sizeof(Elf64_Sym)))
      return false;
    const Elf64_Shdr *names = &o->sections[s->sh_link];
    if (names->sh_offset > o->length || names->sh_size > o->length - names->sh_offset || names->sh_size == 0 ||
        o->bytes[names->sh_offset + names->sh_size - 1] != '\0')
      return false;
    image->symbols = (const void *)(o->bytes + s->sh_offset);
    image->symbol_count = s->sh_size / sizeof(Elf64_Sym);
    image->names = (const char *)o->bytes + names->sh_offset;
    image->name_bytes = names->sh_size;
    return true;
  }
  return false;
}

/* Returns the bytes of all sections that are placed, one behind the other; 0: some section cannot be placed. */
static size_t placed_bytes(const struct object *o) {
  size_t bytes = 0;
  for (size_t i = 0; i < o->section_count; i++) {
    const Elf64_Shdr *s = &o->sections[i];
    const bool written = (s->sh_flags & SHF_WRITE) != 0 && (s->sh_flags & SHF_ALLOC) != 0 && s->sh_size > 0;
    if (written || (is_placed(s) && (s->sh_offset > o->length || s->sh_size > o->length - s->sh_offset ||
                                     s->sh_addralign > 4096 || (s->sh_addralign & (s->sh_addralign - 1)) != 0)))
      return 0;
    if (is_placed(s))
      bytes += s->sh_size + (s->sh_addralign ? s->sh_addralign : 1);
  }
  return bytes;
}

static bool place_sections(const struct object *o, struct native_image *image) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = placed_bytes(o);
  size_t used = 0;
  image->bytes = (bytes + page - 1) / page * page;
  image->places = calloc(o->section_count + 1, sizeof *image->places);
  if (bytes == 0 || !image->places)
    return false;
  void *memory = mmap(NULL, image->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return false;
  image->memory = memory;
  for (size_t i = 0; i < o->section_count; i++) {
    const Elf64_Shdr *s = &o->sections[i];
    const size_t align = s->sh_addralign ? s->sh_addralign : 1;
    if (!is_placed(s))
      continue;
    used = (used + align - 1) / align * align;
    image->places[i] = image->memory + used;
    memcpy(image->places[i], o->bytes + s->sh_offset, s->sh_size);
    used += s->sh_size;
  }
  return true;
}

static const char *name_of(const struct native_image *image, const Elf64_Sym *symbol) {
  return symbol->st_name < image->name_bytes ? image->names + symbol->st_name : "";
}

/* Returns the address of a function of the emulator or of the process; 0: there is none. */
static uint64_t outside_address(const char *name) {
  for (const struct emulator_call *call = emulator_calls; call->name; call++)
    if (strcmp(call->name, name) == 0)
      return (uintptr_t)call->function;
  return name[0] ? (uintptr_t)dlsym(RTLD_DEFAULT, name) : 0;
}

/* Returns the address of a symbol; 0: it has none. */
static uint64_t address_of(const struct object *o, const struct native_image *image, const Elf64_Sym *symbol) {
  if (symbol->st_shndx == SHN_UNDEF)
    return outside_address(name_of(image, symbol));
  if (symbol->st_shndx >= o->section_count || !image->places[symbol->st_shndx] ||
      symbol->st_value > o->sections[symbol->st_shndx].sh_size)
    return 0;
  return (uintptr_t)image->places[symbol->st_shndx] + symbol->st_value;
}

static bool relocate(const struct object *o, struct native_image *image, const Elf64_Shdr *list) {
  const Elf64_Shdr *target = &o->sections[list->sh_info];
  unsigned char *const place = image->places[list->sh_info];
  const Elf64_Rela *all = (const void *)(o->bytes + list->sh_offset);
  for (size_t i = 0; i < list->sh_size / sizeof *all; i++) {
    const Elf64_Rela *r = &all[i];
    const uint64_t number = ELF64_R_SYM(r->r_info);
    if (ELF64_R_TYPE(r->r_info) != R_X86_64_64 || number >= image->symbol_count || target->sh_size < 8 ||
        r->r_offset > target->sh_size - 8)
      return false;
    const uint64_t address = address_of(o, image, &image->symbols[number]);
    const uint64_t value = address + (uint64_t)r->r_addend;
    if (!address)
      return false;
    memcpy(place + r->r_offset, &value, sizeof value);
  }
  return true;
}

static bool relocate_all(const struct object *o, struct native_image *image) {
  for (size_t i = 0; i < o->section_count; i++) {
    const Elf64_Shdr *s = &o->sections[i];
    if (s->sh_type == SHT_REL)
      return false;
    if (s->sh_type != SHT_RELA || s->sh_info >= o->section_count || !image->places[s->sh_info])
      continue;
    if (!holds(o, s->sh_offset, s->sh_size, sizeof(Elf64_Rela)) || !relocate(o, image, s))
      return false;
  }
  return true;
}

/* malloc aligns the copy to 16 bytes, as the tables of the object need. */
static bool copy_object(struct native_image *image, const void *object, size_t length) {
  image->object = malloc(length + 1);
  if (image->object)
    memcpy(image->object, object, length);
  return image->object;
}

struct native_image *native_image_load(const void *object, size_t length) {
  struct native_image *image = calloc(1, sizeof *image);
  if (!image)
    return NULL;
  if (copy_object(image, object, length)) {
    struct object o = {.bytes = image->object, .length = length};
    if (read_header(&o) && read_symbols(&o, image) && place_sections(&o, image) && relocate_all(&o, image) &&
        mprotect(image->memory, image->bytes, PROT_READ | PROT_EXEC) == 0)
      return image;
  }
  native_image_destroy(image);
  return NULL;
}

void *native_image_find(const struct native_image *image, const char *name) {
  const Elf64_Ehdr *h = (const void *)image->object;
  const struct object o = {.sections = (const void *)(image->object + h->e_shoff), .section_count = h->e_shnum};
  for (size_t i = 0; i < image->symbol_count; i++) {
    const Elf64_Sym *s = &image->symbols[i];
    if (s->st_shndx != SHN_UNDEF && strcmp(name_of(image, s), name) == 0)
      return (void *)(uintptr_t)address_of(&o, image, s);
  }
  return NULL;
}

void native_image_destroy(struct native_image *image) {
  if (!image)
    return;
  if (image->memory)
    munmap(image->memory, image->bytes);
  free(image->places);
  free(image->object);
  free(image);
}
