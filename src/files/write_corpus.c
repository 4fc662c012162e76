/* gcast_scenario_write: a workload and its runs as one line of gridcast.corpus/1. */
#include <stdlib.h>
#include <string.h>

#include "base/api.h"
#include "base/text.h"
#include "gridcast/read.h"
#include "gridcast/report.h"
#include "model/scenario.h"

/* A gcast_write_fn that drops line ends. They are never part of a value, as strings contain them only escaped. */
static bool append_on_line(void *line, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != '\n')
            text_char(line, bytes[i]);
    return true;
}

static gcast_status write_line(text *line, const gcast_scenario *s, gcast_error *err)
{
    char *workload;
    size_t size;
    gcast_report_options options = gcast_report_options_default();
    gcast_status status = gcast_workload_write_native(s->workload, &workload, &size, err);
    if (status != GCAST_OK)
        return status;
    text_str(line, "{\"schema\": \"gridcast.corpus/1\", \"family\": ");
    text_json(line, s->family);
    text_str(line, ", \"workload\": ");
    append_on_line(line, workload, size);
    free(workload);
    text_str(line, ", \"runs\": [");
    for (size_t i = 0; i < s->run_count && status == GCAST_OK; i++) {
        text_str(line, i ? ", " : "");
        options.blocks = s->runs[i]->blocks_recorded || strcmp(s->runs[i]->source, "recorded") != 0;
        status = gcast_run_report(s->runs[i], GCAST_FORMAT_JSON, &options, append_on_line, line, err);
    }
    text_str(line, "]}\n");
    return status;
}

gcast_status gcast_scenario_write(const gcast_scenario *s, char **out, size_t *size, gcast_error *err)
{
    if (out)
        *out = NULL;
    if (!s || !out)
        return argument_missing(err);
    text line;
    text_open(&line, NULL, NULL);
    gcast_status status = write_line(&line, s, err);
    *out = text_take(&line, size);
    if (status == GCAST_OK && !*out)
        status = gcast_error_set_memory(err);
    if (status != GCAST_OK) {
        free(*out);
        *out = NULL;
    }
    return status;
}
