#include "report/canvas/op_colours.h"

#include <stdlib.h>

#include "report/canvas/palette.h"

uint32_t *op_colours(const gcast_workload *w)
{
    size_t(*rank)[2] = calloc(w->stream_count + 1, sizeof *rank);
    uint32_t *colours = calloc(w->op_count + w->child_count + 1, sizeof *colours);
    if (!rank || !colours) {
        free(rank);
        free(colours);
        return NULL;
    }
    for (size_t i = 0; i < w->op_count; i++) {
        size_t stream = w->ops[i].stream < 0 ? 0 : (size_t)w->ops[i].stream;
        if (gcast_kind_on_gpu(w->ops[i].kind))
            colours[i] = palette_shade(palette_stream(stream), rank[stream][w->ops[i].kind == GCAST_KIND_KERNEL]++);
    }
    for (size_t i = 0; i < w->child_count; i++)
        colours[w->op_count + i] = palette_stream(w->stream_count + i);
    free(rank);
    return colours;
}
