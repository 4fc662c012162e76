/* The colours of ops in a page: as in pictures; where all kernels are in one stream, which would have one colour, by
 * name.
 */
#ifndef REPORT_WEB_PAGE_COLOURS_H
#define REPORT_WEB_PAGE_COLOURS_H

#include "gridcast/workload.h"

/* By op of the workload, also by child; free() it. NULL without memory. */
uint32_t *page_colours(const gcast_workload *w);

#endif
