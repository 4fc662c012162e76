#include "cli/output/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/say.h"
#include "gridcast/names.h"
#include "report/format_names.h"

bool output_is_standard(const char *path)
{
    return strcmp(path, "-") == 0 || strncmp(path, "-.", 2) == 0 || strcmp(path, "/dev/stdout") == 0;
}

/* Does the path name a descriptor that is open already? It is written at its current position. */
static bool is_descriptor(const char *path)
{
    static const char *const prefixes[] = {"/dev/stderr", "/dev/fd/", "/proc/self/fd/"};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (strncmp(path, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

/* A device or a pipe is written directly. Regular files, and links to files that do not exist, are none. */
static bool is_device(const char *path)
{
    struct stat st;
    return is_descriptor(path) || (stat(path, &st) == 0 && !S_ISREG(st.st_mode));
}

static gcast_status say_unwritable(const char *name, int error_number)
{
    return error_number == EEXIST ? say(GCAST_RESOURCE, "%s: exists; --force overwrites it", name)
                                  : say(GCAST_RESOURCE, "%s: %s", name, strerror(error_number));
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
        return say_unwritable(path, EEXIST);
    if (!atomic_file_resolve(path, target))
        return say_unwritable(path, errno);
    atomic_file_cut_to_folder(target);
    return access(target, W_OK | X_OK) == 0 ? GCAST_OK : say_unwritable(path, errno);
}

gcast_status output_check_format(const char *path, unsigned formats, const char *accepted)
{
    gcast_format format;
    if (!gcast_format_from_name(path, &format) || !(formats >> format & 1))
        return say(GCAST_USAGE, "%s: %s", path, accepted);
    if (!gcast_format_available(format))
        return say(GCAST_RESOURCE, "%s: this build cannot write %s", path, gcast_name(GCAST_NAMES_FORMAT, format));
    return GCAST_OK;
}

gcast_status output_check_workload(const char *option, const char *writer, const char *path)
{
    gcast_format format;
    bool is_wrong = (gcast_format_from_name(path, &format) && format != GCAST_FORMAT_JSON) ||
                    path_ends_with(path, ".jsonl") || path_ends_with(path, ".gz");
    return is_wrong ? say(GCAST_USAGE, "%s %s: %s writes a workload, as .json", option, path, writer) : GCAST_OK;
}

gcast_status output_check_single(const args *a)
{
    size_t count = 0;
    for (size_t i = 0; i < a->given_count; i++)
        count += args_is(a, i, "output");
    return count > 1 ? say(GCAST_USAGE, "%s writes one file: give one -o", a->cmd->name) : GCAST_OK;
}

static bool is_same_file(const char *path, const struct stat *file)
{
    struct stat st;
    return path && stat(path, &st) == 0 && st.st_dev == file->st_dev && st.st_ino == file->st_ino;
}

/* It is an error, also with --force, if this -o would overwrite a file that another option or an operand names. */
static gcast_status check_other_paths(const args *a, size_t i)
{
    const char *path = a->given[i].value;
    struct stat st;
    for (size_t k = 0; k < i; k++)
        if (args_is(a, k, "output") && atomic_file_same(a->given[k].value, path))
            return say(GCAST_USAGE, "-o %s: given twice", path);
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
        return GCAST_OK;
    bool is_read = false;
    for (size_t k = 0; k < a->operand_count; k++)
        is_read = is_read || is_same_file(a->operands[k], &st);
    for (size_t k = 0; k < a->given_count; k++)
        is_read = is_read || (!args_is(a, k, "output") && is_same_file(a->given[k].value, &st));
    return is_read ? say(GCAST_USAGE, "-o %s: this file is an input", path) : GCAST_OK;
}

gcast_status outputs_check(const args *a, const char *stdout_user)
{
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < a->given_count && status == GCAST_OK; i++) {
        const char *path = a->given[i].value;
        if (!args_is(a, i, "output"))
            continue;
        if (!output_is_standard(path)) {
            status = check_other_paths(a, i);
            status = status == GCAST_OK ? output_check(path, args_has(a, "force")) : status;
        } else if (stdout_user)
            status = say(GCAST_USAGE, "-o %s: standard output is already used by %s", path, stdout_user);
        else
            stdout_user = path;
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
    o->is_atomic = !is_device(path);
    o->file = o->is_atomic ? atomic_file_open(&o->atomic, path, force) : fopen(path, is_descriptor(path) ? "ab" : "wb");
    return o->file ? GCAST_OK : say_unwritable(path, errno);
}

bool output_write(void *data, const char *bytes, size_t size)
{
    output *o = data;
    errno = 0;
    if (!o->error && fwrite(bytes, 1, size, o->file) != size)
        o->error = errno ? errno : EIO;
    return !o->error;
}

gcast_status output_finish(output *o, gcast_status content_status, const gcast_error *err)
{
    gcast_error text_err;
    gcast_status text_status = text_finish(&o->words, &text_err);
    if (fflush(o->file) != 0 && !o->error)
        o->error = errno;
    if (o->file != stdout && fclose(o->file) != 0 && !o->error)
        o->error = errno;
    bool ok = content_status == GCAST_OK && text_status == GCAST_OK && !o->error;
    if (o->is_atomic && !ok)
        atomic_file_drop(&o->atomic);
    else if (o->is_atomic && !atomic_file_keep(&o->atomic))
        o->error = errno;
    if (content_status != GCAST_OK && !err)
        return content_status;
    if (o->error)
        return say_unwritable(o->name, o->error);
    if (content_status != GCAST_OK)
        return say_error(err);
    return text_status == GCAST_OK ? GCAST_OK : say_error(&text_err);
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

gcast_status output_workload(const char *path, bool force, const gcast_workload *w)
{
    gcast_error err;
    char *bytes;
    size_t size;
    if (gcast_workload_write_native(w, &bytes, &size, &err) != GCAST_OK)
        return say_error(&err);
    gcast_status status = output_bytes(path, force, bytes, size);
    free(bytes);
    return status;
}

gcast_status print_text(text *t, gcast_status status)
{
    size_t size;
    if (status != GCAST_OK) {
        text_drop(t);
        return status;
    }
    char *bytes = text_take(t, &size);
    if (!bytes)
        return say_no_memory();
    status = output_bytes("-", false, bytes, size);
    free(bytes);
    return status;
}
