#include "report/area.h"

#include <stdlib.h>

#include "report/share.h"

#define MOST_KEYS 256

int64_t area_column_ns(const view *v, int columns, int c)
{
    return v->from + (int64_t)((__int128)(v->to - v->from) * c / columns);
}

static int column_of(const view *v, int columns, int64_t t)
{
    int c = (int)((__int128)(t - v->from) * columns / (v->to - v->from));
    while (c + 1 < columns && area_column_ns(v, columns, c + 1) <= t)
        c++;
    return c < columns ? c : columns - 1;
}

gcast_status area_keys_make(area_keys *keys, const sm_index *index, gcast_error *err)
{
    const gcast_run *run = index->run;
    size_t shown = 0;
    *keys = (area_keys){.of_op = malloc((run->op_count + 1) * sizeof *keys->of_op),
                        .op_of = calloc(MOST_KEYS, sizeof *keys->op_of)};
    if (!keys->of_op || !keys->op_of) {
        area_keys_free(keys);
        return gcast_fail_memory(err);
    }
    for (size_t i = 0; i < run->op_count; i++) {
        keys->of_op[i] = shown_blocks_of(&run->ops[i]).at && run_op_ran(run, i) &&
                                 view_holds(index->shown, run->ops[i].start_ns, run->ops[i].end_ns)
                             ? (int)shown
                             : -1;
        shown += keys->of_op[i] >= 0;
    }
    keys->streams = shown > MOST_KEYS;
    bool seen[MOST_KEYS] = {false};
    for (size_t i = 0; i < run->op_count; i++) {
        if (keys->of_op[i] < 0)
            continue;
        if (keys->streams)
            keys->of_op[i] = run_op(run, i)->stream < 0 ? 0 : run_op(run, i)->stream % MOST_KEYS;
        int key = keys->of_op[i];
        if (!seen[key])
            keys->op_of[key] = (uint32_t)i;
        seen[key] = true;
        if (key >= keys->count)
            keys->count = key + 1;
    }
    return GCAST_OK;
}

void area_keys_free(area_keys *keys)
{
    free(keys->of_op);
    free(keys->op_of);
    *keys = (area_keys){0};
}

/* share * time of one key: `whole` changes where columns begin to be covered
 * from end to end, `part` is what columns at the ends hold. */
typedef struct cell {
    int64_t whole;
    unsigned __int128 part;
} cell;

static void add_block(cell *cells, const view *v, int columns, const gcast_block *b, uint32_t share)
{
    int64_t start = b->start_ns < v->from ? v->from : b->start_ns, end = b->end_ns > v->to ? v->to : b->end_ns;
    if (end <= start)
        return;
    int c0 = column_of(v, columns, start), c1 = column_of(v, columns, end - 1);
    if (c0 == c1) {
        cells[c0].part += (unsigned __int128)share * (uint64_t)(end - start);
        return;
    }
    cells[c0].part += (unsigned __int128)share * (uint64_t)(area_column_ns(v, columns, c0 + 1) - start);
    cells[c1].part += (unsigned __int128)share * (uint64_t)(end - area_column_ns(v, columns, c1));
    cells[c0 + 1].whole += share;
    cells[c1].whole -= share;
}

/* Sums to means, each key on top of the one before. */
static void stack(area *a, const cell *cells, const view *v, int sms)
{
    for (int key = 0; key < a->keys; key++) {
        int64_t whole = 0;
        for (int c = 0; c < a->columns; c++) {
            const cell *at = &cells[(size_t)key * (size_t)a->columns + (size_t)c];
            uint64_t width = (uint64_t)(area_column_ns(v, a->columns, c + 1) - area_column_ns(v, a->columns, c));
            whole += at->whole;
            uint64_t mean = ((uint64_t)whole + (uint64_t)(at->part / width)) / (uint64_t)sms;
            uint32_t *top = &a->top[(size_t)key * (size_t)a->columns + (size_t)c];
            uint64_t below = key ? top[-a->columns] : 0;
            *top = below + mean > INT32_MAX ? INT32_MAX : (uint32_t)(below + mean);
            if (*top > a->highest)
                a->highest = *top;
        }
    }
}

gcast_status area_make(area *a, const sm_index *index, const fold *f, int row, const area_keys *keys, int columns,
                       gcast_error *err)
{
    const view *v = index->shown;
    const gcast_run *run = index->run;
    if (v->to - v->from < columns) /* no column without time */
        columns = (int)(v->to - v->from);
    size_t cells_count = (size_t)columns * (size_t)keys->count;
    *a = (area){.columns = columns, .keys = keys->count, .top = calloc(cells_count + 1, sizeof *a->top)};
    cell *cells = calloc(cells_count + 1, sizeof *cells);
    if (!a->top || !cells) {
        free(cells);
        area_free(a);
        return gcast_fail_memory(err);
    }
    int sms = 0;
    for (int sm = v->first_sm; sm <= v->last_sm; sm++) {
        if (f->row[sm - v->first_sm] != row || (f->alike && sms))
            continue;
        const sm_entry *e = sm_index_entries(index, sm);
        for (size_t n = sm_index_count(index, sm); n; n--, e++) {
            const gcast_run_op *o = &run->ops[e->op];
            if (keys->of_op[e->op] >= 0)
                add_block(cells + (size_t)keys->of_op[e->op] * (size_t)columns, v, columns,
                          &shown_blocks_of(o).at[e->at], index->share[o->op]);
        }
        sms++;
    }
    stack(a, cells, v, sms ? sms : 1);
    free(cells);
    return GCAST_OK;
}

void area_free(area *a)
{
    free(a->top);
    *a = (area){0};
}
