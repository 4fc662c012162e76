/* printf of kernels: vprintf(format, values), where the values follow each
 * other in memory, each aligned to its size, as the CUDA ABI says: ints and
 * chars of 4 bytes, pointers and long of 8, floats as doubles. CUDA has the C
 * library of the host format it, with any width, and loses what is more than a
 * buffer of 1 MiB holds; here nothing is lost, and too much is an error. */
#include <stdio.h>
#include <string.h>

#include "simt/memory/memory.h"
#include "simt/warp/calls.h"

#define MOST_FIELD (1 << 20)    /* of a width or a precision */
#define MOST_PRINTED (64 << 20) /* by all threads */

typedef struct reader {
    core *c;
    warp *w;
    const op *o;
    uint32_t lane;
    uint64_t at; /* of the next value */
} reader;

static bool next_value(reader *r, uint32_t bytes, uint64_t *out)
{
    r->at = (r->at + bytes - 1) / bytes * bytes;
    uint64_t left = 0;
    const char *p = memory_peek(r->c, r->w, r->lane, r->at, &left);
    if (!p || left < bytes)
        return machine_fail(r->c, r->w, r->o, (int)r->lane, "prints a value at 0x%llx, where nothing is",
                            (unsigned long long)r->at);
    *out = 0;
    memcpy(out, p, bytes);
    r->at += bytes;
    return true;
}

/* A string of the kernel's memory with an end. */
static const char *find_string(reader *r, uint64_t at)
{
    uint64_t left = 0;
    const char *s = memory_peek(r->c, r->w, r->lane, at, &left);
    if (s && memchr(s, 0, left))
        return s;
    machine_fail(r->c, r->w, r->o, (int)r->lane, "prints a string at 0x%llx, where none is", (unsigned long long)at);
    return NULL;
}

/* Room for so many bytes more of all that the launch prints. */
static bool take_room(reader *r, uint64_t bytes)
{
    uint64_t before = atomic_fetch_add(&r->c->machine->printed_bytes, bytes);
    if (bytes <= MOST_PRINTED && before <= MOST_PRINTED - bytes)
        return true;
    return machine_fail(r->c, r->w, r->o, (int)r->lane, "prints more than the %d MiB that are kept of a launch",
                        MOST_PRINTED >> 20);
}

/* What stands between % and the conversion. */
typedef struct field {
    char flags[8];
    uint64_t width, precision;
    bool has_precision;
    int longs, halves; /* l and h */
} field;

/* The field, and of its conversion what C's printf needs to take a long long. */
static void make_format(const field *f, const char *conversion, char *out, size_t size)
{
    int used = snprintf(out, size, "%%%s", f->flags);
    if (f->width)
        used += snprintf(out + used, size - (size_t)used, "%u", (unsigned)f->width);
    if (f->has_precision)
        used += snprintf(out + used, size - (size_t)used, ".%u", (unsigned)f->precision);
    snprintf(out + used, size - (size_t)used, "%s", conversion);
}

static bool convert_string(reader *r, const field *f, uint64_t at, text *out)
{
    char format[48];
    const char *s = at ? find_string(r, at) : "(null)";
    if (!s || (!f->has_precision && strlen(s) > MOST_PRINTED && !take_room(r, strlen(s))))
        return false;
    make_format(f, "s", format, sizeof format);
    text_printf(out, format, s);
    return true;
}

/* As many of the bits as the type has that the field names, with their sign. */
static uint64_t cut(uint64_t x, const field *f, bool wide, bool is_signed)
{
    int shift = wide ? 0 : f->halves > 1 ? 56 : f->halves ? 48 : 32;
    return is_signed ? (uint64_t)((int64_t)(x << shift) >> shift) : x << shift >> shift;
}

/* One conversion as C's printf knows it, and a value that fits. */
static bool convert(reader *r, const field *f, char conversion, text *out)
{
    char format[48], word[8];
    uint64_t x;
    bool wide = (f->longs && conversion != 'c') || strchr("psaAeEfFgG", conversion);
    if (!next_value(r, wide ? 8 : 4, &x))
        return false;
    double value;
    memcpy(&value, &x, 8);
    switch (conversion) {
    case 'd':
    case 'i':
        make_format(f, "lld", format, sizeof format);
        text_printf(out, format, (long long)cut(x, f, wide, true));
        return true;
    case 'c':
        make_format(f, "c", format, sizeof format);
        text_printf(out, format, (int)(unsigned char)x);
        return true;
    case 'p': {
        char digits[24];
        make_format(f, "s", format, sizeof format);
        snprintf(digits, sizeof digits, "0x%llx", (unsigned long long)x);
        text_printf(out, format, digits);
        return true;
    }
    case 's':
        return convert_string(r, f, x, out);
    case 'u':
    case 'x':
    case 'X':
    case 'o':
        snprintf(word, sizeof word, "ll%c", conversion);
        make_format(f, word, format, sizeof format);
        text_printf(out, format, (unsigned long long)cut(x, f, wide, false));
        return true;
    default: /* a A e E f F g G */
        snprintf(word, sizeof word, "%c", conversion);
        make_format(f, word, format, sizeof format);
        text_printf(out, format, value);
        return true;
    }
}

/* A number of the format, or the value that a star takes; *negative only of the latter. */
static const char *read_number(reader *r, const char *s, uint64_t *number, bool *negative)
{
    *number = 0;
    *negative = false;
    if (*s != '*') {
        for (; *s >= '0' && *s <= '9'; s++)
            *number = *number > MOST_FIELD ? *number : 10 * *number + (uint64_t)(*s - '0');
        return s;
    }
    uint64_t x;
    if (!next_value(r, 4, &x))
        return NULL;
    *negative = (int32_t)x < 0;
    *number = *negative ? 0 - (uint64_t)(int32_t)x : x;
    return s + 1;
}

/* Up to the conversion. */
static const char *read_field(reader *r, const char *s, field *f)
{
    size_t used = 0;
    bool negative;
    *f = (field){0};
    for (; *s && strchr("-+ #0", *s); s++)
        if (!strchr(f->flags, *s))
            f->flags[used++] = *s;
    if (!(s = read_number(r, s, &f->width, &negative)))
        return NULL;
    if (negative && !strchr(f->flags, '-'))
        f->flags[used++] = '-';
    if (*s == '.') {
        if (!(s = read_number(r, s + 1, &f->precision, &negative)))
            return NULL;
        f->has_precision = !negative;
    }
    for (; *s && strchr("lzjth", *s); s++) {
        f->longs += *s != 'h';
        f->halves += *s == 'h';
    }
    if (f->width > MOST_FIELD || (f->has_precision && f->precision > MOST_FIELD)) {
        machine_fail(r->c, r->w, r->o, (int)r->lane, "prints with a width or precision of more than %d", MOST_FIELD);
        return NULL;
    }
    return s;
}

bool print_format(core *c, warp *w, const op *o, uint32_t lane, uint64_t format, uint64_t values, int32_t *count)
{
    reader r = {c, w, o, lane, values};
    text *out = &w->block->out;
    const char *s = find_string(&r, format);
    if (!s)
        return false;
    *count = 0;
    while (*s) {
        const char *percent = strchr(s, '%');
        size_t plain = percent ? (size_t)(percent - s) : strlen(s);
        if (!take_room(&r, plain))
            return false;
        text_bytes(out, s, plain);
        if (!percent)
            break;
        s = percent + 1;
        field f;
        if (*s == '%') {
            text_char(out, *s++);
            continue;
        }
        if (!(s = read_field(&r, s, &f)))
            return false;
        if (!*s || !strchr("diuxXocspaAeEfFgG", *s))
            return machine_fail(c, w, o, (int)lane, "prints with a format that has no such conversion: %%%c",
                                *s > ' ' && *s < 127 ? *s : '?');
        size_t before = out->used;
        if (!convert(&r, &f, *s++, out) || !take_room(&r, out->used - before))
            return false;
        ++*count;
    }
    if (out->failed) {
        c->status = gcast_error_set_memory(c->err);
        return false;
    }
    return true;
}
