#include "profile/read_profile.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "profile/kineto/kineto_read.h"
#include "profile/nsys/nsys_read.h"

/* Does the file begin as every SQLite database does? */
static gcast_status is_sqlite(const char *path, bool *is, gcast_error *err)
{
    char head[16] = "";
    struct stat st;
    *is = false;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
        return GCAST_OK; /* bytes read from a pipe would be lost, and a second open may wait for ever */
    FILE *in = fopen(path, "rb");
    if (!in)
        return prof_system_error(path, errno, err);
    errno = 0;
    size_t size = fread(head, 1, sizeof head, in);
    int reason = ferror(in) ? errno : 0;
    fclose(in);
    *is = size == sizeof head && memcmp(head, "SQLite format 3", sizeof head) == 0;
    return reason ? prof_system_error(path, reason, err) : GCAST_OK;
}

/* Bytes read from a pipe would be lost. */
static bool is_regular(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static bool ends_with(const char *path, const char *ending)
{
    size_t size = strlen(path), length = strlen(ending);
    return size >= length && strcmp(path + size - length, ending) == 0;
}

/* Refuses files of other known formats, with the advice what to do instead. */
static gcast_status refuse_other(const char *path, gcast_error *err)
{
    static const struct {
        const char *ending, *advice;
    } others[] = {
        {".nsys-rep", "a report of Nsight Systems: convert it with nsys export --type sqlite FILE"},
        {".qdrep", "a report of Nsight Systems: convert it with nsys export --type sqlite FILE"},
        {".ncu-rep", "a report of Nsight Compute, which has no calls: record the program with nsys or gridcast record"},
        {".xplane.pb",
         "an XPlane of TensorFlow or JAX, which has no grids: record the program with nsys profile, then nsys "
         "export --type sqlite, or with gridcast record"},
        {".nvprof", "a profile of nvprof: record the program with nsys profile, then nsys export --type sqlite"},
    };
    char head[64] = "";
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (ends_with(path, others[i].ending))
            return prof_file_error(path, GCAST_INPUT, err, "this is %s", others[i].advice);
    FILE *in = fopen(path, "rb");
    size_t size = in ? fread(head, 1, sizeof head - 1, in) : 0, at = strspn(head, " \t\r\n");
    if (in)
        fclose(in);
    if (size && head[at] == '<')
        return prof_file_error(
            path, GCAST_INPUT, err,
            "this is HTML or XML, not a profile: give a SQLite export of Nsight Systems or a JSON trace of PyTorch");
    return GCAST_OK;
}

gcast_status prof_read(const char *path, const prof_read_options *options, prof_trace **t, gcast_error *err)
{
    static const prof_read_options none;
    bool sqlite = false;
    *t = NULL;
    if (!*path)
        return prof_file_error("(a file without a name)", GCAST_INPUT, err, "%s", strerror(ENOENT));
    gcast_status status = strcmp(path, "-") == 0 ? GCAST_OK : is_sqlite(path, &sqlite, err);
    if (status == GCAST_OK && !sqlite && strcmp(path, "-") != 0 && is_regular(path))
        status = refuse_other(path, err);
    if (status != GCAST_OK)
        return status;
    return (sqlite ? nsys_read : kineto_read)(path, options ? options : &none, t, err);
}
