#include "report/web/page_means.h"

#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/text.h"
#include "model/run_op.h"
#include "model/workload/workload.h"
#include "report/report_progress.h"
#include "report/run/bins.h"
#include "report/run/display_names.h"
#include "report/run/shown_blocks.h"
#include "report/run/sm_share.h"
#include "report/view.h"
#include "report/web/page_ops.h"

/* Keys are the kernels that a page with means tells apart: the names that hold the most, and one key for all others.
 * Iterations of a label ("K", "K#2") have one name, as have all children of one label. */

#define PAGE_MAX_KEYS 64

typedef struct page_keys {
    int count;                     /* of keys */
    int others;                    /* the key of all kernels without a key of their own; -1: each has one */
    int *of_op;                    /* by op of the workload, also by child: its key; -1: nothing of it is in the view */
    uint32_t op_of[PAGE_MAX_KEYS]; /* by key: its first op of the workload */
    size_t other_names;            /* how many names `others` stands for */
} page_keys;

/* A kernel of the workload, or all kernels of one name. */
typedef struct kernel_name {
    const char *label;
    size_t stem_length; /* length of the label without the number of an iteration */
    double held;        /* about what its blocks hold of an SM * time: decides who has a key, and is not shown */
    uint32_t op;        /* of the workload: the first one */
    bool shown;         /* something of it is in the view */
} kernel_name;

static bool same_name(const kernel_name *x, const kernel_name *y)
{
    return stem_compare(x->label, x->stem_length, y->label, y->stem_length) == 0;
}

static int by_name(const void *a, const void *b)
{
    const kernel_name *x = a, *y = b;
    int order = stem_compare(x->label, x->stem_length, y->label, y->stem_length);
    return order ? order : x->op < y->op ? -1 : x->op > y->op;
}

static int by_held(const void *a, const void *b)
{
    const kernel_name *x = a, *y = b;
    if (x->held != y->held)
        return x->held > y->held ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

static int by_op(const void *a, const void *b)
{
    const kernel_name *x = a, *y = b;
    return x->op < y->op ? -1 : x->op > y->op;
}

/* About how long a block takes. */
static double block_ns(const gcast_run *run, size_t i)
{
    const gcast_op *op = run_op(run, i);
    const gcast_run_op *o = &run->ops[i];
    double sum = 0;
    if (op->block_ns)
        for (uint64_t b = 0; b < o->block_count; b++)
            sum += (double)op->block_ns[b] / (double)o->block_count;
    return op->block_ns ? sum : op->max_ns >= 0 ? (double)op->max_ns : (double)(o->end_ns - o->start_ns);
}

static void add_operations(const gcast_run *run, const view *v, kernel_name *names)
{
    for (size_t i = 0; i < run_total(run); i++) {
        const gcast_run_op *o = &run->ops[i];
        if (run_op(run, i)->kind != GCAST_KIND_KERNEL || !run_op_ran(run, i) || !view_holds(v, o->start_ns, o->end_ns))
            continue;
        names[o->op].shown = true;
        names[o->op].held +=
            (double)o->block_count * block_ns(run, i) * share_of_block(&run->gpu->limits, &run_op(run, i)->shape);
    }
}

/* Gives keys to the names that hold the most, in the order of their first ops. `names` are those in the view. */
static void number_names(page_keys *keys, kernel_name *names, size_t count)
{
    qsort(names, count, sizeof *names, by_held);
    size_t own = count <= PAGE_MAX_KEYS ? count : PAGE_MAX_KEYS - 1;
    qsort(names, own, sizeof *names, by_op);
    for (size_t k = 0; k < own; k++)
        keys->op_of[k] = names[k].op;
    keys->other_names = count - own;
    keys->others = own < count ? (int)own : -1;
    keys->count = (int)own + (own < count);
}

static void page_keys_free(page_keys *keys)
{
    free(keys->of_op);
    keys->of_op = NULL;
}

/* For the kernels in the view. False without memory. */
static bool page_keys_make(page_keys *keys, const gcast_run *run, const view *v)
{
    const gcast_workload *w = run->workload;
    size_t ops = w->op_count + w->child_count, count = 0;
    kernel_name *names = calloc(ops + 1, sizeof *names), *sorted = malloc((ops + 1) * sizeof *sorted);
    *keys = (page_keys){.others = -1, .of_op = malloc((ops + 1) * sizeof *keys->of_op)};
    if (!names || !sorted || !keys->of_op) {
        free(names);
        free(sorted);
        page_keys_free(keys);
        return false;
    }
    for (size_t i = 0; i < ops; i++)
        names[i] = (kernel_name){
            .label = w->ops[i].label, .stem_length = workload_label_stem(w->ops[i].label), .op = (uint32_t)i};
    add_operations(run, v, names);
    qsort(names, ops, sizeof *names, by_name);
    for (size_t i = 0; i < ops; i++) {
        if (!names[i].shown)
            continue;
        if (!count || !same_name(&sorted[count - 1], &names[i]))
            sorted[count++] = names[i];
        else
            sorted[count - 1].held += names[i].held;
    }
    if (count)
        number_names(keys, sorted, count);
    /* `names` are still by name: all of one name follow each other, and the first in the view is the key's op */
    for (size_t i = 0, first = 0; i < ops; i++) {
        if (!i || !same_name(&names[i - 1], &names[i]))
            first = i;
        while (first < i && !names[first].shown)
            first++;
        int key = keys->others;
        for (int k = 0; k < keys->count && k != keys->others; k++)
            key = keys->op_of[k] == names[first].op ? k : key;
        keys->of_op[names[i].op] = names[i].shown ? key : -1;
    }
    free(names);
    free(sorted);
    return true;
}

/* Writes a script element: by key a name and an op of the workload, or -1; `number` is the run's in the page. */
static void page_keys_put(const page_keys *keys, const gcast_run *run, int number, text *out)
{
    text_printf(out, "<script type=\"application/json\" id=\"keys-%d\">[", number);
    for (int k = 0; k < keys->count; k++) {
        text_str(out, k ? ",[" : "[");
        if (k == keys->others) {
            text_printf(out, "\"%zu other kernels\",-1]", keys->other_names);
            continue;
        }
        const char *label = run->workload->ops[keys->op_of[k]].label;
        char *name = strndup(label, workload_label_stem(label));
        text_json_page(out, name ? name : "", PAGE_LABEL);
        if (!name)
            text_no_memory(out);
        free(name);
        text_printf(out, ",%u]", (unsigned)keys->op_of[k]);
    }
    text_str(out, "]</script>\n");
}

/* page_means sums up what blocks hold in steps of time. */

#define USE_STEPS (1 << 14)    /* steps of what is in use of all SMs */
#define STEPS_OF_SMS (1 << 18) /* steps of all SMs together */
#define CELLS (1 << 23)        /* steps of all keys of all SMs together */
#define MIN_STEPS 64
#define MAX_STEPS 4096
#define MEAN_UNIT 1024 /* what is in use is given in 1/MEAN_UNIT of a thread, register, byte or block */

enum { THREADS, BLOCKS, REGISTERS, SMEM, RESOURCES };

/* Steps of time, and where they are. */
typedef struct steps {
    bins at;
    double per_ns; /* steps per nanosecond, for a first guess of a step */
} steps;

/* The steps of a span of time: from a part of the first step to a part of the last. */
typedef struct place {
    int64_t start, end;       /* the span */
    int first, last;          /* steps */
    int64_t head_ns, tail_ns; /* in the first, and in the last where that is another one */
} place;

/* A resource in a step, while it is summed up. */
typedef struct use_cell {
    int64_t full_change;       /* how the amount that is held for full steps changes at this one */
    unsigned __int128 partial; /* held * time of what covers a part of this step */
} use_cell;

/* What a block of an op takes. */
typedef struct demand {
    int64_t takes[RESOURCES];
    uint32_t share; /* of an SM, in 1/SHARE_ALL */
    int key;        /* -1: nothing of it is in the view */
} demand;

struct page_means {
    const gcast_run *run;
    const view *v;
    page_keys keys;
    demand *demands; /* by op of the workload, also by child */
    steps use_steps, sm_steps;
    use_cell *use;       /* by resource, then by step */
    int32_t *change;     /* by SM, key and step: as full_change */
    uint64_t *partial;   /* as partial, in units of 2^shift ns */
    int shift;           /* so that the sum of a step fits */
    uint64_t blocks;     /* in the view */
    place in_use, on_sm; /* of the last block: blocks of a wave have the same */
    uint32_t last_op;    /* the op of the last block */
    uint64_t pending;    /* blocks of last_op at in_use that are not in `use` yet */
    bool has_unknown;    /* the caller gave a block of an operation that the run does not have */
};

static gcast_status steps_make(steps *s, const gcast_run *run, const view *v, int count, gcast_error *err)
{
    gcast_status status = bins_make(&s->at, run, v, count, 4, err);
    s->per_ns = (double)s->at.count / (double)(v->end_ns - v->start_ns);
    return status;
}

/* The step of a time in the view. */
static int step_at(const steps *s, int64_t t)
{
    int at = (int)((double)(t - s->at.edge[0]) * s->per_ns);
    at = max_int(0, min_int(at, s->at.count - 1));
    while (at > 0 && s->at.edge[at] > t)
        at--;
    while (at + 1 < s->at.count && s->at.edge[at + 1] <= t)
        at++;
    return at;
}

static place place_of(const steps *s, int64_t start, int64_t end)
{
    place p = {start, end, step_at(s, start), step_at(s, end - 1), 0, 0};
    p.head_ns = (p.first == p.last ? end : s->at.edge[p.first + 1]) - start;
    p.tail_ns = p.first == p.last ? 0 : end - s->at.edge[p.last];
    return p;
}

/* Adds the pending blocks to what is in use. */
static void add_use(page_means *m)
{
    const demand *d = &m->demands[m->last_op];
    const place *p = &m->in_use;
    for (int r = 0; r < RESOURCES && m->pending; r++) {
        use_cell *cells = m->use + (size_t)r * (size_t)m->use_steps.at.count;
        int64_t takes = d->takes[r] * (int64_t)m->pending;
        cells[p->first].partial += (unsigned __int128)(uint64_t)takes * (uint64_t)p->head_ns;
        if (p->first == p->last)
            continue;
        cells[p->last].partial += (unsigned __int128)(uint64_t)takes * (uint64_t)p->tail_ns;
        cells[p->first + 1].full_change += takes;
        cells[p->last].full_change -= takes;
    }
    m->pending = 0;
}

static void add_sm(page_means *m, const demand *d, int sm)
{
    const place *p = &m->on_sm;
    size_t row = (size_t)(sm - m->v->first_sm) * (size_t)m->keys.count + (size_t)d->key;
    int32_t *change = m->change + row * (size_t)m->sm_steps.at.count;
    uint64_t *partial = m->partial + row * (size_t)m->sm_steps.at.count;
    partial[p->first] += ((uint64_t)p->head_ns >> m->shift) * d->share;
    if (p->first == p->last)
        return;
    partial[p->last] += ((uint64_t)p->tail_ns >> m->shift) * d->share;
    change[p->first + 1] += (int32_t)d->share;
    change[p->last] -= (int32_t)d->share;
}

/* Adds blocks; false where the caller of the report stops. */
static bool add_blocks(void *data, const gcast_started_block *blocks, size_t count)
{
    page_means *m = data;
    const view *v = m->v;
    for (size_t i = 0; i < count; i++) {
        const gcast_block *b = &blocks[i].block;
        if (blocks[i].run_op >= run_total(m->run)) {
            m->has_unknown = true;
            return false;
        }
        uint32_t op = m->run->ops[blocks[i].run_op].op;
        const demand *d = &m->demands[op];
        int64_t start = max_i64(b->start_ns, v->start_ns), end = min_i64(b->end_ns, v->end_ns);
        if (b->start_ns < 0 || d->key < 0 || !view_holds_block(v, b))
            continue;
        m->blocks++;
        if (end <= start)
            continue;
        if (start != m->in_use.start || end != m->in_use.end || op != m->last_op) {
            add_use(m);
            m->in_use = place_of(&m->use_steps, start, end);
            m->on_sm = place_of(&m->sm_steps, start, end);
            m->last_op = op;
        }
        m->pending++;
        add_sm(m, d, (int)b->sm);
    }
    report_progress_add(v->progress, STEPS_TO_SHOW * count);
    return !v->progress || !v->progress->stopped;
}

static void add_recorded_blocks(page_means *m)
{
    gcast_started_block some[256];
    bool goes_on = true;
    for (size_t i = 0; i < run_total(m->run) && goes_on; i++) {
        shown_blocks blocks = shown_blocks_of(&m->run->ops[i]);
        for (uint64_t b = 0; blocks.at && b < blocks.count && goes_on;) {
            size_t n = 0;
            while (n < 256 && b < blocks.count)
                some[n++] = (gcast_started_block){blocks.at[b++], 0, (uint32_t)i};
            goes_on = add_blocks(m, some, n);
        }
    }
}

static bool find_demands(page_means *m)
{
    const gcast_workload *w = m->run->workload;
    const gcast_limits *limits = &m->run->gpu->limits;
    size_t ops = w->op_count + w->child_count;
    m->demands = malloc((ops + 1) * sizeof *m->demands);
    for (size_t i = 0; m->demands && i < ops; i++) {
        m->demands[i] = (demand){.key = m->keys.of_op[i]};
        if (w->ops[i].kind != GCAST_KIND_KERNEL)
            continue;
        block_demand d = demand_of_block(limits, &w->ops[i].shape);
        m->demands[i] = (demand){.takes = {d.threads, 1, d.registers, d.smem},
                                 .share = share_of_block(limits, &w->ops[i].shape),
                                 .key = m->keys.of_op[i]};
    }
    return m->demands != NULL;
}

static gcast_status prepare(page_means *m, gcast_error *err)
{
    const view *v = m->v;
    if (!page_keys_make(&m->keys, m->run, v) || !find_demands(m))
        return gcast_error_set_memory(err);
    int sms = v->last_sm - v->first_sm + 1, rows = sms * max_int(m->keys.count, 1);
    int count = max_int(MIN_STEPS, min_int(MAX_STEPS, min_int(STEPS_OF_SMS / sms, CELLS / rows)));
    gcast_status status = steps_make(&m->use_steps, m->run, v, USE_STEPS, err);
    if (status == GCAST_OK)
        status = steps_make(&m->sm_steps, m->run, v, count, err);
    if (status != GCAST_OK)
        return status;
    size_t cells = (size_t)rows * (size_t)m->sm_steps.at.count + 1;
    while ((v->end_ns - v->start_ns) >> m->shift > INT64_C(1) << 44)
        m->shift++;
    m->use = calloc((size_t)RESOURCES * (size_t)m->use_steps.at.count + 1, sizeof *m->use);
    m->change = calloc(cells, sizeof *m->change);
    m->partial = calloc(cells, sizeof *m->partial);
    return m->use && m->change && m->partial ? GCAST_OK : gcast_error_set_memory(err);
}

gcast_status page_means_make(page_means **out, const gcast_run *run, const view *v, const gcast_report_options *options,
                             gcast_error *err)
{
    page_means *m = calloc(1, sizeof *m);
    if (!m)
        return gcast_error_set_memory(err);
    *m = (page_means){.run = run, .v = v, .in_use = {.start = -1}};
    gcast_status status = prepare(m, err);
    if (status == GCAST_OK && shown_blocks_any(run))
        add_recorded_blocks(m);
    else if (status == GCAST_OK)
        status = options->each_block(options->each_block_data, add_blocks, m, err);
    if (status == GCAST_OK && m->has_unknown)
        status = gcast_error_set(err, GCAST_USAGE, NULL, "the report's each_block gave a block of no operation");
    if (status == GCAST_OK)
        add_use(m);
    if (status != GCAST_OK) {
        page_means_free(m);
        m = NULL;
    }
    *out = m;
    return status;
}

void page_means_free(page_means *m)
{
    if (!m)
        return;
    page_keys_free(&m->keys);
    bins_free(&m->use_steps.at);
    bins_free(&m->sm_steps.at);
    free(m->demands);
    free(m->use);
    free(m->change);
    free(m->partial);
    free(m);
}

uint64_t page_means_blocks(const page_means *m)
{
    return m->blocks;
}

/* Writes means as spans of equal height, each with the gap before it. */
static void put_spans(const bins *at, const uint64_t *means, base64 *b)
{
    uint64_t spans = 0;
    for (int pass = 0; pass < 2; pass++) {
        int64_t end = 0, length = 0, height = 0;
        for (int c = 0, next; c < at->count; c = next) {
            for (next = c + 1; next < at->count && means[next] == means[c];)
                next++;
            if (!means[c])
                continue;
            if (!pass) {
                spans++;
                continue;
            }
            base64_signed(b, at->edge[c] - end);
            base64_signed(b, at->edge[next] - at->edge[c] - length);
            base64_signed(b, (int64_t)means[c] - height);
            end = at->edge[next];
            length = at->edge[next] - at->edge[c];
            height = (int64_t)means[c];
        }
        if (!pass)
            base64_number(b, spans);
    }
}

static void put_use(const page_means *m, uint64_t *means, base64 *b)
{
    const bins *at = &m->use_steps.at;
    for (int r = 0; r < RESOURCES; r++) {
        const use_cell *cells = m->use + (size_t)r * (size_t)at->count;
        int64_t full = 0;
        for (int c = 0; c < at->count; c++) {
            uint64_t width = (uint64_t)(at->edge[c + 1] - at->edge[c]);
            full += cells[c].full_change;
            means[c] = (uint64_t)full * MEAN_UNIT + (uint64_t)((cells[c].partial * MEAN_UNIT + width / 2) / width);
        }
        put_spans(at, means, b);
    }
}

static void put_sms(const page_means *m, uint64_t *means, base64 *b)
{
    const bins *at = &m->sm_steps.at;
    size_t rows = (size_t)(m->v->last_sm - m->v->first_sm + 1) * (size_t)m->keys.count;
    for (size_t row = 0; row < rows; row++) {
        const int32_t *change = m->change + row * (size_t)at->count;
        const uint64_t *partial = m->partial + row * (size_t)at->count;
        int64_t full = 0;
        for (int c = 0; c < at->count; c++) {
            uint64_t width = max_u64((uint64_t)(at->edge[c + 1] - at->edge[c]) >> m->shift, 1);
            full += change[c];
            means[c] = (uint64_t)full + (partial[c] + width / 2) / width;
        }
        put_spans(at, means, b);
    }
}

/* Writes an element with the spans of `put`. */
static void put_element(const page_means *m, const char *id, int number,
                        void (*put)(const page_means *, uint64_t *, base64 *), text *out)
{
    uint64_t *means = malloc(((size_t)max_int(m->use_steps.at.count, m->sm_steps.at.count) + 1) * sizeof *means);
    base64 b;
    if (!means) {
        text_no_memory(out);
        return;
    }
    text_printf(out, "<script type=\"text/plain\" id=\"%s-%d\">\n", id, number);
    base64_open(&b, out);
    put(m, means, &b);
    base64_close(&b);
    text_str(out, "</script>\n");
    free(means);
}

void page_means_put(const page_means *m, int number, text *out)
{
    page_keys_put(&m->keys, m->run, number, out);
    put_element(m, "blocks", number, put_sms, out);
    put_element(m, "use", number, put_use, out);
}
