#include "report/timeline/areas.h"

#include <stdlib.h>

#include "base/integers.h"
#include "model/run_op.h"
#include "model/workload/workload.h"
#include "report/report_progress.h"
#include "report/run/display_names.h"
#include "report/run/sm_share.h"

#define OTHERS (-2) /* in place of a key: the stream has none of its own */

/* Gives each kernel that is shown a key, and all children of one label one key; a rest has the key of its kernel.
 * Returns the number of keys. child_keys[] are the keys of children, -1 at first. */
static size_t number_kernels(area_keys *keys, const sm_index *index, int *child_keys)
{
    const gcast_run *run = index->run;
    size_t shown = 0;
    for (size_t i = 0; i < run_total(run); i++) {
        bool is_shown = shown_blocks_of(&run->ops[i]).at && run_op_ran(run, i) &&
                        view_holds(index->shown, run->ops[i].start_ns, run->ops[i].end_ns);
        int next = (int)(shown % INT32_MAX);
        keys->of_op[i] = -1;
        if (!is_shown)
            continue;
        if (run_is_rest(run, i)) { /* its kernel is complete after it, and so is shown too */
            keys->of_op[i] = keys->of_op[run_owner(run, i)];
            continue;
        }
        int *child_key = i < run->op_count ? NULL : &child_keys[run->ops[i].op - run->workload->op_count];
        keys->of_op[i] = child_key && *child_key >= 0 ? *child_key : next;
        if (keys->of_op[i] != next)
            continue;
        if (child_key)
            *child_key = next;
        if (shown < AREA_KEYS)
            keys->op_of[shown] = (uint32_t)i;
        shown++;
    }
    return shown;
}

/* What the blocks of a stream hold in the view. */
typedef struct stream_use {
    unsigned __int128 held; /* weight * time */
    size_t stream;
    uint32_t op; /* its first operation */
    int key;     /* at first 1 where it has an operation, else 0; later its key, or OTHERS */
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
    for (size_t i = 0; i < run_total(run); i++) {
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

/* The max_streams streams that hold the largest share get keys, in the order of streams. */
static bool number_streams(area_keys *keys, const sm_index *index, const uint32_t *weight, int max_streams)
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
    unsigned __int128 largest = 0, all = 0; /* shares held by the largest streams, and by all streams */
    for (size_t i = 0; i < streams; i++) {
        all += use[i].held;
        largest += i < (size_t)max_streams ? use[i].held : 0;
    }
    keys->only_others = largest < all - largest;
    for (size_t i = 0; i < streams; i++)
        use[i].key = use[i].key && i < (size_t)max_streams && !keys->only_others ? 1 : 0;
    qsort(use, streams, sizeof *use, by_stream);
    keys->count = 0;
    for (size_t i = 0; i < streams; i++) {
        if (use[i].key)
            keys->op_of[keys->count] = use[i].op;
        use[i].key = use[i].key ? keys->count++ : OTHERS;
    }
    keys->others_key = used > (size_t)keys->count ? keys->count++ : -1;
    for (size_t i = 0; i < run_total(run); i++)
        if (keys->of_op[i] >= 0) {
            int key = use[stream_of(run, i)].key;
            keys->of_op[i] = key == OTHERS ? keys->others_key : key;
        }
    free(use);
    return true;
}

gcast_status area_keys_make(area_keys *keys, const sm_index *index, const uint32_t *weight, int max_streams,
                            gcast_error *err)
{
    size_t children = index->run->workload->child_count;
    int *child_keys = malloc((children + 1) * sizeof *child_keys);
    *keys = (area_keys){.of_op = malloc((run_total(index->run) + 1) * sizeof *keys->of_op),
                        .op_of = calloc(AREA_KEYS, sizeof *keys->op_of),
                        .others_key = -1};
    if (!keys->of_op || !keys->op_of || !child_keys) {
        free(child_keys);
        area_keys_free(keys);
        return gcast_error_set_memory(err);
    }
    for (size_t i = 0; i < children; i++)
        child_keys[i] = -1;
    size_t kernels = number_kernels(keys, index, child_keys);
    free(child_keys);
    keys->streams = kernels > AREA_KEYS;
    keys->count = (int)kernels;
    if (keys->streams && !number_streams(keys, index, weight, max_streams)) {
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

/* One key in one column, while it is summed up. */
typedef struct cell {
    int64_t full_change;       /* by how much the share held during full columns changes at this one */
    unsigned __int128 partial; /* share * time of what covers a part of this column */
} cell;

/* Adds what holds `share` from start to end. */
static void add_span(cell *cells, const view *v, const bins *columns, int64_t start, int64_t end, uint32_t share)
{
    start = max_i64(start, v->start_ns);
    end = min_i64(end, v->end_ns);
    if (end <= start)
        return;
    int c0 = bins_at(columns, start), c1 = bins_at(columns, end - 1);
    if (c0 == c1) {
        cells[c0].partial += (unsigned __int128)share * (uint64_t)(end - start);
        return;
    }
    cells[c0].partial += (unsigned __int128)share * (uint64_t)(columns->edge[c0 + 1] - start);
    cells[c1].partial += (unsigned __int128)share * (uint64_t)(end - columns->edge[c1]);
    cells[c0 + 1].full_change += share;
    cells[c1].full_change -= share;
}

/* Turns sums into means, and stacks each key on the one before it. */
static void stack(area *a, const cell *cells, int sms)
{
    const bins *columns = &a->columns;
    for (int key = 0; key < a->keys; key++) {
        int64_t column_share = 0; /* share held for the whole width of the column */
        for (int c = 0; c < columns->count; c++) {
            size_t place = (size_t)key * (size_t)columns->count + (size_t)c;
            uint64_t width = (uint64_t)(columns->edge[c + 1] - columns->edge[c]);
            column_share += cells[place].full_change;
            uint64_t mean = ((uint64_t)column_share + (uint64_t)(cells[place].partial / width)) / (uint64_t)sms;
            uint64_t below = key ? a->top[place - (size_t)columns->count] : 0;
            a->top[place] = below + mean > INT32_MAX ? INT32_MAX : (uint32_t)(below + mean);
            a->highest = max_u32(a->highest, a->top[place]);
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

gcast_status area_make(area *a, const sm_index *index, const sm_rows *rows, int row, const area_keys *keys,
                       const uint32_t *weight, const bins *columns, gcast_error *err)
{
    const view *v = index->shown;
    const gcast_run *run = index->run;
    cell *cells = open_area(a, columns, keys->count);
    int sms = 0;
    if (!cells)
        return gcast_error_set_memory(err);
    for (int sm = v->first_sm; sm <= v->last_sm; sm++) {
        if (rows->row_of[sm - v->first_sm] != row || (rows->identical && sms))
            continue;
        const sm_entry *e = sm_index_entries(index, sm);
        report_progress_add(v->progress, STEPS_TO_SHOW * sm_index_count(index, sm));
        for (size_t n = sm_index_count(index, sm); n; n--, e++) {
            const gcast_run_op *o = &run->ops[e->op];
            const gcast_block *b = &shown_blocks_of(o).at[e->at];
            if (keys->of_op[e->op] >= 0)
                add_span(cells + (size_t)keys->of_op[e->op] * (size_t)columns->count, v, columns, b->start_ns,
                         b->end_ns, weight[o->op]);
        }
        sms++;
    }
    stack(a, cells, max_int(sms, 1));
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
        add_span(cells, v, columns, spans->at[i].start, spans->at[i].end, SHARE_ALL / (lanes ? lanes : 1));
    stack(a, cells, 1);
    free(cells);
    return GCAST_OK;
}

void area_free(area *a)
{
    free(a->top);
    *a = (area){0};
}

typedef struct kernel_use {
    unsigned __int128 held; /* threads * time in the view */
    uint64_t runs;          /* operations that are shown */
    uint64_t blocks;        /* of these */
    uint64_t rests;         /* how many rests of blocks are shown */
    const char *label;
    size_t stem_length; /* length of the label without the number of an iteration */
    uint32_t op;        /* of the workload */
} kernel_use;

static int by_name(const void *a, const void *b)
{
    const kernel_use *x = a, *y = b;
    int order = stem_compare(x->label, x->stem_length, y->label, y->stem_length);
    return order ? order : x->op < y->op ? -1 : x->op > y->op;
}

static int by_held(const void *a, const void *b)
{
    const kernel_use *x = a, *y = b;
    if (x->held != y->held)
        return x->held > y->held ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

static void add_op(const sm_index *index, size_t i, kernel_use *u)
{
    const view *v = index->shown;
    shown_blocks blocks = shown_blocks_of(&index->run->ops[i]);
    uint64_t counted = 0, threads = (uint64_t)run_op(index->run, i)->shape.threads;
    for (uint64_t k = 0; blocks.at && k < blocks.count; k++) {
        const gcast_block *b = &blocks.at[k];
        if (!view_holds_block(v, b))
            continue;
        u->held += (unsigned __int128)(uint64_t)view_clip(v, b->start_ns, b->end_ns) * threads;
        counted++;
    }
    if (run_is_rest(index->run, i)) {
        u->rests += counted;
        return;
    }
    u->blocks += counted;
    u->runs += counted > 0;
}

/* Merges the iterations of a label; returns how many kernels are left. */
static size_t merge(kernel_use *uses, size_t count)
{
    size_t kept = 0;
    qsort(uses, count, sizeof *uses, by_name);
    for (size_t i = 0; i < count; i++) {
        kernel_use *last = kept ? &uses[kept - 1] : NULL;
        if (!uses[i].blocks && !uses[i].rests)
            continue;
        if (!last || stem_compare(last->label, last->stem_length, uses[i].label, uses[i].stem_length) != 0) {
            uses[kept++] = uses[i];
            continue;
        }
        last->held += uses[i].held;
        last->runs += uses[i].runs;
        last->blocks += uses[i].blocks;
    }
    return kept;
}

bool busiest_find(busiest *b, const sm_index *index)
{
    const gcast_run *run = index->run;
    size_t ops = run->workload->op_count + run->workload->child_count;
    kernel_use *uses = calloc(ops + 1, sizeof *uses);
    unsigned __int128 all = 0;
    *b = (busiest){0};
    if (!uses)
        return false;
    for (size_t i = 0; i < ops; i++) {
        const char *label = run->workload->ops[i].label;
        uses[i] = (kernel_use){.op = (uint32_t)i, .label = label, .stem_length = workload_label_stem(label)};
    }
    for (size_t i = 0; i < run_total(run); i++)
        add_op(index, i, &uses[run->ops[i].op]);
    b->kernels = merge(uses, ops);
    for (size_t i = 0; i < b->kernels; i++)
        all += uses[i].held;
    qsort(uses, b->kernels, sizeof *uses, by_held);
    for (size_t i = 0; i < b->kernels && i < BUSIEST && uses[i].held; i++)
        b->at[b->count++] = (busy_kernel){uses[i].op, (uint32_t)((uses[i].held * 1000000 + all / 2) / all),
                                          uses[i].runs, uses[i].blocks};
    free(uses);
    return true;
}
