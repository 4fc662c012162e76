/* nsys_read: an export, table by table. Tables with the environment, the host and the output of the program are not
 * looked at. */
#include "profile/nsys/nsys.h"
#include "profile/nsys/nsys_tables.h"

/* How far it is, by tables; false: it is to stop. */
static bool show(const prof_read_options *options, double fraction)
{
    return !options || !options->progress || options->progress(options->progress_data, fraction);
}

static gcast_status read_tables(nsys_export *x, const char *file, const prof_read_options *options, gcast_error *err)
{
    bool ok = show(options, 0) && nsys_read_version(x) && nsys_read_kernels(x, file, err) && show(options, 0.4) &&
              nsys_read_copies(x) && show(options, 0.5) && nsys_read_calls(x) && show(options, 0.9) &&
              nsys_read_waits(x) && nsys_read_ranges(x) && nsys_read_blocks(x) && nsys_read_graphs(x) &&
              nsys_read_gpus(x) && nsys_read_streams(x) && show(options, 1);
    if (nsys_db_status(x->db) != GCAST_OK)
        return nsys_db_status(x->db);
    if (!ok)
        return err && err->code != GCAST_OK ? err->code
                                            : prof_file_error(file, GCAST_RESOURCE, err, "was not read to its end");
    return prof_trace_finish(x->trace, err);
}

static gcast_status read_database(const char *file, const void *bytes, size_t size, const prof_read_options *options,
                                  prof_trace **t, gcast_error *err)
{
    gcast_error own;
    nsys_export x = {0};
    err = err ? err : &own;
    err->code = GCAST_OK;
    *t = NULL;
    x.db = nsys_db_open(file, bytes, size, err);
    if (!x.db)
        return err->code;
    gcast_status status = prof_trace_create(file, &x.trace, err);
    if (status == GCAST_OK)
        status = read_tables(&x, file, options, err);
    vec_free(&x.contexts);
    nsys_db_close(x.db);
    if (status != GCAST_OK) {
        prof_trace_free(x.trace);
        return status;
    }
    *t = x.trace;
    return GCAST_OK;
}

gcast_status nsys_read(const char *path, const prof_read_options *options, prof_trace **t, gcast_error *err)
{
    return read_database(path, NULL, 0, options, t, err);
}

gcast_status nsys_read_memory(const char *name, const void *bytes, size_t size, prof_trace **t, gcast_error *err)
{
    return read_database(name, bytes, size, NULL, t, err);
}
