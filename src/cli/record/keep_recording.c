#include "cli/record/keep_recording.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/output/output.h"
#include "cli/record/run_program.h"
#include "profile/recorded/frames.h"

/* How many bytes of a file are whole frames: a process that was killed may have cut the last one off. */
static gcast_status whole_size(const char *path, uint64_t *size, gcast_error *err)
{
    frame_reader r;
    frame f;
    gcast_status status = frames_open(&r, path, NULL, 0, err);
    if (status != GCAST_OK)
        return status;
    frame_result result;
    while ((result = frames_next(&r, &f, err)) == FRAME_READ)
        ;
    *size = r.whole;
    frames_close(&r);
    return result == FRAME_FAILED ? err->code : GCAST_OK;
}

/* The first file as it is, the others without their first bytes. False: the output has failed, or errno says why. */
static bool append(output *o, const char *path, uint64_t size, bool is_first)
{
    char bytes[1 << 16];
    uint64_t at = 0;
    FILE *in = fopen(path, "rb");
    bool ok = in != NULL;
    if (ok && !is_first) {
        ok = fseek(in, RECORDED_MAGIC_SIZE, SEEK_SET) == 0;
        at = RECORDED_MAGIC_SIZE;
    }
    while (ok && at < size) {
        size_t wanted = size - at < sizeof bytes ? (size_t)(size - at) : sizeof bytes;
        size_t got = fread(bytes, 1, wanted, in);
        ok = got == wanted && output_write(o, bytes, got);
        at += got;
    }
    if (in)
        fclose(in);
    return ok;
}

gcast_status keep_recording(const record_folder *f, const char *path, bool force)
{
    output o;
    gcast_error err;
    if (program_is_stopped())
        return GCAST_RESOURCE; /* it is about to end by the signal */
    gcast_status status = output_open(&o, path, force);
    if (status != GCAST_OK)
        return status;
    for (size_t i = 0; i < f->count && status == GCAST_OK; i++) {
        uint64_t size = 0;
        if (program_is_stopped())
            status = gcast_error_set(&err, GCAST_RESOURCE, NULL, "stopped");
        else
            status = whole_size(f->files[i], &size, &err);
        errno = 0;
        if (status == GCAST_OK && !append(&o, f->files[i], size, i == 0) && !o.error)
            status = gcast_error_set(&err, GCAST_RESOURCE, NULL, "a recording cannot be read again");
    }
    return output_finish(&o, status, &err);
}
