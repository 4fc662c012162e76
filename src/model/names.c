/* The names of enumerators, from the tables in the public headers. */
#include "gridcast/occupancy.h"
#include "gridcast/workload.h"

#define NAME(list, i) ((size_t)(i) < sizeof list / sizeof list[0] ? list[i] : "?")

static const char *const resources[] = {
#define X(id, name) name,
    GCAST_RESOURCE_TABLE(X)
#undef X
};

static const struct {
    const char *name;
    bool on_gpu;
} kinds[] = {
#define X(id, name, gpu, text) {name, gpu},
    GCAST_KIND_TABLE(X)
#undef X
};

static const char *const directions[] = {
#define X(id, name) name,
    GCAST_DIRECTION_TABLE(X)
#undef X
};

static const char *const bodies[] = {
#define X(id, name, text) name,
    GCAST_BODY_TABLE(X)
#undef X
};

static const char *const carveouts[] = {
#define X(id, name, text) name,
    GCAST_OP_CARVEOUT_TABLE(X)
#undef X
};

static const char *const policies[] = {
#define X(id, name, text) name,
    GCAST_POLICY_TABLE(X)
#undef X
};

static const char *const ports[] = {
#define X(id, name, text) name,
    GCAST_PORT_TABLE(X)
#undef X
};

static const char *const launchers[] = {
#define X(id, name, text) name,
    GCAST_LAUNCHER_TABLE(X)
#undef X
};

static const char *const child_streams[] = {
#define X(id, name, text) name,
    GCAST_CHILD_STREAM_TABLE(X)
#undef X
};

static const char *const child_waits[] = {
#define X(id, name, text) name,
    GCAST_CHILD_WAIT_TABLE(X)
#undef X
};

static const char *const spawn_policies[] = {
#define X(id, name, text) name,
    GCAST_SPAWN_TABLE(X)
#undef X
};

static const char *const series[] = {
#define X(id, name, text) name,
    GCAST_LAUNCH_SERIES_TABLE(X)
#undef X
};

const char *gcast_resource_name(gcast_resource r)
{
    return NAME(resources, r);
}

const char *gcast_kind_name(gcast_kind k)
{
    return (unsigned)k < GCAST_KINDS ? kinds[k].name : "?";
}

bool gcast_kind_on_gpu(gcast_kind k)
{
    return (unsigned)k < GCAST_KINDS && kinds[k].on_gpu;
}

const char *gcast_direction_name(gcast_direction d)
{
    return NAME(directions, d);
}

const char *gcast_body_name(gcast_body b)
{
    return NAME(bodies, b);
}

const char *gcast_op_carveout_name(gcast_op_carveout c)
{
    return NAME(carveouts, c);
}

const char *gcast_policy_name(gcast_policy p)
{
    return NAME(policies, p);
}

const char *gcast_port_name(gcast_port p)
{
    return NAME(ports, p);
}

const char *gcast_launcher_name(gcast_launcher l)
{
    return NAME(launchers, l);
}

const char *gcast_child_stream_name(gcast_child_stream s)
{
    return NAME(child_streams, s);
}

const char *gcast_child_wait_name(gcast_child_wait w)
{
    return NAME(child_waits, w);
}

const char *gcast_spawn_policy_name(gcast_spawn_policy p)
{
    return NAME(spawn_policies, p);
}

const char *gcast_series_name(gcast_series s)
{
    return NAME(series, s);
}
