/* The jobs of a task: a bar from each release (an arrow up) to its deadline (an arrow down), inside it the response
 * time, beyond it the lateness, crossed out. Where jobs are too close to each other only the missed deadlines are
 * drawn. */
#ifndef REPORT_PICTURE_DEADLINES_DRAW_H
#define REPORT_PICTURE_DEADLINES_DRAW_H

#include "report/canvas/canvas.h"
#include "report/timeline/state.h"

void jobs_draw(const timeline *t, const timeline_row *row, canvas *c);
/* The marks of releases, deadlines and dependencies in the legend, at x and this base line; returns their width. With c
 * NULL only the width. */
int32_t jobs_legend_draw(const timeline *t, canvas *c, int32_t x, int32_t base_line);

#endif
