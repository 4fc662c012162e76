#include "cli/exec/buffer_fill.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "cli/args.h"
#include "cli/say.h"
#include "files/source.h"

#define MAX_MESSAGE 1024

gcast_status launch_file_fail(const char *file, const char *path, const char *format, ...)
{
    char message[MAX_MESSAGE];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    gcast_error err;
    gcast_error_set(&err, GCAST_INPUT, path, "%s", message);
    snprintf(err.file, sizeof err.file, "%s", file);
    return say_error(&err);
}

gcast_status given_arg_fail(const given_arg *arg, const char *format, ...)
{
    char message[MAX_MESSAGE], path[32];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    if (!arg->file)
        return say(GCAST_USAGE, "--arg %s%s", arg->words, message);
    snprintf(path, sizeof path, "/args/%zu", arg->index);
    return launch_file_fail(arg->file, path, "%s%s", arg->words, message);
}

typedef struct filling {
    const value_type *t;  /* of the elements */
    const char *rest;     /* the part of the fill behind its word and colon */
    const given_arg *arg; /* the argument that ends with the fill */
    void *data;           /* the elements to fill */
    size_t count;         /* how many they are */
} filling;

/* Number `index` of the sequence that splitmix64 makes of `seed` (Steele, Lea and Flood 2014). */
static uint64_t splitmix64(uint64_t seed, uint64_t index)
{
    uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static gcast_status bad_value(const filling *f, const char *value)
{
    return given_arg_fail(f->arg, ": %s is not a %s", *value ? value : "nothing", f->t->name);
}

static gcast_status fill_zero(const filling *f)
{
    memset(f->data, 0, f->count * (size_t)f->t->bytes);
    return GCAST_OK;
}

static gcast_status fill_index(const filling *f)
{
    for (size_t i = 0; i < f->count; i++)
        value_store(f->t, f->data, i, f->t->kind == 'f' ? value_of_double(f->t, (double)i) : i);
    return GCAST_OK;
}

static gcast_status fill_const(const filling *f)
{
    uint64_t bits;
    if (!value_parse(f->t, f->rest, &bits))
        return bad_value(f, f->rest);
    for (size_t i = 0; i < f->count; i++)
        value_store(f->t, f->data, i, bits);
    return GCAST_OK;
}

static gcast_status fill_list(const filling *f)
{
    char value[64];
    const char *at = f->rest;
    size_t i = 0;
    for (;; i++) {
        size_t length = strcspn(at, ",");
        uint64_t bits;
        snprintf(value, sizeof value, "%.*s", (int)min_size(length, sizeof value - 1), at);
        if (length >= sizeof value || !value_parse(f->t, value, &bits))
            return bad_value(f, value);
        if (i < f->count)
            value_store(f->t, f->data, i, bits);
        if (!at[length])
            break;
        at += length + 1;
    }
    if (i + 1 != f->count)
        return given_arg_fail(f->arg, ": %zu values for %zu elements", i + 1, f->count);
    return GCAST_OK;
}

/* Without limits: an integer, or bits, takes as many top bits of the random number x as the type has; a float is in [0,
 * 1), from as many top bits as its precision. */
static uint64_t random_any(const value_type *t, uint64_t x)
{
    if (t->kind != 'f')
        return x >> (64 - 8 * t->bytes);
    return value_of_double(t, (double)(x >> (64 - t->precision)) / (double)((uint64_t)1 << t->precision));
}

/* A whole number from lo to hi, both included: lo + (x * span >> 64), modulo the type. */
static uint64_t random_integer(const value_type *t, uint64_t lo, uint64_t hi, uint64_t x)
{
    uint64_t span = ((hi - lo) & value_mask(t)) + 1;
    uint64_t offset = span ? (uint64_t)((unsigned __int128)x * span >> 64) : x;
    return lo + offset;
}

/* Is lo <= hi? Signed numbers compare as unsigned ones once their sign bit is flipped. */
static bool is_in_order(const value_type *t, uint64_t lo, uint64_t hi)
{
    uint64_t flip = t->kind == 's' ? (uint64_t)1 << (8 * t->bytes - 1) : 0;
    if (t->kind == 'f')
        return value_to_double(t, lo) <= value_to_double(t, hi); /* false for nan */
    return (lo ^ flip) <= (hi ^ flip);
}

/* lo + (hi - lo) * (the top 53 bits of x) * 2^-53, in doubles, then rounded to the type. */
static uint64_t random_float(const value_type *t, uint64_t lo, uint64_t hi, uint64_t x)
{
    double min = value_to_double(t, lo), max = value_to_double(t, hi);
    return value_of_double(t, min + (max - min) * ((double)(x >> 11) / (double)((uint64_t)1 << 53)));
}

static gcast_status fill_random(const filling *f)
{
    char words[192], *part[3] = {words, NULL, NULL};
    const char *at = words;
    uint64_t seed = 0, lo = 0, hi = 0;
    snprintf(words, sizeof words, "%s", f->rest);
    for (int i = 1; i < 3 && part[i - 1]; i++)
        if ((part[i] = strchr(part[i - 1], ':')))
            *part[i]++ = '\0';
    if (strlen(f->rest) >= sizeof words || !read_digits(&at, &seed) || *at || (part[1] && !part[2]))
        return given_arg_fail(f->arg, ": random takes SEED or SEED:LO:HI, SEED from 0 to 2^64-1");
    for (int i = 1; i < 3 && part[1]; i++)
        if (!value_parse(f->t, part[i], i == 1 ? &lo : &hi))
            return bad_value(f, part[i]);
    if (part[1] && !is_in_order(f->t, lo, hi))
        return given_arg_fail(f->arg, ": %s is above %s", part[1], part[2]);
    for (size_t i = 0; i < f->count; i++) {
        uint64_t x = splitmix64(seed, i);
        value_store(f->t, f->data, i,
                    !part[1]            ? random_any(f->t, x)
                    : f->t->kind == 'f' ? random_float(f->t, lo, hi, x)
                                        : random_integer(f->t, lo, hi, x));
    }
    return GCAST_OK;
}

gcast_status exec_read_raw(const char *path, void *data, size_t bytes, const char *owner)
{
    errno = 0;
    FILE *file = fopen(path, "rb");
    if (!file)
        return say_unreadable(path, errno);
    size_t got = fread(data, 1, bytes, file);
    bool is_longer = got == bytes && fgetc(file) != EOF, failed = ferror(file);
    int error_number = errno;
    fclose(file);
    if (failed)
        return say_unreadable(path, error_number);
    if (is_longer)
        return say(GCAST_INPUT, "%s: has more than the %zu bytes of %s", path, bytes, owner);
    if (got < bytes)
        return say(GCAST_INPUT, "%s: has %zu bytes; %s takes %zu", path, got, owner, bytes);
    return GCAST_OK;
}

static gcast_status fill_file(const filling *f)
{
    char *path = path_beside(f->arg->file ? f->arg->file : "", f->rest);
    gcast_status status =
        path ? exec_read_raw(path, f->data, f->count * (size_t)f->t->bytes, f->arg->words) : say_no_memory();
    free(path);
    return status;
}

gcast_status exec_fill(const value_type *t, const char *fill, void *data, size_t count, const given_arg *arg)
{
    static const struct {
        const char *word;
        gcast_status (*fill)(const filling *f);
    } fills[] = {{"zero", fill_zero},  {"index", fill_index},    {"const:", fill_const},
                 {"list:", fill_list}, {"random:", fill_random}, {"file:", fill_file}};
    for (size_t i = 0; i < sizeof fills / sizeof fills[0]; i++) {
        const char *word = fills[i].word;
        size_t length = strlen(word);
        if (strncmp(fill, word, length) == 0 && (word[length - 1] == ':' || !fill[length]))
            return fills[i].fill(&(filling){t, fill + length, arg, data, count});
    }
    return given_arg_fail(arg, ": the first contents must be " FILL_WORDS);
}
