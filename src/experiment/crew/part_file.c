#include "experiment/crew/part_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/index.h"
#include "base/minmax.h"

#define MAGIC "gridcast.experiment.part/1 "
#define HEADER (sizeof MAGIC - 1 + 17)
#define LINE 27 /* set, verdicts, checksum: eight characters each */
#define SYNC_NS INT64_C(2000000000)

/* An operation on the file failed, by errno. */
static gcast_status file_error(const part_file *p, gcast_error *err)
{
    return gcast_error_set(err, GCAST_RESOURCE, NULL, "%s: %s", p->path, strerror(errno));
}

static void print_header(const part_file *p, char out[HEADER + 1])
{
    snprintf(out, HEADER + 1, MAGIC "%016" PRIx64 "\n", p->hash);
}

static void print_line(const part_file *p, uint64_t set, uint32_t verdicts, char out[LINE + 1])
{
    snprintf(out, LINE + 1, "%08" PRIu64 " %08" PRIx32 " ", set, verdicts);
    uint64_t check = index_hash(out, strlen(out)) ^ p->hash;
    snprintf(out + 18, LINE + 1 - 18, "%08" PRIx32 "\n", (uint32_t)(check ^ check >> 32));
}

/* Skips lines that are damaged: their sets are judged once more. */
static uint64_t read_lines(const part_file *p, const char *bytes, size_t size, uint64_t sets, uint32_t *verdicts)
{
    uint64_t found = 0;
    for (; size >= LINE; bytes += LINE, size -= LINE) {
        uint64_t set;
        uint32_t v;
        char line[LINE + 1] = "", expected[LINE + 1];
        memcpy(line, bytes, LINE);
        if (sscanf(line, "%8" SCNu64 " %8" SCNx32, &set, &v) != 2 || set >= sets || v == 0)
            continue;
        print_line(p, set, v, expected);
        if (memcmp(expected, bytes, LINE) != 0)
            continue;
        found += verdicts[set] == 0;
        verdicts[set] = v;
    }
    return found;
}

static gcast_status read_bytes(const part_file *p, char **bytes, size_t *size, gcast_error *err)
{
    struct stat st;
    if (fstat(p->fd, &st) != 0)
        return file_error(p, err);
    *bytes = malloc((size_t)st.st_size + 1);
    *size = 0;
    if (!*bytes)
        return gcast_error_set_memory(err);
    while (*size < (size_t)st.st_size) {
        ssize_t n = read(p->fd, *bytes + *size, (size_t)st.st_size - *size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return file_error(p, err);
        if (n == 0)
            break;
        *size += (size_t)n;
    }
    return GCAST_OK;
}

static gcast_status write_all(const part_file *p, const char *bytes, size_t size, gcast_error *err)
{
    while (size) {
        ssize_t n = write(p->fd, bytes, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return file_error(p, err);
        bytes += n;
        size -= (size_t)n;
    }
    return GCAST_OK;
}

/* Reads the verdicts of the file, and cuts off a last line that was not written in full. */
static gcast_status read_part(part_file *p, const gcast_experiment *e, uint32_t *verdicts, uint64_t *found,
                              gcast_error *err)
{
    char *bytes = NULL, header[HEADER + 1];
    size_t size = 0, kept = 0;
    gcast_status status = read_bytes(p, &bytes, &size, err);
    print_header(p, header);
    if (!bytes)
        return status;
    if (status == GCAST_OK && memcmp(bytes, header, min_size(size, HEADER)) != 0)
        status = gcast_error_set(err, GCAST_INPUT, NULL,
                                 "%s: is of another experiment or version; remove it to start anew", p->path);
    if (status == GCAST_OK && size >= HEADER) {
        *found = read_lines(p, bytes + HEADER, size - HEADER, gcast_experiment_size(e), verdicts);
        kept = size - (size - HEADER) % LINE;
    }
    free(bytes);
    if (status == GCAST_OK && (ftruncate(p->fd, (off_t)kept) != 0 || lseek(p->fd, 0, SEEK_END) < 0))
        status = file_error(p, err);
    return status == GCAST_OK && kept == 0 ? write_all(p, header, HEADER, err) : status;
}

/* Names it OUTPUT.part; where that is too long, by the start of OUTPUT and a hash of it. */
static gcast_status name_part(part_file *p, const char *output, gcast_error *err)
{
    const char *slash = strrchr(output, '/'), *name = slash ? slash + 1 : output;
    size_t length = strlen(name), max_length = NAME_MAX - sizeof ".part" + 1;
    int n = length <= max_length
                ? snprintf(p->path, sizeof p->path, "%s.part", output)
                : snprintf(p->path, sizeof p->path, "%.*s%.*s-%016" PRIx64 ".part", (int)(name - output), output,
                           (int)(max_length - 17), name, index_hash_text(name));
    if (n < 0 || (size_t)n >= sizeof p->path)
        return gcast_error_set(err, GCAST_RESOURCE, NULL, "%s: name too long", output);
    return GCAST_OK;
}

/* Opens the file and locks it against other processes. It tries once more where another process has just removed the
 * file that it opened. */
static gcast_status lock_part(part_file *p, gcast_error *err)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    struct stat opened, named;
    for (;;) {
        p->fd = open(p->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (p->fd < 0)
            return file_error(p, err);
        if (fcntl(p->fd, F_SETLK, &lock) != 0)
            return errno == EACCES || errno == EAGAIN
                       ? gcast_error_set(err, GCAST_RESOURCE, NULL, "%s: another process writes it", p->path)
                       : file_error(p, err);
        if (fstat(p->fd, &opened) != 0)
            return file_error(p, err);
        if (stat(p->path, &named) == 0 && named.st_dev == opened.st_dev && named.st_ino == opened.st_ino)
            return GCAST_OK;
        close(p->fd);
    }
}

gcast_status part_open(part_file *p, const char *output, const gcast_experiment *e, uint32_t *verdicts, uint64_t *found,
                       gcast_error *err)
{
    *p = (part_file){.fd = -1, .hash = e->hash};
    gcast_status status = name_part(p, output, err);
    if (status == GCAST_OK)
        status = lock_part(p, err);
    return status == GCAST_OK ? read_part(p, e, verdicts, found, err) : status;
}

bool part_add(part_file *p, uint64_t set, uint32_t verdicts)
{
    if (p->fd < 0)
        return true;
    if (!vec_reserve(&p->lines, p->lines.count + LINE + 1))
        return false;
    print_line(p, set, verdicts, p->lines.at + p->lines.count);
    p->lines.count += LINE;
    return true;
}

gcast_status part_flush(part_file *p, gcast_error *err)
{
    if (p->fd < 0 || !p->lines.count)
        return GCAST_OK;
    gcast_status status = write_all(p, p->lines.at, p->lines.count, err);
    p->lines.count = 0;
    int64_t now_ns = clock_now_ns();
    if (status == GCAST_OK && now_ns >= p->synced_ns + SYNC_NS) {
        p->synced_ns = now_ns;
        if (fsync(p->fd) != 0)
            status = file_error(p, err);
    }
    return status;
}

void part_close(part_file *p, bool remove)
{
    if (p->fd < 0)
        return;
    if (remove)
        unlink(p->path);
    else
        fsync(p->fd);
    close(p->fd);
    vec_free(&p->lines);
    p->fd = -1;
}
