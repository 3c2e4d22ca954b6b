/* Translations that are kept for later draws: a frame draws many times with one shader. A translation depends on its
 * request and on what it has asked the request's functions, so the questions are kept with their answers, and asked
 * again. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graphics/execute/kept_shaders.h"

#define MOST_KEPT 512 /* of 10 KB and their texts; assumed */

struct question {
  uint32_t set, binding, element;
  bool of_texture; /* otherwise of a buffer's bytes */
};

struct answer {
  struct question question;
  bool found, has_sampler;
  uint64_t bytes;
  struct shader_texture texture; /* without its sampler, which is a frame's */
  struct frame_sampler sampler;
};

struct kept_translation {
  struct shader_request request; /* with an entry of its own, without functions */
  struct answer *answers;
  size_t answer_count;
  struct shader_source source;
};

struct kept_translations {
  struct kept_translation *list;
  size_t count;
};

/* Records what a translation asks. */
struct recorder {
  const struct shader_request *request;
  struct kept_translation *to;
  bool failed;
};

struct kept_translations *kept_translations_create(void) {
  return calloc(1, sizeof(struct kept_translations));
}

static void clear(struct kept_translation *t) {
  free((char *)t->request.entry);
  free(t->answers);
  shader_source_clear(&t->source);
}

void kept_translations_destroy(struct kept_translations *k) {
  for (size_t i = 0; k && i < k->count; i++)
    clear(&k->list[i]);
  if (k)
    free(k->list);
  free(k);
}

static struct answer ask(const struct shader_request *r, const struct question *q, struct shader_texture *texture) {
  struct answer a = {.question = *q};
  *texture = (struct shader_texture){0};
  if (!q->of_texture) {
    a.bytes = r->buffer_bytes(r->user, q->set, q->binding, q->element);
    return a;
  }
  a.found = r->texture(r->user, q->set, q->binding, q->element, texture);
  a.texture = *texture;
  a.texture.sampler = NULL;
  a.has_sampler = texture->sampler != NULL;
  if (a.has_sampler)
    a.sampler = *texture->sampler;
  return a;
}

static struct answer record(struct recorder *r, const struct question *q, struct shader_texture *texture) {
  const struct answer a = ask(r->request, q, texture);
  struct kept_translation *t = r->to;
  r->failed = r->failed || !array_room_for_one(&t->answers, t->answer_count, sizeof *t->answers);
  if (!r->failed)
    t->answers[t->answer_count++] = a;
  return a;
}

static bool texture_of(void *user, uint32_t set, uint32_t binding, uint32_t element, struct shader_texture *out) {
  return record(user, &(struct question){set, binding, element, true}, out).found;
}

static uint64_t buffer_bytes_of(void *user, uint32_t set, uint32_t binding, uint32_t element) {
  struct shader_texture none;
  return record(user, &(struct question){set, binding, element, false}, &none).bytes;
}

static bool same_texture(const struct shader_texture *a, const struct shader_texture *b) {
  return a->format == b->format && a->levels == b->levels && a->width == b->width && a->height == b->height &&
         a->depth == b->depth && a->layers == b->layers && a->samples == b->samples && a->stacked == b->stacked;
}

static bool same_answer(const struct answer *a, const struct answer *b) {
  return a->found == b->found && a->has_sampler == b->has_sampler && a->bytes == b->bytes &&
         same_texture(&a->texture, &b->texture) && memcmp(&a->sampler, &b->sampler, sizeof a->sampler) == 0;
}

/* Constants have no length here, so translations that depend on them are not kept. */
static bool may_be_kept(const struct shader_request *r) {
  return r->constant_count == 0 && r->texture && r->buffer_bytes;
}

static bool same_request(const struct shader_request *a, const struct shader_request *b) {
  return a->words == b->words && a->word_count == b->word_count && a->is_fragment == b->is_fragment &&
         a->is_compute == b->is_compute && a->is_geometry == b->is_geometry && a->is_control == b->is_control &&
         a->is_evaluation == b->is_evaluation && a->patch_vertices == b->patch_vertices &&
         a->draws_points == b->draws_points && a->target_count == b->target_count &&
         a->second_color == b->second_color && a->mediump_half == b->mediump_half && a->stage == b->stage &&
         strcmp(a->entry, b->entry) == 0;
}

static bool serves(const struct kept_translation *t, const struct shader_request *r) {
  struct shader_texture texture;
  if (!same_request(&t->request, r))
    return false;
  for (size_t i = 0; i < t->answer_count; i++) {
    const struct answer now = ask(r, &t->answers[i].question, &texture);
    if (!same_answer(&t->answers[i], &now))
      return false;
  }
  return true;
}

static int copy(const struct shader_source *from, struct shader_source *out, struct error *error) {
  *out = *from;
  out->text = strdup(from->text);
  return out->text ? 0 : error_no_memory(error);
}

/* Translates, and keeps the translation in the new entry at the end of the list. */
static int translate_and_keep(struct kept_translations *k, const struct shader_request *request,
                              struct shader_source *out, struct error *error) {
  struct kept_translation *t = &k->list[k->count];
  *t = (struct kept_translation){.request = *request};
  struct recorder r = {.request = request, .to = t};
  struct shader_request asking = *request;
  asking.texture = texture_of;
  asking.buffer_bytes = buffer_bytes_of;
  asking.user = &r;
  t->request.entry = strdup(request->entry);
  if (shader_source_create(&asking, out, error)) {
    clear(t);
    return -1;
  }
  struct error ignored = ERROR_INIT;
  if (r.failed || !t->request.entry || copy(out, &t->source, &ignored))
    clear(t);
  else
    k->count++;
  return 0;
}

int kept_translations_give(struct kept_translations *k, const struct shader_request *request, struct shader_source *out,
                           struct error *error) {
  if (!may_be_kept(request))
    return shader_source_create(request, out, error);
  for (size_t i = 0; i < k->count; i++)
    if (serves(&k->list[i], request))
      return copy(&k->list[i].source, out, error);
  if (k->count == MOST_KEPT || !array_room_for_one(&k->list, k->count, sizeof *k->list))
    return shader_source_create(request, out, error);
  return translate_and_keep(k, request, out, error);
}
