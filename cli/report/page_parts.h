/* The page around the documents: HTML, styles, D3 and the scripts of page/, which the build embeds
 * (embed_page.cmake); and page/save_plots.js. */
#ifndef CLI_PAGE_PARTS_H
#define CLI_PAGE_PARTS_H

#include <stddef.h>

struct page_part {
  const unsigned char *bytes; /* a NUL stands behind them */
  size_t length;
};

extern const struct page_part page_head, page_tail, page_saver;

#endif
