/* printf of kernels: vprintf(format, values). The values follow each other in memory, each aligned to its size, as the
 * CUDA ABI says: int and char take 4 bytes, pointers and long 8, floats are passed as double. CUDA formats in the C
 * library of the host, with any width, and drops output beyond a buffer of 1 MiB; here nothing is dropped, and too much
 * output is an error. */
#include "simt/machine/kernel_printf.h"

#include <stdio.h>
#include <string.h>

#include "simt/machine/machine.h"
#include "simt/memory/memory.h"

#define MAX_WIDTH (1 << 20)          /* a width or a precision */
#define MAX_PRINTED_BYTES (64 << 20) /* of all threads */

typedef struct reader {
    core *c;
    warp *w;       /* the warp that prints */
    const op *o;   /* the call */
    uint32_t lane; /* the lane that prints */
    uint64_t at;   /* address of the next value */
} reader;

static bool next_value(reader *r, uint32_t bytes, uint64_t *out)
{
    *out = 0;
    r->at = (r->at + bytes - 1) / bytes * bytes;
    uint64_t left = 0;
    const char *p = memory_peek(r->c, r->w, r->lane, r->at, &left);
    if (!p || left < bytes)
        return machine_fail(r->c, r->w, r->o, (int)r->lane, "prints a value at 0x%llx, where nothing is",
                            (unsigned long long)r->at);
    memcpy(out, p, bytes);
    r->at += bytes;
    return true;
}

/* A string in the memory of the kernel that ends with a NUL. */
static const char *find_string(reader *r, uint64_t at)
{
    uint64_t left = 0;
    const char *s = memory_peek(r->c, r->w, r->lane, at, &left);
    if (s && memchr(s, 0, left))
        return s;
    machine_fail(r->c, r->w, r->o, (int)r->lane, "prints a string at 0x%llx, where none is", (unsigned long long)at);
    return NULL;
}

/* Counts bytes against the limit of a launch. */
static bool count_printed(reader *r, uint64_t bytes)
{
    uint64_t before = atomic_fetch_add(&r->c->machine->printed_bytes, bytes);
    if (bytes <= MAX_PRINTED_BYTES && before <= MAX_PRINTED_BYTES - bytes)
        return true;
    return machine_fail(r->c, r->w, r->o, (int)r->lane, "prints more than the %d MiB that are kept of a launch",
                        MAX_PRINTED_BYTES >> 20);
}

/* A conversion specification: the text between % and the conversion character. */
typedef struct conversion_spec {
    char flags[8];             /* of "-+ #0", each once */
    uint64_t width, precision; /* 0: no width is given */
    bool has_precision;        /* a precision is given */
    int l_count, h_count;      /* numbers of l and h */
} conversion_spec;

/* The format for the printf of C: the specification with a conversion that takes a long long. */
static void make_format(const conversion_spec *f, const char *conversion, char *out, size_t size)
{
    int used = snprintf(out, size, "%%%s", f->flags);
    if (f->width)
        used += snprintf(out + used, size - (size_t)used, "%u", (unsigned)f->width);
    if (f->has_precision)
        used += snprintf(out + used, size - (size_t)used, ".%u", (unsigned)f->precision);
    snprintf(out + used, size - (size_t)used, "%s", conversion);
}

static bool convert_string(reader *r, const conversion_spec *f, uint64_t at, text *out)
{
    char format[48];
    const char *s = at ? find_string(r, at) : "(null)";
    if (!s || (!f->has_precision && strlen(s) > MAX_PRINTED_BYTES && !count_printed(r, strlen(s))))
        return false;
    make_format(f, "s", format, sizeof format);
    text_printf(out, format, s);
    return true;
}

/* The value cut to the type that the specification names, and extended by its sign. */
static uint64_t cut_to_type(uint64_t x, const conversion_spec *f, bool wide, bool is_signed)
{
    int shift = wide ? 0 : f->h_count > 1 ? 56 : f->h_count ? 48 : 32;
    return is_signed ? (uint64_t)((int64_t)(x << shift) >> shift) : x << shift >> shift;
}

/* Reads a value and prints it by one conversion. */
static bool convert(reader *r, const conversion_spec *f, char conversion, text *out)
{
    char format[48], word[8];
    uint64_t x;
    bool wide = (f->l_count && conversion != 'c') || strchr("psaAeEfFgG", conversion);
    if (!next_value(r, wide ? 8 : 4, &x))
        return false;
    double value;
    memcpy(&value, &x, 8);
    switch (conversion) {
    case 'd':
    case 'i':
        make_format(f, "lld", format, sizeof format);
        text_printf(out, format, (long long)cut_to_type(x, f, wide, true));
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
        text_printf(out, format, (unsigned long long)cut_to_type(x, f, wide, false));
        return true;
    default: /* a A e E f F g G */
        snprintf(word, sizeof word, "%c", conversion);
        make_format(f, word, format, sizeof format);
        text_printf(out, format, value);
        return true;
    }
}

/* Reads a number of the format, or, for a star, the next value, which may be negative. */
static const char *read_number(reader *r, const char *s, uint64_t *number, bool *negative)
{
    *number = 0;
    *negative = false;
    if (*s != '*') {
        for (; *s >= '0' && *s <= '9'; s++)
            *number = *number > MAX_WIDTH ? *number : 10 * *number + (uint64_t)(*s - '0');
        return s;
    }
    uint64_t x;
    if (!next_value(r, 4, &x))
        return NULL;
    *negative = (int32_t)x < 0;
    *number = *negative ? 0 - (uint64_t)(int32_t)x : x;
    return s + 1;
}

/* Reads a specification up to its conversion character. */
static const char *read_spec(reader *r, const char *s, conversion_spec *f)
{
    size_t used = 0;
    bool negative;
    *f = (conversion_spec){0};
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
        f->l_count += *s != 'h';
        f->h_count += *s == 'h';
    }
    if (f->width > MAX_WIDTH || (f->has_precision && f->precision > MAX_WIDTH)) {
        machine_fail(r->c, r->w, r->o, (int)r->lane, "prints with a width or precision of more than %d", MAX_WIDTH);
        return NULL;
    }
    return s;
}

bool print_format(core *c, warp *w, const op *o, uint32_t lane, uint64_t format, uint64_t values, int32_t *count)
{
    reader r = {c, w, o, lane, values};
    text *out = &w->block->printed;
    const char *s = find_string(&r, format);
    if (!s)
        return false;
    *count = 0;
    while (*s) {
        const char *percent = strchr(s, '%');
        size_t plain = percent ? (size_t)(percent - s) : strlen(s);
        if (!count_printed(&r, plain))
            return false;
        text_bytes(out, s, plain);
        if (!percent)
            break;
        s = percent + 1;
        conversion_spec f;
        if (*s == '%') {
            text_char(out, *s++);
            continue;
        }
        if (!(s = read_spec(&r, s, &f)))
            return false;
        if (!*s || !strchr("diuxXocspaAeEfFgG", *s))
            return machine_fail(c, w, o, (int)lane, "prints with a format that has no such conversion: %%%c",
                                *s > ' ' && *s < 127 ? *s : '?');
        size_t before = out->used;
        if (!convert(&r, &f, *s++, out) || !count_printed(&r, out->used - before))
            return false;
        ++*count;
    }
    if (out->failed) {
        c->status = gcast_error_set_memory(c->err);
        return false;
    }
    return true;
}
