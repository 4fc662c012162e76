#include "profile/recorded/frames.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "profile/reading.h"

#define FAMILY "gridcast.record/"

/* Reads up to `size` bytes; fewer at the end. False: the file cannot be read. */
static bool get(frame_reader *r, void *to, size_t size, size_t *got)
{
    if (r->in) {
        *got = fread(to, 1, size, r->in);
    } else {
        *got = r->size - r->at < size ? (size_t)(r->size - r->at) : size;
        if (*got)
            memcpy(to, r->bytes + r->at, *got);
    }
    r->at += *got;
    return !r->in || !ferror(r->in);
}

static uint64_t little_endian(const uint8_t *bytes, int size)
{
    uint64_t value = 0;
    for (int i = size; i-- > 0;)
        value = value << 8 | bytes[i];
    return value;
}

bool frames_recognise(const void *head, size_t size)
{
    return size >= strlen(FAMILY) && memcmp(head, FAMILY, strlen(FAMILY)) == 0;
}

static gcast_status check_magic(frame_reader *r, gcast_error *err)
{
    char head[RECORDED_MAGIC_SIZE], magic[RECORDED_MAGIC_SIZE] = RECORDED_MAGIC;
    size_t got;
    if (!get(r, head, sizeof head, &got))
        return prof_system_error(r->file, errno ? errno : EIO, err);
    r->whole = r->at;
    if (got == sizeof head && memcmp(head, magic, sizeof head) == 0)
        return GCAST_OK;
    if (frames_recognise(head, got))
        return prof_file_error(r->file, GCAST_INPUT, err, "is of another version than gridcast.record/1, or cut off");
    return prof_file_error(r->file, GCAST_INPUT, err, "is not a recording (gridcast.record/1)");
}

gcast_status frames_open(frame_reader *r, const char *file, const void *bytes, size_t size, gcast_error *err)
{
    struct stat st;
    *r = (frame_reader){.file = file, .bytes = bytes, .size = size};
    errno = 0;
    if (!bytes && !(r->in = fopen(file, "rb")))
        return prof_system_error(file, errno, err);
    if (r->in && fstat(fileno(r->in), &st) == 0 && S_ISREG(st.st_mode))
        r->size = (uint64_t)st.st_size;
    gcast_status status = check_magic(r, err);
    if (status != GCAST_OK)
        frames_close(r);
    return status;
}

void frames_close(frame_reader *r)
{
    if (r->in)
        fclose(r->in);
    free(r->text);
    r->in = NULL;
    r->text = NULL;
}

static frame_result fail(frame_reader *r, gcast_error *err, const char *what, unsigned kind)
{
    prof_file_error(r->file, GCAST_INPUT, err, "byte %llu: a frame of kind %u has %s", (unsigned long long)r->whole,
                    kind, what);
    return FRAME_FAILED;
}

/* Reads `size` bytes. FRAME_NONE: there are fewer. */
static frame_result get_all(frame_reader *r, void *to, size_t size, gcast_error *err)
{
    size_t got;
    errno = 0;
    if (!get(r, to, size, &got)) {
        prof_system_error(r->file, errno ? errno : EIO, err);
        return FRAME_FAILED;
    }
    r->is_cut = r->is_cut || (got < size && r->at > r->whole);
    return got == size ? FRAME_READ : FRAME_NONE;
}

static frame_result get_text(frame_reader *r, frame *f, gcast_error *err)
{
    size_t padded = (f->text_size + 7) / 8 * 8;
    if (padded + 1 > r->text_room) {
        char *grown = realloc(r->text, padded + 1);
        if (!grown) {
            gcast_error_set_memory(err);
            return FRAME_FAILED;
        }
        r->text = grown;
        r->text_room = padded + 1;
    }
    frame_result result = padded ? get_all(r, r->text, padded, err) : FRAME_READ;
    r->text[f->text_size] = 0;
    f->text = r->text;
    return result;
}

frame_result frames_next(frame_reader *r, frame *f, gcast_error *err)
{
    uint8_t head[RECORDED_HEAD_SIZE], fields[8 * RECORDED_MAX_FIELDS];
    frame_result result = get_all(r, head, sizeof head, err);
    if (result != FRAME_READ)
        return result;
    f->kind = (unsigned)little_endian(head, 2);
    f->count = (size_t)little_endian(head + 2, 2);
    f->text_size = (size_t)little_endian(head + 4, 4);
    if (f->count > RECORDED_MAX_FIELDS)
        return fail(r, err, "too many fields", f->kind);
    if (f->text_size > RECORDED_MAX_TEXT)
        return fail(r, err, "too long a text", f->kind);
    result = get_all(r, fields, 8 * f->count, err);
    if (result == FRAME_READ)
        result = get_text(r, f, err);
    if (result != FRAME_READ)
        return result;
    for (size_t i = 0; i < f->count; i++)
        f->fields[i] = (int64_t)little_endian(fields + 8 * i, 8);
    r->whole = r->at;
    return FRAME_READ;
}
