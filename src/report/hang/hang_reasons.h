/* Runs that hang, in words: who waits for whom, and who holds the room. */
#ifndef REPORT_HANG_HANG_REASONS_H
#define REPORT_HANG_HANG_REASONS_H

#include "base/text/text.h"
#include "gridcast/run.h"

/* Why the operation at this place of run->hang->ops never goes on: a sentence without its name and full stop. */
void hang_reason(const gcast_run *run, size_t place, text *out);
/* All of it, line by line, for terminals. */
void hang_lines(const gcast_run *run, text *out);
/* The same as an object of JSON. */
void hang_json(const gcast_run *run, text *out);
/* The same as a list of a page. */
void hang_html(const gcast_run *run, text *out);

#endif
