/* Runs that hang: in words, who waits for whom and who holds the room; and how they are drawn. */
#ifndef REPORT_RUN_HUNG_RUN_H
#define REPORT_RUN_HUNG_RUN_H

#include "base/fields.h"
#include "gridcast/run.h"

/* Why the operation at this place of run->hang->ops never goes on: a sentence without its name and full stop. */
void hang_reason(const gcast_run *run, size_t place, text *out);
/* All reasons: as lines for terminals, as the fields of a JSON object, as a list of a page. */
void hang_lines(const gcast_run *run, text *out);
void hang_json(json_out *j, const gcast_run *run);
void hang_html(const gcast_run *run, text *out);

/* The fields that hang_json writes, and those of its list of operations. */
extern const field hang_fields[], hung_op_fields[];

/* Are two operations nodes of one launch of a graph? */
bool same_launch(const gcast_run *run, size_t a, size_t b);

/* Does operation i of a run that hangs never end? Asks also of a copy for drawing, where it ends when the run hangs. */
bool never_ends(const gcast_run *run, size_t i);

/* Copies a run that hangs, to draw it (`drawn`) or to list its blocks; the copy shares all but the operations. Kernels
 * that are not complete have only the blocks that started. In a copy for drawing they end when the run hangs, and
 * kernels that never started are skipped. False without memory. */
bool shown_run_make(const gcast_run *run, bool drawn, gcast_run *copy);
void shown_run_free(gcast_run *copy);

#endif
