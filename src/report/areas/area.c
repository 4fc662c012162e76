#include "report/areas/area.h"

#include <stdlib.h>

#include "report/run/sm_share.h"
#include "report/work.h"

/* Kernels that show. */
static size_t number_kernels(area_keys *keys, const sm_index *index)
{
    const gcast_run *run = index->run;
    size_t shown = 0;
    for (size_t i = 0; i < run->op_count; i++) {
        bool shows = shown_blocks_of(&run->ops[i]).at && run_op_ran(run, i) &&
                     view_holds(index->shown, run->ops[i].start_ns, run->ops[i].end_ns);
        keys->of_op[i] = shows ? (int)(shown % INT32_MAX) : -1;
        if (shows && shown < AREA_KEYS)
            keys->op_of[shown] = (uint32_t)i;
        shown += shows;
    }
    return shown;
}

typedef struct stream_use {
    unsigned __int128 held; /* weight * time */
    size_t stream;
    uint32_t op;
    int key;
} stream_use;

static int by_use(const void *a, const void *b)
{
    const stream_use *x = a, *y = b;
    if (x->held != y->held)
        return x->held > y->held ? -1 : 1;
    return x->stream < y->stream ? -1 : x->stream > y->stream;
}

static int by_stream(const void *a, const void *b)
{
    const stream_use *x = a, *y = b;
    return x->stream < y->stream ? -1 : x->stream > y->stream;
}

static size_t stream_of(const gcast_run *run, size_t op)
{
    return run_op(run, op)->stream < 0 ? 0 : (size_t)run_op(run, op)->stream;
}

static void count_use(const sm_index *index, const uint32_t *weight, const area_keys *keys, stream_use *use)
{
    const gcast_run *run = index->run;
    for (size_t i = 0; i < run->op_count; i++) {
        shown_blocks blocks = shown_blocks_of(&run->ops[i]);
        stream_use *u = &use[stream_of(run, i)];
        if (keys->of_op[i] < 0)
            continue;
        u->op = u->key ? u->op : (uint32_t)i;
        u->key = 1;
        for (uint64_t b = 0; b < blocks.count; b++)
            u->held += (unsigned __int128)weight[run->ops[i].op] *
                       (uint64_t)view_clip(index->shown, blocks.at[b].start_ns, blocks.at[b].end_ns);
    }
}

/* Those that hold most get the first keys, in the order of streams. */
static bool number_streams(area_keys *keys, const sm_index *index, const uint32_t *weight, int most)
{
    const gcast_run *run = index->run;
    size_t streams = run->workload->stream_count + 1, used = 0;
    stream_use *use = calloc(streams, sizeof *use);
    if (!use)
        return false;
    for (size_t i = 0; i < streams; i++)
        use[i].stream = i;
    count_use(index, weight, keys, use);
    for (size_t i = 0; i < streams; i++)
        used += use[i].key > 0;
    qsort(use, streams, sizeof *use, by_use);
    unsigned __int128 those = 0, all = 0;
    for (size_t i = 0; i < streams; i++) {
        all += use[i].held;
        those += i < (size_t)most ? use[i].held : 0;
    }
    keys->all = those < all - those;
    for (size_t i = 0; i < streams; i++)
        use[i].key = use[i].key && i < (size_t)most && !keys->all ? 1 : 0;
    qsort(use, streams, sizeof *use, by_stream);
    keys->count = 0;
    for (size_t i = 0; i < streams; i++) {
        if (use[i].key)
            keys->op_of[keys->count] = use[i].op;
        use[i].key = use[i].key ? keys->count++ : AREA_OTHERS;
    }
    keys->others = used > (size_t)keys->count ? keys->count++ : -1;
    for (size_t i = 0; i < run->op_count; i++)
        if (keys->of_op[i] >= 0) {
            int key = use[stream_of(run, i)].key;
            keys->of_op[i] = key == AREA_OTHERS ? keys->others : key;
        }
    free(use);
    return true;
}

gcast_status area_keys_make(area_keys *keys, const sm_index *index, const uint32_t *weight, int most, gcast_error *err)
{
    *keys = (area_keys){.of_op = malloc((index->run->op_count + 1) * sizeof *keys->of_op),
                        .op_of = calloc(AREA_KEYS, sizeof *keys->op_of),
                        .others = -1};
    if (!keys->of_op || !keys->op_of) {
        area_keys_free(keys);
        return gcast_error_set_memory(err);
    }
    size_t kernels = number_kernels(keys, index);
    keys->streams = kernels > AREA_KEYS;
    keys->count = (int)kernels;
    if (keys->streams && !number_streams(keys, index, weight, most)) {
        area_keys_free(keys);
        return gcast_error_set_memory(err);
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

static void add(cell *cells, const view *v, const bins *columns, int64_t start, int64_t end, uint32_t share)
{
    start = start < v->from ? v->from : start;
    end = end > v->to ? v->to : end;
    if (end <= start)
        return;
    int c0 = bins_at(columns, start), c1 = bins_at(columns, end - 1);
    if (c0 == c1) {
        cells[c0].part += (unsigned __int128)share * (uint64_t)(end - start);
        return;
    }
    cells[c0].part += (unsigned __int128)share * (uint64_t)(columns->edge[c0 + 1] - start);
    cells[c1].part += (unsigned __int128)share * (uint64_t)(end - columns->edge[c1]);
    cells[c0 + 1].whole += share;
    cells[c1].whole -= share;
}

/* Sums to means, each key on top of the one before. */
static void stack(area *a, const cell *cells, int sms)
{
    const bins *columns = &a->columns;
    for (int key = 0; key < a->keys; key++) {
        int64_t whole = 0;
        for (int c = 0; c < columns->count; c++) {
            size_t place = (size_t)key * (size_t)columns->count + (size_t)c;
            uint64_t width = (uint64_t)(columns->edge[c + 1] - columns->edge[c]);
            whole += cells[place].whole;
            uint64_t mean = ((uint64_t)whole + (uint64_t)(cells[place].part / width)) / (uint64_t)sms;
            uint64_t below = key ? a->top[place - (size_t)columns->count] : 0;
            a->top[place] = below + mean > INT32_MAX ? INT32_MAX : (uint32_t)(below + mean);
            if (a->top[place] > a->highest)
                a->highest = a->top[place];
        }
    }
}

static cell *open_area(area *a, const bins *columns, int keys)
{
    size_t count = (size_t)columns->count * (size_t)keys;
    *a = (area){.columns = *columns, .keys = keys, .top = calloc(count + 1, sizeof *a->top)};
    cell *cells = a->top ? calloc(count + 1, sizeof *cells) : NULL;
    if (!cells)
        area_free(a);
    return cells;
}

gcast_status area_make(area *a, const sm_index *index, const fold *f, int row, const area_keys *keys,
                       const uint32_t *weight, const bins *columns, gcast_error *err)
{
    const view *v = index->shown;
    const gcast_run *run = index->run;
    cell *cells = open_area(a, columns, keys->count);
    int sms = 0;
    if (!cells)
        return gcast_error_set_memory(err);
    for (int sm = v->first_sm; sm <= v->last_sm; sm++) {
        if (f->row[sm - v->first_sm] != row || (f->alike && sms))
            continue;
        const sm_entry *e = sm_index_entries(index, sm);
        work_add(v->work, WORK_SHOW * sm_index_count(index, sm));
        for (size_t n = sm_index_count(index, sm); n; n--, e++) {
            const gcast_run_op *o = &run->ops[e->op];
            const gcast_block *b = &shown_blocks_of(o).at[e->at];
            if (keys->of_op[e->op] >= 0)
                add(cells + (size_t)keys->of_op[e->op] * (size_t)columns->count, v, columns, b->start_ns, b->end_ns,
                    weight[o->op]);
        }
        sms++;
    }
    stack(a, cells, sms ? sms : 1);
    free(cells);
    return GCAST_OK;
}

gcast_status area_of_spans(area *a, const view *v, const span_list *spans, uint32_t lanes, const bins *columns,
                           gcast_error *err)
{
    cell *cells = open_area(a, columns, 1);
    if (!cells)
        return gcast_error_set_memory(err);
    for (size_t i = 0; i < spans->count; i++)
        add(cells, v, columns, spans->at[i].start, spans->at[i].end, SHARE_ALL / (lanes ? lanes : 1));
    stack(a, cells, 1);
    free(cells);
    return GCAST_OK;
}

void area_free(area *a)
{
    free(a->top);
    *a = (area){0};
}
