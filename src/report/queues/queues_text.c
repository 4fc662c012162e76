#include "report/queues/queues_text.h"

#include <stdlib.h>

#include "base/text/units.h"
#include "model/run_op.h"
#include "report/tables/grid.h"

#define MAX_ENTRIES 12 /* of a queue that are named */
#define MAX_ROWS 64    /* of streams, and of SMs: beyond that those without entries are left out */

enum { QUEUE, CONTENTS };

static void put_entry(const queue_rows *q, const queue_row *r, const queue_entry *e, text *out)
{
    const gcast_run_op *o = &q->run->ops[e->run_op];
    const gcast_op *op = run_op(q->run, e->run_op);
    text_terminal(out, op->label);
    if (op->task != GCAST_ONCE)
        text_printf(out, "#%u", o->job);
    if (r->kind == QUEUE_EE)
        text_printf(out, " (%llu of %llu blocks dispatched)", (unsigned long long)e->blocks,
                    (unsigned long long)o->block_count);
    if (r->kind == QUEUE_SM)
        text_printf(out, " x %llu", (unsigned long long)e->blocks);
}

static void put_contents(const queue_rows *q, const queue_row *r, grid *g)
{
    text t;
    text_open(&t, NULL, NULL);
    for (size_t i = 0; i < r->count && i < MAX_ENTRIES; i++) {
        text_str(&t, i ? ", " : "");
        put_entry(q, r, &q->entries.at[r->first + i], &t);
    }
    if (r->count > MAX_ENTRIES)
        text_printf(&t, " and %zu more", r->count - MAX_ENTRIES);
    if (!r->count)
        text_char(&t, '-');
    else if (r->kind == QUEUE_SM)
        text_printf(&t, ": %lld of %d threads", (long long)queue_row_threads(q, r), q->run->gpu->limits.threads_per_sm);
    char *contents = text_take(&t, NULL);
    if (contents)
        grid_cell(g, CONTENTS, contents);
    else
        g->failed = true;
    free(contents);
}

void queues_text(const queue_rows *q, bool color, text *out)
{
    static const grid_column columns[] = {{"queue", false}, {"contents, head first", false}, {NULL, false}};
    char time[40];
    size_t hidden = 0;
    grid g;
    units_format_time(q->at_ns, time, sizeof time);
    text_printf(out, "at %s\n", time);
    grid_open(&g, columns);
    for (size_t i = 0; i < q->rows.count; i++) {
        const queue_row *r = &q->rows.at[i];
        char title[64];
        if (!r->count && q->rows.count > MAX_ROWS) {
            hidden++;
            continue;
        }
        queue_row_title(q, r, title, sizeof title);
        grid_add(&g, r->count ? GRID_PLAIN : GRID_DIM);
        grid_cell(&g, QUEUE, title);
        put_contents(q, r, &g);
    }
    grid_text(&g, color, out);
    grid_close(&g);
    if (hidden)
        text_printf(out, "and %zu that are empty\n", hidden);
}
