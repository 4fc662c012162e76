#include "cli/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/command.h"

bool output_is_standard(const char *path)
{
    return strcmp(path, "-") == 0 || strncmp(path, "-.", 2) == 0;
}

gcast_status output_check(const char *path, bool force)
{
    struct stat st;
    if (!force && !output_is_standard(path) && stat(path, &st) == 0 && S_ISREG(st.st_mode))
        return say(GCAST_RESOURCE, "%s: exists; --force overwrites it", path);
    return GCAST_OK;
}

gcast_status output_open(output *o, const char *path, bool force)
{
    *o = (output){.name = "standard output"};
    if (output_is_standard(path)) {
        o->file = stdout;
        return GCAST_OK;
    }
    o->name = path;
    struct stat st;
    bool exists = stat(path, &st) == 0;
    if (exists && !S_ISREG(st.st_mode)) { /* a device or a pipe: written as it is */
        o->file = fopen(path, "wb");
        return o->file ? GCAST_OK : say(GCAST_RESOURCE, "%s: %s", path, strerror(errno));
    }
    gcast_status status = output_check(path, force);
    if (status != GCAST_OK)
        return status;
    o->path = path;
    int n = snprintf(o->temporary, sizeof o->temporary, "%s.XXXXXX", path);
    if (n < 0 || (size_t)n >= sizeof o->temporary)
        return say(GCAST_RESOURCE, "%s: name too long", path);
    int fd = mkstemp(o->temporary);
    if (fd < 0)
        return say(GCAST_RESOURCE, "%s: %s", path, strerror(errno));
    mode_t mask = umask(0);
    umask(mask);
    fchmod(fd, exists ? st.st_mode & 0777 : 0666 & ~mask);
    o->file = fdopen(fd, "wb");
    if (o->file)
        return GCAST_OK;
    close(fd);
    unlink(o->temporary);
    return say(GCAST_RESOURCE, "%s: %s", path, strerror(errno));
}

bool output_write(void *data, const char *bytes, size_t size)
{
    output *o = data;
    return fwrite(bytes, 1, size, o->file) == size;
}

gcast_status output_close(output *o, bool keep)
{
    if (!o->file)
        return GCAST_OK;
    bool ok = fflush(o->file) == 0 && !ferror(o->file);
    int reason = errno;
    if (o->file != stdout && fclose(o->file) != 0 && ok) {
        ok = false;
        reason = errno;
    }
    o->file = NULL;
    if (o->path && (!keep || !ok))
        unlink(o->temporary);
    if (!ok)
        return say(GCAST_RESOURCE, "%s: %s", o->name, strerror(reason));
    if (o->path && keep && rename(o->temporary, o->path) != 0) {
        reason = errno;
        unlink(o->temporary);
        return say(GCAST_RESOURCE, "%s: %s", o->path, strerror(reason));
    }
    return GCAST_OK;
}
