/* Replaces the reader in builds without SQLite. */
#include "profile/nsys/nsys_read.h"

gcast_status nsys_read(const char *path, const prof_read_options *options, prof_trace **t, gcast_error *err)
{
    (void)options;
    *t = NULL;
    return prof_file_error(path, GCAST_RESOURCE, err,
                           "this gridcast was built without SQLite, which reads exports of Nsight Systems");
}

gcast_status nsys_read_memory(const char *name, const void *bytes, size_t size, prof_trace **t, gcast_error *err)
{
    (void)bytes;
    (void)size;
    return nsys_read(name, NULL, t, err);
}
