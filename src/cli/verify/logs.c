#include "cli/verify/logs.h"

#include <stdlib.h>
#include <string.h>

#include "cli/say.h"
#include "gridcast/examiner_log.h"
#include "gridcast/read.h"

gcast_status verify_read_logs(const char *const *paths, size_t count, const gcast_gpu *gpu, gcast_scenario **scenario)
{
    gcast_error err;
    gcast_log_file *files = calloc(count + 1, sizeof *files);
    gcast_status status = GCAST_OK;
    *scenario = NULL;
    if (!files)
        return say_no_memory();
    for (size_t i = 0; i < count && status == GCAST_OK; i++) {
        char *text;
        files[i].name = strcmp(paths[i], "-") == 0 ? "standard input" : paths[i];
        status = gcast_file_read(paths[i], &text, &files[i].size, &err);
        files[i].text = status == GCAST_OK ? text : NULL;
    }
    if (status == GCAST_OK)
        status = gcast_scenario_read_logs(files, count, gpu, scenario, &err);
    for (size_t i = 0; i < count; i++)
        free((char *)files[i].text);
    free(files);
    if (status != GCAST_OK)
        return say_error(&err);
    for (size_t i = 0; i < (*scenario)->workload->note_count; i++)
        say_note((*scenario)->workload->notes[i]);
    return GCAST_OK;
}
