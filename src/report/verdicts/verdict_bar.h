/* The bar of an op, the symbol of a verdict, and what they mean. Colours are apart for the colour-blind, and light and
 * dark ones in grey, too; what lies beyond a deadline is behind its mark. */
#ifndef REPORT_VERDICTS_VERDICT_BAR_H
#define REPORT_VERDICTS_VERDICT_BAR_H

#include "report/canvas/canvas.h"
#include "report/verdicts/verdict_rows.h"

#define VERDICT_LATE 0xc00020u

/* The time axis of a panel. */
typedef struct verdict_scale {
    int32_t left, right; /* of the plot; the left one is time 0 */
    int64_t end_ns;      /* the time at the right */
} verdict_scale;

/* Around y. */
void verdict_bar_draw(canvas *c, const verdict_scale *s, const verdict_row *row, int32_t y, const char *label);
/* From x on, around y; nothing where there is no deadline. */
void verdict_symbol_draw(canvas *c, int32_t x, int32_t y, gcast_deadline_verdict v);
void verdict_legend_draw(canvas *c, int32_t x, int32_t base_line, const gcast_answer *a);

#endif
