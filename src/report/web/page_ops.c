#include "report/web/page_ops.h"

#include <stdlib.h>

#include "base/integers.h"
#include "gridcast/names.h"
#include "gridcast/workload.h"
#include "model/run_op.h"
#include "model/workload/workload.h"
#include "report/canvas/palette.h"
#include "report/run/display_names.h"
#include "report/run/sm_share.h"

/* page_colours gives ops the colours that they have in pictures or, where all kernels are in one stream, a colour per
 * name. */

/* An op and its name: its label without the number of an iteration. */
typedef struct named_op {
    const char *label;
    size_t length;
    uint32_t op;
    uint32_t first; /* the first op with this name */
} named_op;

static int by_name(const void *a, const void *b)
{
    const named_op *x = a, *y = b;
    int order = stem_compare(x->label, x->length, y->label, y->length);
    return order ? order : x->op < y->op ? -1 : x->op > y->op;
}

static int by_first(const void *a, const void *b)
{
    const named_op *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

/* Are all kernels in one stream? */
static bool one_stream(const gcast_workload *w)
{
    int stream = -1;
    for (size_t i = 0; i < w->op_count; i++) {
        if (w->ops[i].kind != GCAST_KIND_KERNEL)
            continue;
        if (stream >= 0 && w->ops[i].stream != stream)
            return false;
        stream = w->ops[i].stream;
    }
    return stream >= 0 && !w->child_count;
}

/* By op of the workload, also by child; free() it. NULL without memory. */
static uint32_t *page_colours(const gcast_workload *w)
{
    uint32_t *colours = op_colours(w);
    size_t count = 0, different = 0;
    if (!colours || !one_stream(w))
        return colours;
    named_op *names = malloc((w->op_count + 1) * sizeof *names);
    if (!names) {
        free(colours);
        return NULL;
    }
    for (size_t i = 0; i < w->op_count; i++)
        if (gcast_kind_on_gpu(w->ops[i].kind))
            names[count++] =
                (named_op){w->ops[i].label, workload_label_stem(w->ops[i].label), (uint32_t)i, (uint32_t)i};
    qsort(names, count, sizeof *names, by_name);
    for (size_t i = 1; i < count; i++)
        if (stem_compare(names[i].label, names[i].length, names[i - 1].label, names[i - 1].length) == 0)
            names[i].first = names[i - 1].first;
    qsort(names, count, sizeof *names, by_first);
    for (size_t i = 0; i < count; i++) {
        different += i && names[i].first != names[i - 1].first;
        colours[names[i].op] = palette_stream(different);
    }
    free(names);
    return colours;
}

/* Is anything of it, from its release or start to its end, in the view? */
static bool is_shown(const gcast_run_op *o, const view *v)
{
    int64_t from = o->release_ns;
    if (o->start_ns >= 0 && (from < 0 || o->start_ns < from)) /* of a measured run: release and start have two clocks */
        from = o->start_ns;
    return o->skipped || view_holds(v, from, max_i64(o->end_ns, from));
}

bool page_ops_make(page_ops *p, const gcast_run *run, const gcast_run *original, const view *v)
{
    size_t total = run_total(run);
    *p = (page_ops){.run = run, .original = original, .row_of = malloc((total + 1) * sizeof *p->row_of)};
    p->at = malloc((min_size(total, PAGE_MAX_OPS) + 1) * sizeof *p->at);
    if (!p->at || !p->row_of) {
        page_ops_free(p);
        return false;
    }
    for (size_t i = 0; i < total; i++) {
        p->row_of[i] = PAGE_NONE;
        if (!is_shown(&run->ops[i], v))
            continue;
        if (p->count == PAGE_MAX_OPS) {
            p->left_out++;
            continue;
        }
        p->row_of[i] = (uint32_t)p->count;
        p->at[p->count++] = (uint32_t)i;
    }
    return true;
}

void page_ops_free(page_ops *p)
{
    free(p->at);
    free(p->row_of);
    p->at = NULL;
    p->row_of = NULL;
}

static void put_int(text *out, const char *key, int64_t v)
{
    text_str(out, key);
    text_int(out, v);
}

static void put_kernel(const gcast_gpu *gpu, const gcast_op *op, text *out)
{
    block_demand d = demand_of_block(&gpu->limits, &op->shape);
    text_printf(out, ",\"grid\":[%u,%u,%u],\"block\":[%u,%u,%u]", op->grid[0], op->grid[1], op->grid[2], op->block[0],
                op->block[1], op->block[2]);
    put_int(out, ",\"threads\":", d.threads);
    put_int(out, ",\"regs\":", op->shape.registers);
    put_int(out, ",\"registers\":", d.registers);
    put_int(out, ",\"smem\":", d.smem);
    put_int(out, ",\"share\":", share_of_block(&gpu->limits, &op->shape));
    if (op->policy != GCAST_POLICY_HARDWARE)
        text_printf(out, ",\"policy\":\"%s\"", gcast_name(GCAST_NAMES_POLICY, op->policy));
}

static void put_op(const gcast_run *run, size_t i, uint32_t colour, text *out)
{
    const gcast_op *op = &run->workload->ops[i];
    text_str(out, i ? ",\n{\"label\":" : "\n{\"label\":");
    text_json_page(out, op->label, PAGE_LABEL);
    text_printf(out, ",\"kind\":\"%s\",\"colour\":%u", gcast_name(GCAST_NAMES_KIND, op->kind), (unsigned)colour);
    if (op->stream >= 0)
        put_int(out, ",\"stream\":", op->stream);
    if (op->host >= 0)
        put_int(out, ",\"host\":", op->host);
    if (op->task >= 0)
        put_int(out, ",\"task\":", op->task);
    if (i >= run->workload->op_count)
        text_str(out, ",\"child\":1");
    if (op->kind == GCAST_KIND_KERNEL)
        put_kernel(run->gpu, op, out);
    else if (op->bytes > 0)
        put_int(out, ",\"bytes\":", op->bytes);
    if (op->kind == GCAST_KIND_COPY)
        text_printf(out, ",\"direction\":\"%s\"", gcast_name(GCAST_NAMES_DIRECTION, op->direction));
    for (size_t k = 0; k < op->after_count; k++)
        put_int(out, k ? "," : ",\"after\":[", op->after[k]);
    text_str(out, op->after_count ? "]}" : "}");
}

bool page_ops_put_workload(const page_ops *p, text *out)
{
    const gcast_workload *w = p->run->workload;
    uint32_t *colours = page_colours(w);
    if (!colours)
        return false;
    text_str(out, ",\n\"ops\":[");
    for (size_t i = 0; i < w->op_count + w->child_count; i++)
        put_op(p->run, i, colours[i], out);
    text_char(out, ']');
    free(colours);
    return true;
}

static void put_row(const page_ops *p, size_t i, text *out)
{
    const gcast_run_op *o = &p->original->ops[i];
    const gcast_child *child = run_child(p->run, i);
    const int64_t numbers[] = {o->op,         o->job,      o->skipped,       o->engine,    o->connection,
                               o->release_ns, o->call_ns,  o->return_ns,     o->arrive_ns, o->head_ns,
                               o->enter_ns,   o->start_ns, o->dispatched_ns, o->end_ns,    (int64_t)o->block_count};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        put_int(out, k ? "," : "[", numbers[k]);
    if (o->workers)
        text_printf(out, ",{\"workers\":%llu,\"retreated\":%llu,\"repaired\":%llu}", (unsigned long long)o->workers,
                    (unsigned long long)o->retreated, (unsigned long long)o->repaired);
    else if (child)
        text_printf(out, ",{\"parent\":%lld,\"parentBlock\":%u,\"items\":%u,\"rest\":%d}",
                    p->row_of[child->parent] == PAGE_NONE ? -1LL : (long long)p->row_of[child->parent],
                    child->parent_block, child->items, child->is_rest);
    text_char(out, ']');
}

void page_ops_put_run(const page_ops *p, text *out)
{
    text_str(out, ",\n\"run\":[");
    for (size_t k = 0; k < p->count; k++) {
        text_str(out, k ? ",\n" : "\n");
        put_row(p, p->at[k], out);
    }
    text_char(out, ']');
}
