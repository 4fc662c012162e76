#include "files/workload/launches/write_launches.h"

#include "base/minmax.h"
#include "files/workload/write_kernel.h"

static void write_items(text *t, const gcast_launches *l)
{
    text_str(t, "\"items\": ");
    if (!l->items)
        text_uint(t, l->items_each);
    for (uint64_t i = 0; l->items && i < l->item_count; i++) {
        text_str(t, i ? ", " : "[");
        text_uint(t, l->items[i]);
    }
    if (l->items)
        text_str(t, l->item_count ? "]" : "[]");
}

static void write_stream(text *t, const gcast_launches *l)
{
    if (l->stream == GCAST_CHILD_STREAM_NAMED)
        write_int(t, "stream", l->named, -1);
    else if (l->stream != GCAST_CHILD_STREAM_OWN)
        write_text(t, "stream", gcast_child_stream_name(l->stream));
    write_int(t, "streams", l->streams, 0);
}

/* at_ns where it is not given. */
static int64_t default_at_ns(const gcast_op *op)
{
    int64_t shortest = op->block_ns ? INT64_MAX : op->min_ns;
    for (uint64_t b = 0; op->block_ns && b < op->blocks; b++)
        shortest = min_i64(shortest, op->block_ns[b]);
    return shortest - 1;
}

/* All of a level but the level below. */
static void write_level(text *t, const gcast_op *op)
{
    const gcast_launches *l = op->launches;
    text_str(t, ", \"launches\": {");
    write_items(t, l);
    if (l->by != GCAST_LAUNCHER_THREAD)
        write_text(t, "by", gcast_launcher_name(l->by));
    write_int(t, "at_ns", l->at_ns, default_at_ns(op));
    write_int(t, "min_items", l->min_items, 1);
    write_int(t, "item_ns", l->item_ns, -1);
    if (l->policy == GCAST_SPAWN_THRESHOLD)
        text_printf(t, ", \"policy\": {\"threshold\": %u}", (unsigned)l->threshold);
    else if (l->policy != GCAST_SPAWN_ALWAYS)
        write_text(t, "policy", gcast_spawn_policy_name(l->policy));
    write_stream(t, l);
    if (l->wait != GCAST_CHILD_WAIT_NONE)
        write_text(t, "wait", gcast_child_wait_name(l->wait));
    write_int(t, "after_ns", l->after_ns, 0);
    text_str(t, ", \"child\": {\"label\": ");
    text_json(t, l->child->label);
    write_shape(t, l->child);
    write_duration(t, l->child);
    write_int(t, "item_ns", l->child_item_ns, -1);
    write_int(t, "items_per_block", l->items_per_block, 0);
}

void write_launches(text *t, const gcast_op *op)
{
    int levels = 0;
    for (; op->launches; op = op->launches->child, levels++)
        write_level(t, op);
    while (levels--)
        text_str(t, "}}");
}
