#include "report/timeline/dependency_lines.h"

#include <stdlib.h>

#include "model/run_op.h"
#include "report/canvas/palette.h"

#define MAX_LINES 150
#define SAME PX(3)       /* lines that are nearer to each other are one */
#define MIN_LENGTH PX(9) /* of a line, which ends with an arrow */
#define INSET PX(2)      /* from the edge of a box, so that the line is not on its label */

/* Where an operation ends, or starts: the box of one of its blocks, or of the operation. */
typedef struct box_edge {
    int64_t time_ns;     /* -1: it is not shown */
    int32_t top, bottom; /* of the box */
} box_edge;

typedef struct dependency_line {
    int32_t x1, y1;      /* the end of the predecessor */
    int32_t x2;          /* the start of the successor */
    int32_t top, bottom; /* of the box at x2 */
} dependency_line;

typedef VEC(dependency_line) line_list;

static bool has_boxes(const timeline_row *row)
{
    return row->kind == ROW_BLOCKS || row->kind == ROW_BARS;
}

bool dependency_lines_any(const timeline *t)
{
    bool has_rows = false;
    for (size_t i = 0; i < t->rows.count; i++)
        has_rows = has_rows || (has_boxes(&t->rows.at[i]) && t->rows.at[i].spans.count);
    for (size_t i = 0; has_rows && i < t->run->workload->op_count; i++)
        if (t->run->workload->ops[i].after_count)
            return true;
    return false;
}

static box_edge edge_of(const timeline_row *row, const span *s, int64_t time_ns)
{
    box_edge e = {.time_ns = time_ns};
    if (row->kind == ROW_BARS) {
        e.top = row->y + (int32_t)((int64_t)row->height * s->place / row->lanes);
        e.bottom = e.top + row->height / (int32_t)row->lanes;
    } else {
        e.top = row->y + row->height - row_share_height(row, (uint64_t)s->place + s->share);
        e.bottom = row->y + row->height - row_share_height(row, s->place);
    }
    return e;
}

/* Finds by operation of the run where it starts and where it ends. */
static void find_edges(const timeline *t, box_edge *starts, box_edge *ends)
{
    for (size_t i = 0; i < t->run->op_count; i++)
        starts[i].time_ns = ends[i].time_ns = -1;
    for (size_t r = 0; r < t->rows.count; r++) {
        const timeline_row *row = &t->rows.at[r];
        for (size_t i = 0; has_boxes(row) && i < row->spans.count; i++) {
            const span *s = &row->spans.at[i];
            if (s->op >= t->run->op_count)
                continue;
            if (starts[s->op].time_ns < 0 || s->start < starts[s->op].time_ns)
                starts[s->op] = edge_of(row, s, s->start);
            if (s->end > ends[s->op].time_ns)
                ends[s->op] = edge_of(row, s, s->end);
        }
    }
}

static int by_op(const void *a, const void *b)
{
    const gcast_run_op *x = *(const gcast_run_op *const *)a, *y = *(const gcast_run_op *const *)b;
    if (x->op != y->op)
        return x->op < y->op ? -1 : 1;
    return x->job < y->job ? -1 : x->job > y->job;
}

/* Adds the line from the operation `from` to the operation `to`, where both are shown. It begins at the lower edge of
 * the box or at the upper one, so that lines to one operation are apart. */
static bool add_line(const timeline *t, const box_edge *from, const box_edge *to, bool is_low, line_list *lines)
{
    const view *v = &t->shown;
    if (from->time_ns < v->start_ns || from->time_ns > v->end_ns || to->time_ns < v->start_ns ||
        to->time_ns > v->end_ns)
        return true;
    return vec_push(lines, ((dependency_line){.x1 = timeline_x(t, from->time_ns),
                                              .y1 = is_low ? from->bottom - INSET : from->top + INSET,
                                              .x2 = timeline_x(t, to->time_ns),
                                              .top = to->top,
                                              .bottom = to->bottom}));
}

static bool find_lines(const timeline *t, const gcast_run_op **sorted, const box_edge *starts, const box_edge *ends,
                       line_list *lines)
{
    const gcast_run *run = t->run;
    bool ok = true;
    for (size_t i = 0; i < run->op_count; i++)
        sorted[i] = &run->ops[i];
    if (run->op_count)
        qsort(sorted, run->op_count, sizeof *sorted, by_op);
    for (size_t i = 0; ok && i < run->op_count; i++) {
        const gcast_op *op = run_op(run, i);
        for (size_t k = 0; ok && run_op_ran(run, i) && k < op->after_count; k++) {
            bool is_once = run->workload->ops[op->after[k]].task == GCAST_ONCE;
            gcast_run_op key = {.op = op->after[k], .job = is_once ? 0 : run->ops[i].job};
            const gcast_run_op *searched = &key;
            const gcast_run_op *const *found = bsearch(&searched, sorted, run->op_count, sizeof *sorted, by_op);
            if (found)
                ok = add_line(t, &ends[*found - run->ops], &starts[i], k % 2 == 0, lines);
        }
    }
    return ok;
}

static int compare_lines(const void *a, const void *b)
{
    const dependency_line *x = a, *y = b;
    const int32_t differences[] = {x->x2 / SAME - y->x2 / SAME, x->top - y->top, x->x1 / SAME - y->x1 / SAME,
                                   x->y1 - y->y1};
    for (int i = 0; i < 4; i++)
        if (differences[i])
            return differences[i];
    return 0;
}

/* Keeps one of several lines at one place. */
static void thin_out(line_list *lines)
{
    size_t kept = 0;
    if (lines->count)
        qsort(lines->at, lines->count, sizeof *lines->at, compare_lines);
    for (size_t i = 0; i < lines->count; i++)
        if (!kept || compare_lines(&lines->at[kept - 1], &lines->at[i]) != 0)
            lines->at[kept++] = lines->at[i];
    lines->count = kept;
}

/* Draws a line along the row of the predecessor, then up or down to the successor. */
static void draw_line(const dependency_line *l, uint32_t rgb, int32_t width, bool has_head, canvas *c)
{
    if (l->y1 >= l->top && l->y1 <= l->bottom) {
        canvas_line(c, l->x2 - l->x1 < MIN_LENGTH ? l->x2 - MIN_LENGTH : l->x1, l->y1, l->x2, l->y1, rgb, width,
                    has_head);
        return;
    }
    int32_t end = l->y1 < l->top ? l->top : l->bottom;
    if (l->x2 > l->x1)
        canvas_line(c, l->x1, l->y1, l->x2, l->y1, rgb, width, false);
    canvas_line(c, l->x2, l->y1, l->x2, end, rgb, width, has_head);
}

size_t dependency_lines_draw(const timeline *t, canvas *c)
{
    size_t n = t->run->op_count + 1, hidden = 0;
    line_list lines = {0};
    if (!t->links)
        return 0;
    box_edge *starts = malloc(n * sizeof *starts), *ends = malloc(n * sizeof *ends);
    const gcast_run_op **sorted = malloc(n * sizeof *sorted);
    bool ok = starts && ends && sorted;
    if (ok) {
        find_edges(t, starts, ends);
        ok = find_lines(t, sorted, starts, ends, &lines);
    }
    if (!ok)
        canvas_no_memory(c);
    size_t count = lines.count;
    thin_out(&lines);
    if (lines.count > MAX_LINES) {
        hidden = count;
        lines.count = 0;
    }
    canvas_open(c, NULL, "dependencies");
    for (size_t i = 0; i < lines.count; i++)
        draw_line(&lines.at[i], 0xffffff, 220, false, c);
    for (size_t i = 0; i < lines.count; i++)
        draw_line(&lines.at[i], INK, PX(1), true, c);
    canvas_close(c);
    vec_free(&lines);
    free(starts);
    free(ends);
    free(sorted);
    return hidden;
}
