#include "base/launch_given.h"

#include <stdio.h>

#include "base/api.h"

static gcast_status check_argument(const gcast_launch *l, uint32_t i, gcast_error *err)
{
    const gcast_argument *a = &l->argument[i];
    char path[32];
    snprintf(path, sizeof path, "/arguments/%u", i);
    if (a->buffer < -1 || (a->buffer >= 0 && (uint32_t)a->buffer >= l->buffers))
        return gcast_error_set(err, GCAST_INPUT, path, "there is no buffer %d", a->buffer);
    if (a->buffer < 0 && a->bytes && !a->value)
        return gcast_error_set(err, GCAST_USAGE, path, "an argument of %zu bytes has no value", a->bytes);
    return GCAST_OK;
}

gcast_status launch_given(const gcast_launch *l, gcast_error *err)
{
    gcast_status status = GCAST_OK;
    if ((l->arguments && !l->argument) || (l->buffers && !l->buffer) || (l->variables && !l->variable))
        return argument_missing(err);
    for (uint32_t i = 0; i < l->buffers; i++)
        if (l->buffer[i].bytes && !l->buffer[i].data)
            return gcast_error_set(err, GCAST_USAGE, "/buffers", "buffer %u of %zu bytes has no data", i,
                                   l->buffer[i].bytes);
    for (uint32_t i = 0; i < l->variables; i++)
        if (!l->variable[i].name || (l->variable[i].bytes && !l->variable[i].data))
            return gcast_error_set(err, GCAST_USAGE, "/variable", "variable %u has no name, or no data", i);
    for (uint32_t i = 0; i < l->arguments && status == GCAST_OK; i++)
        status = check_argument(l, i, err);
    return status;
}
