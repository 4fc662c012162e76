/* gcast_gpu_origin: where the value of a field is from. The text of its source says whether it is known of this GPU. A
 * value without a source is either that of all GPUs of the compute capability, or one that nobody has measured. */
#include "gridcast/gpu.h"

#include <string.h>
#include <strings.h>

#include "model/gpu/fields.h"

static const char *const origin_names[] = {
#define X(id, name) name,
    GCAST_ORIGIN_TABLE(X)
#undef X
};

const char *gcast_origin_name(gcast_origin origin)
{
    return (unsigned)origin < GCAST_ORIGINS ? origin_names[origin] : "?";
}

static bool starts_with(const char *line, const char *prefix)
{
    return strncasecmp(line, prefix, strlen(prefix)) == 0;
}

static gcast_origin origin_of_source(const char *source)
{
    if (starts_with(source, "assumed:"))
        return GCAST_ORIGIN_ASSUMED;
    bool is_known = !starts_with(source, "not measured") && !starts_with(source, "not measurable") &&
                    !starts_with(source, "not known");
    return is_known ? GCAST_ORIGIN_SOURCE : GCAST_ORIGIN_NOT_KNOWN;
}

/* Is the value that of a GPU of which only the compute capability is known? *is_limit: it is one of the compute
 * capability's limits; *is_time: it is a time that is not 0. */
static bool is_default(const gcast_gpu *gpu, const char *key, bool *is_limit, bool *is_time)
{
    gcast_gpu plain = {0};
    const gpu_field *field = gpu_field_find(key);
    *is_limit = *is_time = false;
    if (strcmp(key, "sms") == 0) /* there is none: whoever describes a GPU says how many */
        return false;
    const gcast_limits *cc = gcast_limits_find(gpu->limits.cc_major, gpu->limits.cc_minor);
    gpu_set_defaults(&plain, cc ? cc : &gpu->limits, gpu->sms);
    *is_limit = field ? field->limit : strcmp(key, "register_quarters") == 0;
    *is_time = field && field->unit == GPU_TIME && gpu_field_get(&plain, field);
    if (field)
        return gpu_field_get(gpu, field) == gpu_field_get(&plain, field);
    if (strcmp(key, "register_quarters") == 0)
        return gpu->register_quarters == plain.register_quarters;
    if (strcmp(key, "placement") == 0)
        return gpu->placement == plain.placement;
    return strcmp(key, "tie_order") != 0 || gpu->tie_order == plain.tie_order;
}

/* Every GPU since 2013 has several priorities. So one level says that nobody thought of them, also in a GPU without
 * sources, which else is as its author gives it. */
static bool is_levels(const char *field)
{
    return strcmp(field, "priority_levels") == 0;
}

gcast_origin gcast_gpu_origin(const gcast_gpu *gpu, const char *field)
{
    if (!gpu || !field)
        return GCAST_ORIGIN_NOT_KNOWN;
    const char *source = gpu_field_source(gpu, field);
    bool is_limit, is_time;
    if (source)
        return origin_of_source(source);
    if ((!gpu->source_count && !is_levels(field)) || !is_default(gpu, field, &is_limit, &is_time))
        return GCAST_ORIGIN_GIVEN;
    return is_limit ? GCAST_ORIGIN_CC : is_time ? GCAST_ORIGIN_ASSUMED : GCAST_ORIGIN_NOT_KNOWN;
}

bool gcast_gpu_assumes(const gcast_gpu *gpu, const char *field)
{
    if (!gpu || !field)
        return false;
    gcast_origin origin = gcast_gpu_origin(gpu, field);
    return origin == GCAST_ORIGIN_ASSUMED || origin == GCAST_ORIGIN_NOT_KNOWN;
}
