/* gcast_launch_file_write: a launch as gridcast.launch/1. */
#include "base/api/argument_missing.h"
#include "base/text/text.h"
#include "gridcast/launch_file.h"

static void write_dimensions(text *t, const char *key, const uint32_t d[3])
{
    text_printf(t, ",\n  \"%s\": [%u, %u, %u]", key, d[0], d[1], d[2]);
}

static void write_args(text *t, const gcast_launch_file *l)
{
    text_str(t, ",\n  \"args\": [");
    for (size_t i = 0; i < l->arg_count; i++) {
        text_str(t, i ? ",\n    " : "\n    ");
        text_json(t, l->args[i]);
    }
    text_str(t, l->arg_count ? "\n  ]" : "]");
}

static void write_job_ns(text *t, const gcast_launch_file *l)
{
    if (!l->job_ns_count)
        return;
    text_str(t, ",\n  \"job_ns\": [");
    for (size_t i = 0; i < l->job_ns_count; i++) {
        text_str(t, i ? ", " : "");
        text_int(t, l->job_ns[i]);
    }
    text_char(t, ']');
}

static void write_times(text *t, const gcast_launch_file *l)
{
    if (!l->time_count)
        return;
    text_str(t, ",\n  \"times\": [");
    for (size_t i = 0; i < l->time_count; i++) {
        const gcast_launch_time *time = &l->times[i];
        text_printf(t, "%s\n    {\"workers\": %u, \"sms\": %u, \"ns\": %lld}", i ? "," : "", time->workers, time->sms,
                    (long long)time->ns);
    }
    text_str(t, "\n  ]");
}

static void write_name(text *t, const char *key, const char *name)
{
    if (!name)
        return;
    text_printf(t, ",\n  \"%s\": ", key);
    text_json(t, name);
}

static bool is_all_there(const gcast_launch_file *l)
{
    if ((l->arg_count && !l->args) || (l->job_ns_count && !l->job_ns) || (l->time_count && !l->times))
        return false;
    for (size_t i = 0; i < l->arg_count; i++)
        if (!l->args[i])
            return false;
    return true;
}

gcast_status gcast_launch_file_write(const gcast_launch_file *launch, char **out, gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!launch || !out || !is_all_there(launch))
        return argument_missing(err);
    text t;
    size_t size;
    text_open(&t, NULL, NULL);
    text_str(&t, "{\n  \"schema\": \"gridcast.launch/1\"");
    write_name(&t, "name", launch->name);
    write_name(&t, "ptx", launch->ptx);
    write_name(&t, "kernel", launch->kernel);
    write_dimensions(&t, "grid", launch->grid);
    write_dimensions(&t, "block", launch->block);
    if (launch->shared_bytes)
        text_printf(&t, ",\n  \"shared\": %u", launch->shared_bytes);
    if (launch->registers)
        text_printf(&t, ",\n  \"registers\": %u", launch->registers);
    write_args(&t, launch);
    write_job_ns(&t, launch);
    write_times(&t, launch);
    text_str(&t, "\n}\n");
    *out = text_take(&t, &size);
    return *out ? GCAST_OK : gcast_error_set_memory(err);
}
