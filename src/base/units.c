#include "base/units.h"

#include <stdio.h>
#include <string.h>

#include "base/integers.h"

typedef struct unit {
    const char *name;
    int64_t value;
} unit;

static const unit times[] = {{"", 1}, {"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}, {NULL, 0}};
static const unit fine_times[] = {{"", 1000},           {"ps", 1}, {"ns", 1000}, {"us", 1000000}, {"ms", 1000000000},
                                  {"s", 1000000000000}, {NULL, 0}};
static const unit sizes[] = {
    {"", 1},         {"B", 1},           {"KiB", 1024}, {"MiB", 1024 * 1024}, {"GiB", 1024 * 1024 * 1024}, {"KB", 1000},
    {"MB", 1000000}, {"GB", 1000000000}, {NULL, 0}};

/* digits[.digits]unit; the value must be an integer in the smallest unit. */
static bool parse(const char *text, const unit *units, int64_t *out)
{
    int64_t integer = 0, fraction = 0, scale = 1;
    const char *p = text;
    if (*p < '0' || *p > '9')
        return false;
    for (; *p >= '0' && *p <= '9'; p++)
        if (!checked_mul(integer, 10, &integer) || !checked_add(integer, *p - '0', &integer))
            return false;
    if (*p == '.') {
        p++;
        if (*p < '0' || *p > '9')
            return false;
        for (; *p >= '0' && *p <= '9'; p++) {
            if (!checked_mul(scale, 10, &scale))
                return false;
            fraction = fraction * 10 + (*p - '0');
        }
    }
    for (const unit *u = units; u->name; u++) {
        if (strcmp(p, u->name) != 0)
            continue;
        int64_t part;
        if (!checked_mul(fraction, u->value, &part) || part % scale)
            return false;
        return checked_mul(integer, u->value, &integer) && checked_add(integer, part / scale, out);
    }
    return false;
}

bool units_parse_time(const char *text, int64_t *ns)
{
    return parse(text, times, ns);
}

bool units_parse_picoseconds(const char *text, int64_t *ps)
{
    return parse(text, fine_times, ps);
}

bool units_parse_size(const char *text, int64_t *bytes)
{
    return parse(text, sizes, bytes);
}

/* v / 10^width without trailing zeros. */
static void format_decimal(uint64_t v, int width, char *out, size_t size)
{
    uint64_t scale = 1;
    for (int i = 0; i < width; i++)
        scale *= 10;
    int n = snprintf(out, size, "%llu.%0*llu", (unsigned long long)(v / scale), width, (unsigned long long)(v % scale));
    while (n > 0 && out[n - 1] == '0')
        out[--n] = '\0';
    if (n > 0 && out[n - 1] == '.')
        out[--n] = '\0';
}

void units_format_time(int64_t ns, char *out, size_t size)
{
    char number[32];
    uint64_t v = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
    int u = v >= 1000000000 ? 4 : v >= 1000000 ? 3 : v >= 1000 ? 2 : 1;
    format_decimal(v, 3 * (u - 1), number, sizeof number);
    snprintf(out, size, "%s%s%s", ns < 0 ? "-" : "", number, times[u].name);
}

void units_format_size(int64_t bytes, char *out, size_t size)
{
    const unit *best = &sizes[1];
    for (const unit *u = best; u->name; u++)
        if (bytes && bytes % u->value == 0 && u->value > best->value)
            best = u;
    snprintf(out, size, "%lld %s", (long long)(bytes / best->value), best->name);
}

void units_format_rate(int64_t bytes_per_s, char *out, size_t size)
{
    char number[32];
    format_decimal((uint64_t)bytes_per_s, 9, number, sizeof number);
    snprintf(out, size, "%s GB/s", number);
}
