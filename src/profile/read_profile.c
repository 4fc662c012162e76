#include "profile/read_profile.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "profile/kineto/kineto.h"
#include "profile/nsys/nsys.h"

/* Does the file begin as every SQLite database does? */
static gcast_status is_sqlite(const char *path, bool *is, gcast_error *err)
{
    char head[16] = "";
    struct stat st;
    *is = false;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
        return GCAST_OK; /* what a pipe gives would be lost, and another open may wait for ever */
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

gcast_status prof_read(const char *path, const prof_read_options *options, prof_trace **t, gcast_error *err)
{
    static const prof_read_options none;
    bool sqlite = false;
    *t = NULL;
    if (!*path)
        return prof_file_error("(a file without a name)", GCAST_INPUT, err, "%s", strerror(ENOENT));
    gcast_status status = strcmp(path, "-") == 0 ? GCAST_OK : is_sqlite(path, &sqlite, err);
    if (status != GCAST_OK)
        return status;
    return (sqlite ? nsys_read : kineto_read)(path, options ? options : &none, t, err);
}
