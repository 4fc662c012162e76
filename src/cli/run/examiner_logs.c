#include "cli/run/examiner_logs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/output/output.h"
#include "cli/say.h"

static gcast_status write_stream(const gcast_run *run, int stream, const char *path, bool force)
{
    output out;
    gcast_error err;
    gcast_status status = output_open(&out, path, force);
    if (status != GCAST_OK)
        return status;
    return output_finish(&out, gcast_run_report_examiner_log(run, stream, output_write, &out, &err), &err);
}

gcast_status examiner_logs_write(const gcast_run *run, const char *folder, bool force)
{
    char path[4096];
    gcast_status status = GCAST_OK;
    size_t written = 0;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return say(GCAST_RESOURCE, "%s: %s", folder, strerror(errno));
    for (size_t i = 0; i < run->workload->stream_count && status == GCAST_OK; i++) {
        if (!gcast_run_has_examiner_log(run, (int)i))
            continue;
        int n = snprintf(path, sizeof path, "%s/stream-%d.json", folder, run->workload->streams[i].id);
        if (n < 0 || (size_t)n >= sizeof path)
            return say(GCAST_RESOURCE, "%s: name too long", folder);
        status = write_stream(run, (int)i, path, force);
        written++;
    }
    if (!written)
        say_note("no stream ran a kernel, so there are no logs for the examiner's viewers");
    return status;
}
