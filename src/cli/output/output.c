#include "cli/output/output.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool output_is_standard(const char *path)
{
    return strcmp(path, "-") == 0 || strncmp(path, "-.", 2) == 0 || strcmp(path, "/dev/stdout") == 0;
}

/* Names of what is open already: written where it stands, whatever it is. */
static bool is_descriptor(const char *path)
{
    static const char *const starts[] = {"/dev/stderr", "/dev/fd/", "/proc/self/fd/"};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
        if (strncmp(path, starts[i], strlen(starts[i])) == 0)
            return true;
    return false;
}

/* A device or a pipe, written as it is; not a file, and not a link to nothing. */
static bool is_device(const char *path)
{
    struct stat st;
    return is_descriptor(path) || (stat(path, &st) == 0 && !S_ISREG(st.st_mode));
}

static gcast_status say_reason(const char *name, int reason)
{
    return reason == EEXIST ? say(GCAST_RESOURCE, "%s: exists; --force overwrites it", name)
                            : say(GCAST_RESOURCE, "%s: %s", name, strerror(reason));
}

gcast_status output_check(const char *path, bool force)
{
    struct stat st;
    char target[PATH_MAX];
    if (!*path)
        return say(GCAST_USAGE, "an output file has no name");
    if (output_is_standard(path) || is_device(path))
        return GCAST_OK;
    if (!force && lstat(path, &st) == 0)
        return say_reason(path, EEXIST);
    if (!whole_file_place(path, target))
        return say_reason(path, errno);
    whole_file_folder(target);
    return access(target, W_OK | X_OK) == 0 ? GCAST_OK : say_reason(path, errno);
}

static bool is_output(const args *a, size_t i)
{
    return strcmp(a->given[i].spec->name, "output") == 0;
}

gcast_status output_one(const args *a)
{
    size_t count = 0;
    for (size_t i = 0; i < a->given_count; i++)
        count += is_output(a, i);
    return count > 1 ? say(GCAST_USAGE, "%s writes one file: give one -o", a->cmd->name) : GCAST_OK;
}

static bool is_same_file(const char *path, const struct stat *file)
{
    struct stat st;
    return path && stat(path, &st) == 0 && st.st_dev == file->st_dev && st.st_ino == file->st_ino;
}

/* Of files that others of the command line name, none is lost to this -o, whatever --force says. */
static gcast_status spare_others(const args *a, size_t i)
{
    const char *path = a->given[i].value;
    struct stat st;
    for (size_t k = 0; k < i; k++)
        if (is_output(a, k) && whole_file_same(a->given[k].value, path))
            return say(GCAST_USAGE, "-o %s: is there twice", path);
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
        return GCAST_OK;
    bool read = false;
    for (size_t k = 0; k < a->operand_count; k++)
        read = read || is_same_file(a->operands[k], &st);
    for (size_t k = 0; k < a->given_count; k++)
        read = read || (!is_output(a, k) && is_same_file(a->given[k].value, &st));
    return read ? say(GCAST_USAGE, "-o %s: is a file that is read", path) : GCAST_OK;
}

gcast_status outputs_check(const args *a, const char *held)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++) {
        const char *path = a->given[i].value;
        if (!is_output(a, i))
            continue;
        if (!output_is_standard(path)) {
            status = spare_others(a, i);
            status = status == GCAST_OK ? output_check(path, args_has(a, "force")) : status;
        } else if (held)
            status = say(GCAST_USAGE, "-o %s: standard output is taken by %s", path, held);
        else
            held = path;
    }
    return status;
}

gcast_status output_open(output *o, const char *path, bool force)
{
    *o = (output){.name = path};
    text_open(&o->words, output_write, o);
    if (output_is_standard(path)) {
        o->name = "standard output";
        o->file = stdout;
        return GCAST_OK;
    }
    o->whole = !is_device(path);
    o->file = o->whole ? whole_file_open(&o->place, path, force) : fopen(path, is_descriptor(path) ? "ab" : "wb");
    return o->file ? GCAST_OK : say_reason(path, errno);
}

bool output_write(void *data, const char *bytes, size_t size)
{
    output *o = data;
    errno = 0;
    if (!o->error && fwrite(bytes, 1, size, o->file) != size)
        o->error = errno ? errno : EIO;
    return !o->error;
}

gcast_status output_finish(output *o, gcast_status made, const gcast_error *err)
{
    gcast_error own;
    gcast_status worded = text_finish(&o->words, &own);
    if (fflush(o->file) != 0 && !o->error)
        o->error = errno;
    if (o->file != stdout && fclose(o->file) != 0 && !o->error)
        o->error = errno;
    bool ok = made == GCAST_OK && worded == GCAST_OK && !o->error;
    if (o->whole && !ok)
        whole_file_drop(&o->place);
    else if (o->whole && !whole_file_keep(&o->place))
        o->error = errno;
    if (made != GCAST_OK && !err)
        return made;
    if (o->error)
        return say_reason(o->name, o->error);
    if (made != GCAST_OK)
        return say_error(err);
    return worded == GCAST_OK ? GCAST_OK : say_error(&own);
}

gcast_status output_bytes(const char *path, bool force, const char *bytes, size_t size)
{
    output o;
    gcast_status status = output_open(&o, path, force);
    if (status != GCAST_OK)
        return status;
    output_write(&o, bytes, size);
    return output_finish(&o, GCAST_OK, NULL);
}
