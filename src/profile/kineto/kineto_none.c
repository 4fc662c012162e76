/* Replaces the reader in builds without yajl. */
#include "profile/kineto/kineto_read.h"

gcast_status kineto_read(const char *path, const prof_read_options *options, prof_trace **t, gcast_error *err)
{
    (void)options;
    *t = NULL;
    return prof_file_error(path, GCAST_RESOURCE, err,
                           "this gridcast was built without yajl, which reads traces of Kineto");
}

gcast_status kineto_read_memory(const char *name, const char *text, size_t size, prof_trace **t, gcast_error *err)
{
    (void)text;
    (void)size;
    return kineto_read(name, NULL, t, err);
}
