/* gcast_app_workload makes a workload of an application: parent kernels whose threads have the items of its rounds, and
 * may launch child kernels. */
#include <stdio.h>
#include <stdlib.h>

#include "base/api.h"
#include "base/integers.h"
#include "papers/apps/apps.h"
#include "papers/apps/data/dataset.h"
#include "papers/apps/step_costs.h"

#define WARP 32u
#define ROUND_THREADS 32 /* of the kernel before a round */

/* An application while it becomes a workload. */
typedef struct app_builder {
    gcast_app_options options; /* with all costs filled in */
    app_input in;
    app_shape shape; /* of its grids */
    gcast_workload *w;
    int stream;       /* of all rounds */
    int host;         /* which launches all rounds, or GCAST_NO_HOST */
    gcast_error *err; /* of the first error */
} app_builder;

/* The levels of a round, from the parent kernel down: the launches of each, and its child. */
typedef struct app_levels {
    gcast_launches launches[APP_MAX_NESTED + 1];
    gcast_op child[APP_MAX_NESTED + 1];
    char label[APP_MAX_NESTED + 1][48]; /* of child */
} app_levels;

size_t gcast_benchmark_count(void)
{
    size_t count = 0;
    while (app_benchmark_name(count))
        count++;
    return count;
}

const char *gcast_benchmark_name(size_t benchmark)
{
    return app_benchmark_name(benchmark);
}

static int64_t kepler_ns(const app_counts *counts, uint32_t lanes)
{
    return div_up((int64_t)app_cycles(counts, &app_kepler, lanes) * 1000, APP_KEPLER_MHZ);
}

/* The mean number of active lanes of a warp, rounded up, while one of them still has items. */
static uint32_t active_lanes(const app_rounds *rounds)
{
    uint64_t items = 0, turns = 0;
    for (size_t r = 0; r < rounds->count; r++) {
        const app_round *round = &rounds->round[r];
        for (uint32_t first = 0; first < round->threads; first += WARP) {
            uint32_t longest = 0;
            for (uint32_t i = first; i < round->threads && i < first + WARP; i++) {
                items += round->items[i];
                longest = max_u32(longest, round->items[i]);
            }
            turns += longest;
        }
    }
    return turns ? (uint32_t)((items - 1) / turns + 1) : WARP;
}

/* Sets the costs that are not given; `lanes` are active in the loops of parents. */
static void set_costs(gcast_app_costs *c, app_kind kind, uint32_t lanes)
{
    const app_costs *counts = app_costs_of(kind);
    if (c->parent_before_ns < 0)
        c->parent_before_ns = max_i64(kepler_ns(&counts->parent_before, WARP), 2);
    if (c->parent_item_ns < 0)
        c->parent_item_ns = kepler_ns(&counts->parent_item, lanes);
    if (c->child_thread_ns < 0)
        c->child_thread_ns = max_i64(kepler_ns(&counts->child_thread, WARP), 1);
    if (c->child_item_ns < 0)
        c->child_item_ns = kepler_ns(&counts->child_item, WARP);
    if (c->round_ns < 0)
        c->round_ns = 0;
}

static gcast_status check_options(const gcast_app_options *o, gcast_error *err)
{
    const struct {
        const char *name;
        int64_t ns, min;
    } costs[] = {{"parent_before_ns", o->costs.parent_before_ns, 2},
                 {"parent_item_ns", o->costs.parent_item_ns, 0},
                 {"child_thread_ns", o->costs.child_thread_ns, 1},
                 {"child_item_ns", o->costs.child_item_ns, 0},
                 {"round_ns", o->costs.round_ns, 0}};
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++)
        if (costs[i].ns < costs[i].min || costs[i].ns > GCAST_APP_MAX_NS)
            return gcast_error_set(err, GCAST_USAGE, NULL, "%s must be from %lld to %lld", costs[i].name,
                                   (long long)costs[i].min, (long long)GCAST_APP_MAX_NS);
    if (o->stream != GCAST_CHILD_STREAM_OWN && o->stream != GCAST_CHILD_STREAM_BLOCK)
        return gcast_error_set(err, GCAST_USAGE, NULL, "children have streams of their own, or share one per block");
    if (o->turnaround_ns > GCAST_APP_MAX_NS)
        return gcast_error_set(err, GCAST_USAGE, NULL, "turnaround_ns must be at most %lld",
                               (long long)GCAST_APP_MAX_NS);
    return GCAST_OK;
}

/* Fills in one level: `items` of its `count` launchers. Where children launch too, they decide when their item is done.
 */
static void fill_level(const app_builder *b, app_levels *l, int level, const uint32_t *items, uint64_t count,
                       bool child_launches)
{
    const gcast_app_costs *costs = &b->options.costs;
    gcast_launches *launches = &l->launches[level];
    gcast_op *child = &l->child[level];
    const char *name = app_kind_name(b->in.kind);
    if (level)
        snprintf(l->label[level], sizeof l->label[level], "%s child %d", name, level + 1);
    else
        snprintf(l->label[level], sizeof l->label[level], "%s child", name);
    *child = gcast_op_default(GCAST_KIND_KERNEL);
    child->label = l->label[level];
    child->block[0] = b->shape.child_threads;
    child->min_ns = child->max_ns = costs->child_thread_ns;
    *launches = gcast_launches_default();
    launches->at_ns = costs->parent_before_ns - 1;
    launches->items = items;
    launches->item_count = count;
    launches->min_items = b->shape.min_items;
    launches->item_ns = costs->parent_item_ns;
    launches->stream = b->options.stream;
    launches->child = child;
    launches->child_item_ns = costs->child_item_ns;
    if (child_launches) {
        child->min_ns = child->max_ns = max_i64(costs->child_thread_ns + costs->child_item_ns, 2);
        child->launches = &l->launches[level + 1];
        launches->child_item_ns = 0;
    }
    if (level)
        launches->at_ns = l->child[level - 1].min_ns - 1;
}

static gcast_status add_kernel(const app_builder *b, gcast_op *op, bool is_first)
{
    op->stream = b->stream;
    op->host = b->host;
    if (b->host != GCAST_NO_HOST && !is_first)
        op->delay_ns = b->options.turnaround_ns;
    return gcast_workload_add_op(b->w, op, NULL, b->err);
}

/* Adds the kernel of one block that stands for the work between rounds. */
static gcast_status add_between(const app_builder *b, size_t number)
{
    char label[48];
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    snprintf(label, sizeof label, "%s before %zu", app_kind_name(b->in.kind), number);
    op.label = label;
    op.block[0] = ROUND_THREADS;
    op.min_ns = op.max_ns = b->options.costs.round_ns;
    return add_kernel(b, &op, number == 0);
}

/* The host waits until all rounds so far are complete. */
static gcast_status add_sync(const app_builder *b)
{
    gcast_op op = gcast_op_default(GCAST_KIND_SYNC);
    op.label = "sync";
    op.stream = b->stream;
    op.host = b->host;
    return gcast_workload_add_op(b->w, &op, NULL, b->err);
}

static gcast_status add_round(const app_builder *b, const app_round *r, size_t number)
{
    app_levels levels;
    char label[48];
    gcast_op op = gcast_op_default(GCAST_KIND_KERNEL);
    gcast_status status = b->options.costs.round_ns ? add_between(b, number) : GCAST_OK;
    if (status != GCAST_OK)
        return status;
    fill_level(b, &levels, 0, r->items, r->threads, r->nested_count > 0);
    for (int i = 0; i < r->nested_count; i++)
        fill_level(b, &levels, i + 1, r->nested[i].items, r->nested[i].launchers, i + 1 < r->nested_count);
    snprintf(label, sizeof label, "%s round %zu", app_kind_name(b->in.kind), number);
    op.label = label;
    op.grid[0] = (r->threads - 1) / b->shape.parent_threads + 1;
    op.block[0] = b->shape.parent_threads;
    op.min_ns = op.max_ns = b->options.costs.parent_before_ns;
    op.launches = &levels.launches[0];
    status = add_kernel(b, &op, number == 0 || b->options.costs.round_ns);
    return status == GCAST_OK && b->host != GCAST_NO_HOST ? add_sync(b) : status;
}

static gcast_status add_rounds(app_builder *b, const app_rounds *rounds)
{
    char text[160], input[96];
    gcast_stream stream = {.id = 1};
    app_input_print(&b->in, input, sizeof input);
    snprintf(text, sizeof text, "%s %s", app_kind_name(b->in.kind), input);
    gcast_status status = gcast_workload_create(text, &b->w, b->err);
    if (status == GCAST_OK)
        status = gcast_workload_add_stream(b->w, &stream, &b->stream, b->err);
    b->host = GCAST_NO_HOST;
    if (status == GCAST_OK && b->options.turnaround_ns >= 0)
        status = gcast_workload_add_host(b->w, "host", &b->host, b->err);
    size_t number = 0;
    for (size_t i = 0; status == GCAST_OK && i < rounds->count; i++)
        if (rounds->round[i].threads)
            status = add_round(b, &rounds->round[i], number++);
    return status == GCAST_OK ? gcast_workload_check(b->w, b->err) : status;
}

gcast_status gcast_app_workload(const char *benchmark_or_app, const char *input, const gcast_app_options *options,
                                gcast_workload **workload, gcast_error *err)
{
    if (workload)
        *workload = NULL;
    if (!benchmark_or_app || !workload)
        return argument_missing(err);
    app_builder b = {.options = gcast_app_options_default(), .err = err};
    app_rounds rounds = {0};
    char why[256];
    gcast_status status = options_copy(&b.options, sizeof b.options, options, "gcast_app_options", err);
    if (status != GCAST_OK)
        return status;
    if (!app_input_parse(benchmark_or_app, input, &b.in, why, sizeof why))
        return gcast_error_set(err, GCAST_USAGE, NULL, "%s", why);
    b.shape = app_shape_of(b.in.kind);
    if (b.options.min_items)
        b.shape.min_items = b.options.min_items;
    gcast_app_options checked = b.options;
    set_costs(&checked.costs, b.in.kind, WARP);
    status = check_options(&checked, err);
    if (status == GCAST_OK && !app_input_rounds(&b.in, &rounds))
        status = gcast_error_set_memory(err);
    if (status == GCAST_OK) {
        set_costs(&b.options.costs, b.in.kind, active_lanes(&rounds));
        status = add_rounds(&b, &rounds);
    }
    app_rounds_free(&rounds);
    if (status != GCAST_OK) {
        gcast_workload_free(b.w);
        return status;
    }
    *workload = b.w;
    return GCAST_OK;
}
