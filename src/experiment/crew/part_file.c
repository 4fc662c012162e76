#include "experiment/crew/part_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/index.h"

#define MAGIC "gridcast.experiment.part/1 "
#define HEADER (sizeof MAGIC - 1 + 17)
#define LINE 27 /* set, verdicts, checksum: eight characters each */
#define SYNC_SECONDS 2

static gcast_status cannot(const part_file *p)
{
    return say(GCAST_RESOURCE, "%s: %s", p->path, strerror(errno));
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

/* Lines that are not as they were written are left out: their sets are judged again. */
static uint64_t read_lines(const part_file *p, const char *bytes, size_t size, uint64_t sets, uint32_t *verdicts)
{
    uint64_t found = 0;
    for (; size >= LINE; bytes += LINE, size -= LINE) {
        uint64_t set;
        uint32_t v;
        char line[LINE + 1] = "", again[LINE + 1];
        memcpy(line, bytes, LINE);
        if (sscanf(line, "%8" SCNu64 " %8" SCNx32, &set, &v) != 2 || set >= sets || v == 0)
            continue;
        print_line(p, set, v, again);
        if (memcmp(again, bytes, LINE) != 0)
            continue;
        found += verdicts[set] == 0;
        verdicts[set] = v;
    }
    return found;
}

static gcast_status read_bytes(const part_file *p, char **bytes, size_t *size)
{
    struct stat st;
    if (fstat(p->fd, &st) != 0)
        return cannot(p);
    *bytes = malloc((size_t)st.st_size + 1);
    *size = 0;
    if (!*bytes)
        return say(GCAST_RESOURCE, "not enough memory");
    while (*size < (size_t)st.st_size) {
        ssize_t n = read(p->fd, *bytes + *size, (size_t)st.st_size - *size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return cannot(p);
        if (n == 0)
            break;
        *size += (size_t)n;
    }
    return GCAST_OK;
}

static gcast_status write_all(const part_file *p, const char *bytes, size_t size)
{
    while (size) {
        ssize_t n = write(p->fd, bytes, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return cannot(p);
        bytes += n;
        size -= (size_t)n;
    }
    return GCAST_OK;
}

/* Take over what is there, and cut off a last line that was not written in full. */
static gcast_status take_over(part_file *p, const gcast_experiment *e, uint32_t *verdicts, uint64_t *found)
{
    char *bytes = NULL, header[HEADER + 1];
    size_t size = 0, keep = 0;
    gcast_status status = read_bytes(p, &bytes, &size);
    print_header(p, header);
    if (status == GCAST_OK && memcmp(bytes, header, size < HEADER ? size : HEADER) != 0)
        status = say(GCAST_INPUT, "%s: is of another experiment or version; remove it to start anew", p->path);
    if (status == GCAST_OK && size >= HEADER) {
        *found = read_lines(p, bytes + HEADER, size - HEADER, gcast_experiment_size(e), verdicts);
        keep = size - (size - HEADER) % LINE;
    }
    free(bytes);
    if (status == GCAST_OK && (ftruncate(p->fd, (off_t)keep) != 0 || lseek(p->fd, 0, SEEK_END) < 0))
        status = cannot(p);
    return status == GCAST_OK && keep == 0 ? write_all(p, header, HEADER) : status;
}

/* OUTPUT.part; of a name that is too long for that, its start, and a number that tells it from others. */
static gcast_status name_part(part_file *p, const char *output)
{
    const char *slash = strrchr(output, '/'), *name = slash ? slash + 1 : output;
    size_t length = strlen(name), most = NAME_MAX - sizeof ".part" + 1;
    int n = length <= most ? snprintf(p->path, sizeof p->path, "%s.part", output)
                           : snprintf(p->path, sizeof p->path, "%.*s%.*s-%016" PRIx64 ".part", (int)(name - output),
                                      output, (int)(most - 17), name, index_hash_text(name));
    return n < 0 || (size_t)n >= sizeof p->path ? say(GCAST_RESOURCE, "%s: name too long", output) : GCAST_OK;
}

/* Held by nobody else. One that another process has just removed is not the one of this name. */
static gcast_status lock_part(part_file *p)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    struct stat mine, there;
    for (;;) {
        p->fd = open(p->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (p->fd < 0)
            return cannot(p);
        if (fcntl(p->fd, F_SETLK, &lock) != 0)
            return errno == EACCES || errno == EAGAIN ? say(GCAST_RESOURCE, "%s: another process writes it", p->path)
                                                      : cannot(p);
        if (fstat(p->fd, &mine) != 0)
            return cannot(p);
        if (stat(p->path, &there) == 0 && there.st_dev == mine.st_dev && there.st_ino == mine.st_ino)
            return GCAST_OK;
        close(p->fd);
    }
}

gcast_status part_open(part_file *p, const char *output, const gcast_experiment *e, uint32_t *verdicts, uint64_t *found)
{
    *p = (part_file){.fd = -1, .hash = e->hash};
    gcast_status status = name_part(p, output);
    if (status == GCAST_OK)
        status = lock_part(p);
    return status == GCAST_OK ? take_over(p, e, verdicts, found) : status;
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

gcast_status part_flush(part_file *p)
{
    struct timespec now;
    if (p->fd < 0 || !p->lines.count)
        return GCAST_OK;
    gcast_status status = write_all(p, p->lines.at, p->lines.count);
    p->lines.count = 0;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (status == GCAST_OK && now.tv_sec >= p->synced + SYNC_SECONDS) {
        p->synced = now.tv_sec;
        if (fsync(p->fd) != 0)
            status = cannot(p);
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
