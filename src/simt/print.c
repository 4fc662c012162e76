/* printf of kernels: vprintf(format, values), where the values follow each
 * other in memory, each aligned to its size, as the CUDA ABI says: ints and
 * chars of 4 bytes, pointers and long of 8, floats as doubles. */
#include <stdio.h>
#include <string.h>

#include "simt/calls.h"
#include "simt/memory.h"

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

/* One conversion with its flags as C's printf knows it, and a value that fits. */
static bool convert(reader *r, const char *flags, char conversion, int longs, text *out)
{
    char format[48];
    uint64_t x;
    const char *s;
    switch (conversion) {
    case 'd':
    case 'i':
        if (!next_value(r, longs ? 8 : 4, &x))
            return false;
        snprintf(format, sizeof format, "%%%slld", flags);
        text_printf(out, format, longs ? (long long)x : (long long)(int32_t)x);
        return true;
    case 'u':
    case 'x':
    case 'X':
    case 'o':
        if (!next_value(r, longs ? 8 : 4, &x))
            return false;
        snprintf(format, sizeof format, "%%%sll%c", flags, conversion);
        text_printf(out, format, (unsigned long long)x);
        return true;
    case 'c':
        if (!next_value(r, 4, &x))
            return false;
        snprintf(format, sizeof format, "%%%sc", flags);
        text_printf(out, format, (int)(unsigned char)x);
        return true;
    case 'p':
        if (!next_value(r, 8, &x))
            return false;
        snprintf(format, sizeof format, "%%%ss", flags);
        char digits[24];
        snprintf(digits, sizeof digits, "0x%llx", (unsigned long long)x);
        text_printf(out, format, digits);
        return true;
    case 's':
        if (!next_value(r, 8, &x) || !(s = x ? find_string(r, x) : "(null)"))
            return false;
        snprintf(format, sizeof format, "%%%ss", flags);
        text_printf(out, format, s);
        return true;
    default: /* a A e E f F g G */
        if (!next_value(r, 8, &x))
            return false;
        double value;
        memcpy(&value, &x, 8);
        snprintf(format, sizeof format, "%%%s%c", flags, conversion);
        text_printf(out, format, value);
        return true;
    }
}

/* Flags, width and precision up to the conversion, into `flags`; stars take a value. */
static const char *read_flags(reader *r, const char *s, char *flags, size_t size, int *longs)
{
    size_t used = 0;
    *longs = 0;
    for (;; s++) {
        if (*s == '*') {
            uint64_t x;
            if (!next_value(r, 4, &x))
                return NULL;
            int32_t n = (int32_t)x;
            n = n > 4096 ? 4096 : n < -4096 ? -4096 : n;
            used += (size_t)snprintf(flags + used, size - used, "%d", n);
        } else if (*s && strchr("-+ #0123456789.", *s)) {
            flags[used++] = *s;
        } else if (*s == 'l' || *s == 'z' || *s == 'j' || *s == 't') {
            ++*longs;
            continue;
        } else if (*s == 'h') {
            continue;
        } else {
            break;
        }
        if (used + 8 > size) {
            machine_fail(r->c, r->w, r->o, (int)r->lane, "prints with a format that is too long");
            return NULL;
        }
    }
    flags[used] = '\0';
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
        text_bytes(out, s, plain);
        if (!percent)
            break;
        s = percent + 1;
        char flags[32];
        int longs;
        if (*s == '%') {
            text_char(out, *s++);
            continue;
        }
        if (!(s = read_flags(&r, s, flags, sizeof flags, &longs)))
            return false;
        if (!*s || !strchr("diuxXocspaAeEfFgG", *s))
            return machine_fail(c, w, o, (int)lane, "prints with a format that has no such conversion: %%%c",
                                *s > ' ' && *s < 127 ? *s : '?');
        if (!convert(&r, flags, *s++, longs, out))
            return false;
        ++*count;
    }
    if (out->failed) {
        c->status = gcast_fail_memory(c->err);
        return false;
    }
    return true;
}
