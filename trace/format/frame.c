#include "trace/format/frame.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include <zstd.h>

#include "base/spill.h"
#include "base/text.h"
#include "trace/format/limits.h"

#define HEAD_BYTES  24
#define START_BYTES 16
#define VERSION     2
#define OLDEST      1 /* oldest version that can be read */

/* This level of zstd does no entropy coding of literals and uses long matches only, because the numbers are differences
 * in few bytes already. On a level of breadth-first search it executes two thirds of the instructions of level -3,
 * which executes a third of those of level 1, for 5 % more bytes. Regular traces do not become larger. */
#define LEVEL     -6
#define MIN_MATCH 7
/* With entropy coding and all match lengths: traces of fragments (docs/graphics.md). */
#define SMALL_LEVEL 6

static const unsigned char magic[8] = {0x89, 'R', 'T', 'R', 'A', 'C', 'E', '\n'};

static void put32(unsigned char *to, uint32_t v) {
  for (int i = 0; i < 4; i++)
    to[i] = (unsigned char)(v >> (8 * i));
}

static uint32_t get32(const unsigned char *from) {
  return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

/* Returns the low half of FNV-1a. It changes with every single bit, as each step is a bijection modulo 2^32. */
static uint32_t checksum(const void *data, size_t length) {
  return (uint32_t)text_hash(TEXT_HASH_START, data, length);
}

#define PIECE_BYTES ((size_t)1 << 20)  /* long payloads are compressed and summed in pieces of this length */
#define LONG_BYTES  (16 * PIECE_BYTES) /* payloads of at least this length are long */

#define LANES     8
#define FNV_PRIME 16777619u

/* Returns the checksum of a payload: FNV-1a of 32-bit words in eight independent lanes, which a processor computes at
 * the same time. zstd's own checksum covers the content only, not every bit of its frame. */
static uint32_t payload_checksum(const unsigned char *data, size_t length) {
  uint32_t lanes[LANES], sum = 0x811c9dc5u;
  size_t at = 0;
  for (uint32_t i = 0; i < LANES; i++)
    lanes[i] = sum + i;
  while (at + 4 * LANES <= length) {
    const size_t end = length - at < PIECE_BYTES ? length : at + PIECE_BYTES;
    for (; at + 4 * LANES <= end; at += 4 * LANES)
      for (unsigned i = 0; i < LANES; i++)
        lanes[i] = (lanes[i] ^ get32(data + at + 4 * (size_t)i)) * FNV_PRIME;
    spill_touched(PIECE_BYTES);
  }
  for (unsigned i = 0; at < length; at += 4, i++) {
    unsigned char word[4] = {0};
    memcpy(word, data + at, length - at < 4 ? length - at : 4);
    lanes[i] = (lanes[i] ^ get32(word)) * FNV_PRIME;
  }
  for (unsigned i = 0; i < LANES; i++)
    sum = (sum ^ lanes[i]) * FNV_PRIME;
  return (sum ^ (uint32_t)length) * FNV_PRIME;
}

static int put(struct frame_writer *w, const void *data, size_t length, struct error *error) {
  for (size_t at = 0; at < length; at += PIECE_BYTES) {
    const size_t some = length - at < PIECE_BYTES ? length - at : PIECE_BYTES;
    if (fwrite((const char *)data + at, 1, some, w->stream) != some)
      return error_set(error, ERROR_WORK, "cannot write the trace: %s", strerror(errno));
    w->bytes += some;
    spill_touched(some);
  }
  return 0;
}

/* A context of each kind that no writer or reader uses. To make one costs as much as a small trace: its tables are
 * cleared, in pages that are touched for the first time. */
static _Atomic(void *) spare_compressor, spare_decompressor;

static void *take_compressor(void) {
  void *context = atomic_exchange(&spare_compressor, NULL);
  if (context || !(context = ZSTD_createCCtx()))
    return context;
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, LEVEL);
  ZSTD_CCtx_setParameter(context, ZSTD_c_minMatch, MIN_MATCH);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  return context;
}

static void give_compressor(void *context) {
  if (context)
    ZSTD_CCtx_reset(context, ZSTD_reset_session_only);
  ZSTD_freeCCtx(context ? atomic_exchange(&spare_compressor, context) : NULL);
}

static void *take_decompressor(void) {
  void *context = atomic_exchange(&spare_decompressor, NULL);
  return context ? context : ZSTD_createDCtx();
}

static void give_decompressor(void *context) {
  ZSTD_freeDCtx(context ? atomic_exchange(&spare_decompressor, context) : NULL);
}

int frame_writer_begin(struct frame_writer *w, FILE *stream, struct error *error) {
  *w = (struct frame_writer){.stream = stream, .context = take_compressor()};
  if (!w->context)
    return error_set(error, ERROR_WORK, "out of memory for compression");
  unsigned char start[START_BYTES] = {0};
  memcpy(start, magic, sizeof magic);
  put32(start + 8, VERSION);
  return put(w, start, sizeof start, error);
}

void frame_writer_pack_small(struct frame_writer *w) {
  ZSTD_CCtx_setParameter(w->context, ZSTD_c_compressionLevel, SMALL_LEVEL);
  ZSTD_CCtx_setParameter(w->context, ZSTD_c_minMatch, 0); /* 0: the level's own */
}

/* Compresses `raw` into `packed`, which has room; a long payload is compressed piece by piece. Returns the length or
 * zstd's error. */
static size_t pack(struct frame_writer *w, const void *raw, size_t length) {
  ZSTD_inBuffer in = {.src = raw};
  ZSTD_outBuffer out = {w->packed.data, w->packed.capacity, 0};
  if (length < LONG_BYTES)
    return ZSTD_compress2(w->context, out.dst, out.size, raw, length);
  ZSTD_CCtx_setPledgedSrcSize(w->context, length);
  for (size_t left = 1; left > 0;) {
    in.size = length - in.size < PIECE_BYTES ? length : in.size + PIECE_BYTES;
    left = ZSTD_compressStream2(w->context, &out, &in, in.size == length ? ZSTD_e_end : ZSTD_e_continue);
    if (ZSTD_isError(left))
      return left;
    left = in.size < length || left > 0;
    spill_touched(2 * PIECE_BYTES);
  }
  return out.pos;
}

int frame_write(struct frame_writer *w, enum frame_kind kind, const void *raw, size_t length, struct error *error) {
  if (length > LIMIT_FRAME_BYTES)
    return error_set(error, ERROR_WORK, "a trace record needs %zu bytes, more than a frame holds (%u)", length,
                     LIMIT_FRAME_BYTES);
  w->packed.length = 0;
  if (!bytes_reserve(&w->packed, ZSTD_compressBound(length)))
    return error_set(error, ERROR_WORK, "out of memory for compression");
  const size_t stored = pack(w, raw, length);
  if (ZSTD_isError(stored))
    return error_set(error, ERROR_WORK, "zstd: %s", ZSTD_getErrorName(stored));
  unsigned char head[HEAD_BYTES];
  put32(head, kind);
  put32(head + 4, w->sequence++);
  put32(head + 8, (uint32_t)length);
  put32(head + 12, (uint32_t)stored);
  put32(head + 16, checksum(head, 16));
  put32(head + 20, payload_checksum(w->packed.data, stored));
  if (put(w, head, sizeof head, error) != 0)
    return -1;
  return put(w, w->packed.data, stored, error);
}

void frame_writer_clear(struct frame_writer *w) {
  give_compressor(w->context);
  bytes_clear(&w->packed);
  *w = (struct frame_writer){0};
}

/* Returns the number of bytes read, which is less than `length` at the end of the file only; SIZE_MAX: error. */
static size_t get(struct frame_reader *r, void *to, size_t length, struct error *error) {
  const size_t count = fread(to, 1, length, r->stream);
  r->offset += count;
  if (count < length && ferror(r->stream)) {
    error_at(error, ERROR_WORK, r->name, 0, 0, "", "cannot read: %s", strerror(errno));
    return SIZE_MAX;
  }
  return count;
}

int frame_reader_begin(struct frame_reader *r, FILE *stream, const char *name, struct error *error) {
  *r = (struct frame_reader){.stream = stream, .name = name, .context = take_decompressor()};
  if (!r->context)
    return error_set(error, ERROR_WORK, "out of memory for decompression");
  unsigned char start[START_BYTES];
  const size_t count = get(r, start, sizeof start, error);
  if (count == SIZE_MAX)
    return -1;
  const size_t compared = count < sizeof magic ? count : sizeof magic;
  if (count == 0 || memcmp(start, magic, compared) != 0)
    return error_at(error, ERROR_INPUT, name, 0, 0, "",
                    "not a trace: expected a file that starts with \"\\x89RTRACE\"");
  if (count < sizeof start)
    return error_at(error, ERROR_INPUT, name, 0, 0, "", "cut off in the first %u bytes", START_BYTES);
  r->version = get32(start + 8);
  if (r->version < OLDEST || r->version > VERSION || get32(start + 12) != 0)
    return error_at(error, ERROR_INPUT, name, 0, 0, "",
                    "found trace format version %" PRIu32 ".%" PRIu32 ", expected %d.0 or %d.0: %s", r->version,
                    get32(start + 12), OLDEST, VERSION,
                    r->version > VERSION ? "a newer program wrote it; use that one" : "write the trace again");
  return 0;
}

static int damage(const struct frame_reader *r, const struct frame *f, const char *what, struct error *error) {
  return error_at(error, ERROR_INPUT, r->name, 0, 0, "", "damaged trace: frame %" PRIu32 " at byte %" PRIu64 ": %s",
                  f->sequence, f->offset, what);
}

static size_t raw_limit(enum frame_kind kind) {
  return kind == FRAME_HEADER ? LIMIT_HEADER_BYTES : kind == FRAME_CODE ? LIMIT_CODE_BYTES : LIMIT_FRAME_BYTES;
}

/* Reads the payload. Memory is taken for what has arrived, not for the length that the head claims. */
static int read_packed(struct frame_reader *r, size_t stored, struct error *error) {
  r->packed.length = 0;
  while (r->packed.length < stored) {
    const size_t left = stored - r->packed.length, part = left < (1u << 20) ? left : 1u << 20;
    if (!bytes_reserve(&r->packed, part))
      return error_at(error, ERROR_WORK, r->name, 0, 0, "", "out of memory for a frame of %zu bytes", stored);
    const size_t count = get(r, r->packed.data + r->packed.length, part, error);
    if (count == SIZE_MAX)
      return -1;
    r->packed.length += count;
    if (count < part)
      return 0;
  }
  return 1;
}

static int unpack(struct frame_reader *r, struct frame *f, struct error *error) {
  if (ZSTD_getFrameContentSize(r->packed.data, r->packed.length) != f->length ||
      ZSTD_findFrameCompressedSize(r->packed.data, r->packed.length) != r->packed.length)
    return damage(r, f, "the payload's sizes are not those of its head", error);
  r->raw.length = 0;
  if (!bytes_reserve(&r->raw, f->length + 1))
    return error_at(error, ERROR_WORK, r->name, 0, 0, "", "out of memory for a frame of %zu bytes", f->length);
  const size_t length = ZSTD_decompressDCtx(r->context, r->raw.data, f->length, r->packed.data, r->packed.length);
  if (ZSTD_isError(length))
    return damage(r, f, ZSTD_getErrorName(length), error);
  if (length != f->length)
    return damage(r, f, "the payload is shorter than its head says", error);
  f->raw = r->raw.data;
  return 1;
}

static uint32_t sum_of_payload(const struct frame_reader *r, size_t stored) {
  return r->version == 1 ? checksum(r->packed.data, stored) : payload_checksum(r->packed.data, stored);
}

int frame_read(struct frame_reader *r, struct frame *f, struct error *error) {
  unsigned char head[HEAD_BYTES];
  *f = (struct frame){.sequence = r->sequence, .offset = r->offset};
  const size_t count = get(r, head, sizeof head, error);
  if (count == SIZE_MAX)
    return -1;
  if (count < sizeof head)
    return 0;
  if (checksum(head, 16) != get32(head + 16))
    return damage(r, f, "the head's checksum does not fit", error);
  const uint32_t kind = get32(head), stored = get32(head + 12);
  f->kind = kind;
  f->length = get32(head + 8);
  if (kind < FRAME_HEADER || kind > FRAME_END)
    return damage(r, f, "unknown kind of frame", error);
  if (get32(head + 4) != r->sequence)
    return damage(r, f, "frames are missing, doubled or out of order", error);
  if (f->length > raw_limit(f->kind) || stored > ZSTD_compressBound(raw_limit(f->kind)))
    return damage(r, f, "the payload is longer than the format allows", error);
  r->sequence++;
  const int result = read_packed(r, stored, error);
  if (result == 1 && sum_of_payload(r, stored) != get32(head + 20))
    return damage(r, f, "the payload's checksum does not fit", error);
  return result == 1 ? unpack(r, f, error) : result;
}

int frame_reader_at_end(struct frame_reader *r, struct error *error) {
  unsigned char byte;
  const size_t count = get(r, &byte, 1, error);
  return count == SIZE_MAX ? -1 : count == 0;
}

void frame_reader_clear(struct frame_reader *r) {
  give_decompressor(r->context);
  bytes_clear(&r->packed);
  bytes_clear(&r->raw);
  *r = (struct frame_reader){0};
}
