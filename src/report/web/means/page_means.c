#include "report/web/means/page_means.h"

#include <stdlib.h>

#include "base/text/base64.h"
#include "model/run_children.h"
#include "report/areas/bins.h"
#include "report/report_progress.h"
#include "report/run/shown_blocks.h"
#include "report/run/sm_share.h"
#include "report/web/means/page_keys.h"

#define USE_STEPS (1 << 14)    /* of what is in use of all SMs */
#define STEPS_OF_SMS (1 << 18) /* steps of all SMs together */
#define CELLS (1 << 23)        /* steps of all keys of all SMs together */
#define MIN_STEPS 64
#define MAX_STEPS 4096
#define MEAN_UNIT 1024 /* of what is in use a page has this many parts of one thread, register, byte or block */

enum { THREADS, BLOCKS, REGISTERS, SMEM, RESOURCES };

/* Steps of time, and where they are. */
typedef struct steps {
    bins at;
    double per_ns; /* steps of a nanosecond: for a first guess of a step */
} steps;

/* Where a span of time is: from a part of the first step to a part of the last. */
typedef struct place {
    int64_t start, end;       /* what it is the place of */
    int first, last;          /* steps */
    int64_t head_ns, tail_ns; /* in the first, and in the last where that is another one */
} place;

/* A resource in a step, while it is summed up. */
typedef struct use_cell {
    int64_t full_change;       /* by how much what is held for full steps changes at this one */
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
    uint32_t last_op;    /* of the workload: of the blocks that are not in `use` yet */
    bool has_unknown;    /* the caller gave a block of an operation that the run does not have */
    uint64_t same;       /* how many these are; all are in the place in_use */
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

/* Adds the blocks of a wave to what is in use. */
static void add_use(page_means *m)
{
    const demand *d = &m->demands[m->last_op];
    const place *p = &m->in_use;
    for (int r = 0; r < RESOURCES && m->same; r++) {
        use_cell *cells = m->use + (size_t)r * (size_t)m->use_steps.at.count;
        int64_t takes = d->takes[r] * (int64_t)m->same;
        cells[p->first].partial += (unsigned __int128)(uint64_t)takes * (uint64_t)p->head_ns;
        if (p->first == p->last)
            continue;
        cells[p->last].partial += (unsigned __int128)(uint64_t)takes * (uint64_t)p->tail_ns;
        cells[p->first + 1].full_change += takes;
        cells[p->last].full_change -= takes;
    }
    m->same = 0;
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
static bool take(void *data, const gcast_started_block *blocks, size_t count)
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
        if ((int)b->sm < v->first_sm || (int)b->sm > v->last_sm || b->start_ns < 0 || d->key < 0 ||
            !view_holds(v, b->start_ns, b->end_ns))
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
        m->same++;
        add_sm(m, d, (int)b->sm);
    }
    report_progress_add(v->progress, STEPS_TO_SHOW * count);
    return !v->progress || !v->progress->stopped;
}

/* Gives the blocks that are recorded to take. */
static void take_recorded(page_means *m)
{
    gcast_started_block some[256];
    bool goes_on = true;
    for (size_t i = 0; i < run_total(m->run) && goes_on; i++) {
        shown_blocks blocks = shown_blocks_of(&m->run->ops[i]);
        for (uint64_t b = 0; blocks.at && b < blocks.count && goes_on;) {
            size_t n = 0;
            while (n < 256 && b < blocks.count)
                some[n++] = (gcast_started_block){blocks.at[b++], 0, (uint32_t)i};
            goes_on = take(m, some, n);
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
        take_recorded(m);
    else if (status == GCAST_OK)
        status = options->each_block(options->each_block_data, take, m, err);
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

/* An element with spans of either kind. */
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
