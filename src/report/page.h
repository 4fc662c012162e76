/* The begin and the end of a self-contained HTML page. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "base/text/text.h"

void page_begin(const char *name, text *out);
void page_end(text *out);

#endif
