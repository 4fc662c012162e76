#include "report/web/page_colours.h"

#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "model/workload/edit.h"
#include "report/canvas/op_colours.h"
#include "report/canvas/palette.h"

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
    int order = memcmp(x->label, y->label, min_size(x->length, y->length));
    if (order || x->length != y->length)
        return order ? order : x->length < y->length ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
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

uint32_t *page_colours(const gcast_workload *w)
{
    uint32_t *colours = op_colours(w);
    named_op *names = colours && one_stream(w) ? malloc((w->op_count + 1) * sizeof *names) : NULL;
    size_t count = 0, different = 0;
    if (!names) {
        bool failed = colours && one_stream(w);
        if (failed)
            free(colours);
        return failed ? NULL : colours;
    }
    for (size_t i = 0; i < w->op_count; i++)
        if (gcast_kind_on_gpu(w->ops[i].kind))
            names[count++] =
                (named_op){w->ops[i].label, workload_label_stem(w->ops[i].label), (uint32_t)i, (uint32_t)i};
    qsort(names, count, sizeof *names, by_name);
    for (size_t i = 1; i < count; i++)
        if (names[i].length == names[i - 1].length && memcmp(names[i].label, names[i - 1].label, names[i].length) == 0)
            names[i].first = names[i - 1].first;
    qsort(names, count, sizeof *names, by_first);
    for (size_t i = 0; i < count; i++) {
        different += i && names[i].first != names[i - 1].first;
        colours[names[i].op] = palette_stream(different);
    }
    free(names);
    return colours;
}
