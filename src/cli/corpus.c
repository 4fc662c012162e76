#include "cli/corpus.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/preset.h"

static gcast_status name_gpu(gcast_workload *w, const gcast_gpu *found)
{
    gcast_error err;
    gcast_gpu *gpu;
    gcast_status status = preset_of_title(found->title, &gpu);
    if (status != GCAST_OK)
        return status;
    if (!gpu && !(gpu = gcast_gpu_copy(found, &err)))
        return say_error(&err);
    gcast_workload_set_gpu(w, gpu);
    return GCAST_OK;
}

/* Line ends are never part of a value: strings have them escaped. */
static bool on_one_line(void *line, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != '\n')
            text_char(line, bytes[i]);
    return true;
}

static gcast_status scenario(text *line, const char *family, const gcast_workload *w, gcast_run *const *runs,
                             size_t count, gcast_error *err)
{
    char *workload;
    size_t size;
    gcast_report_options options = gcast_report_defaults();
    options.blocks = true;
    gcast_status status = gcast_workload_write_native(w, &workload, &size, err);
    if (status != GCAST_OK)
        return status;
    text_str(line, "{\"schema\": \"gridcast.corpus/1\", \"family\": ");
    text_json(line, family);
    text_str(line, ", \"workload\": ");
    on_one_line(line, workload, size);
    free(workload);
    text_str(line, ", \"runs\": [");
    for (size_t i = 0; i < count && status == GCAST_OK; i++) {
        text_str(line, i ? ", " : "");
        status = gcast_report(runs[i], GCAST_FORMAT_JSON, &options, on_one_line, line, err);
    }
    text_str(line, "]}\n");
    return status;
}

gcast_status corpus_append(const char *path, const char *family, gcast_workload *w, gcast_run *const *runs,
                           size_t count)
{
    text line;
    gcast_error err;
    size_t size;
    gcast_status status = name_gpu(w, runs[0]->gpu);
    if (status != GCAST_OK)
        return status;
    text_open(&line, NULL, NULL);
    status = scenario(&line, family, w, runs, count, &err);
    char *bytes = text_take(&line, &size);
    if (status == GCAST_OK && !bytes)
        status = gcast_fail_memory(&err);
    if (status != GCAST_OK) {
        free(bytes);
        return say_error(&err);
    }
    FILE *file = fopen(path, "ab");
    bool ok = file && fwrite(bytes, 1, size, file) == size;
    if (file && fclose(file) != 0)
        ok = false;
    free(bytes);
    return ok ? GCAST_OK : say(GCAST_RESOURCE, "%s: %s", path, strerror(errno));
}
