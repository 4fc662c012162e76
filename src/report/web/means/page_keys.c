#include "report/web/means/page_keys.h"

#include <stdlib.h>
#include <string.h>

#include "model/run_children.h"
#include "model/run_op.h"
#include "model/workload/edit.h"
#include "report/run/sm_share.h"
#include "report/web/page_ops.h"

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
    return x->stem_length == y->stem_length && memcmp(x->label, y->label, x->stem_length) == 0;
}

static int by_name(const void *a, const void *b)
{
    const kernel_name *x = a, *y = b;
    int order = memcmp(x->label, y->label, min_size(x->stem_length, y->stem_length));
    if (order || x->stem_length != y->stem_length)
        return order ? order : x->stem_length < y->stem_length ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
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

/* Gives the names that hold the most keys, in the order of their first ops. `names` are those in the view. */
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

bool page_keys_make(page_keys *keys, const gcast_run *run, const view *v)
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

void page_keys_free(page_keys *keys)
{
    free(keys->of_op);
    keys->of_op = NULL;
}

void page_keys_put(const page_keys *keys, const gcast_run *run, int number, text *out)
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
