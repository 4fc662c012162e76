#include "report/plots/occupancy_json.h"

#include <limits.h>

void occupancy_names(text *t, unsigned set, const char *separator)
{
    const char *before = "";
    for (int r = 0; r < GCAST_RESOURCES; r++) {
        if (!(set >> r & 1))
            continue;
        text_str(t, before);
        text_str(t, gcast_resource_name((gcast_resource)r));
        before = separator;
    }
}

int64_t occupancy_thousandths(const gcast_occupancy *o)
{
    return ((int64_t)o->warps_per_sm * 2000 + o->max_warps) / (2 * (int64_t)o->max_warps);
}

int64_t occupancy_idle_thousandths(const gcast_block_shape *shape, const gcast_occupancy *o)
{
    int64_t lanes = (int64_t)shape->threads + o->idle_lanes;
    return (o->idle_lanes * INT64_C(2000) + lanes) / (2 * lanes);
}

/* A name, or a list where several resources limit. */
static void put_limited_by(text *t, unsigned set)
{
    bool several = (set & (set - 1)) != 0;
    text_str(t, several ? "[\"" : "\"");
    occupancy_names(t, set, "\", \"");
    text_str(t, several ? "\"]" : "\"");
}

void occupancy_json(text *t, const gcast_block_shape *shape, const gcast_occupancy *o)
{
    text_printf(t, "\"block\": %d, \"blocks_per_sm\": %d, \"limited_by\": ", shape->threads, o->blocks_per_sm);
    put_limited_by(t, o->limited_by);
    text_printf(t, ", \"warps_per_sm\": %d, \"occupancy\": ", o->warps_per_sm);
    text_milli(t, occupancy_thousandths(o));
    text_printf(t, ", \"idle_lanes\": %d, \"idle\": ", o->idle_lanes);
    text_milli(t, occupancy_idle_thousandths(shape, o));
    text_str(t, ", \"limits\": {");
    for (int r = 0; r < GCAST_RESOURCES; r++) {
        text_printf(t, "%s\"%s\": ", r ? ", " : "", gcast_resource_name((gcast_resource)r));
        if (o->limit[r] == INT_MAX)
            text_str(t, "null");
        else
            text_int(t, o->limit[r]);
    }
    text_printf(t, "}, \"registers_per_block\": %d, \"smem_per_block\": %lld, \"smem_config\": %lld",
                o->registers_per_block, (long long)o->smem_per_block, (long long)o->smem_config);
    if (o->reason[0]) {
        text_str(t, ", \"reason\": ");
        text_json(t, o->reason);
    }
}
