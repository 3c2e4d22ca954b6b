/* The page around the documents: HTML, styles, D3 and the scripts of page/, which the build embeds
 * (embed_page.cmake). */
#ifndef CLI_PAGE_PARTS_H
#define CLI_PAGE_PARTS_H

#include <stddef.h>

struct page_part {
  const unsigned char *bytes;
  size_t length;
};

extern const struct page_part page_head, page_tail;

#endif
