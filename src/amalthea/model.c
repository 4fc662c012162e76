#include "amalthea/model.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/integers.h"
#include "base/units.h"

const am_property *property_find(const am_property *properties, size_t count, const char *key)
{
    for (size_t i = 0; i < count; i++)
        if (strcasecmp(properties[i].key, key) == 0)
            return &properties[i];
    return NULL;
}

static const char *skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t')
        p++;
    return p;
}

/* Reads digits, and ".0" behind them as in floats; moves *p behind them. */
static bool digits(const char **p, int64_t *value)
{
    const char *c = skip_blanks(*p);
    if (*c < '0' || *c > '9')
        return false;
    *value = 0;
    for (; *c >= '0' && *c <= '9'; c++)
        if (!checked_mul(*value, 10, value) || !checked_add(*value, *c - '0', value))
            return false;
    if (c[0] == '.' && c[1] == '0') {
        for (c++; *c == '0'; c++) {
        }
        if (*c >= '0' && *c <= '9')
            return false;
    }
    *p = c;
    return true;
}

static bool at_end(const char *p)
{
    return !*skip_blanks(p);
}

bool property_number(const am_property *p, int64_t *value)
{
    const char *c = p->value;
    return digits(&c, value) && at_end(c);
}

bool property_range(const am_property *p, int64_t *least, int64_t *most)
{
    const char *c = p->value;
    if (!digits(&c, least))
        return false;
    if (at_end(c)) {
        *most = *least;
        return true;
    }
    return digits(&c, most) && at_end(c) && *least <= *most;
}

bool property_dim3(const am_property *p, uint32_t out[3])
{
    const char *c = p->value;
    out[0] = out[1] = out[2] = 1;
    for (int i = 0; i < 3; i++) {
        int64_t n;
        if (!digits(&c, &n) || n < 1 || n > INT32_MAX)
            return false;
        out[i] = (uint32_t)n;
        c = skip_blanks(c);
        if (!*c)
            return true;
        if (*c == 'x' || *c == ',')
            c++;
    }
    return false;
}

/* Copies the text without blanks, with `u` for a micro sign; false where it does not fit. */
static bool plain(const char *text, char *out, size_t size)
{
    size_t n = 0;
    for (const char *p = text; *p; p++) {
        if (*p == ' ' || *p == '\t')
            continue;
        if (n + 2 > size)
            return false;
        if (strncmp(p, "\xC2\xB5", 2) == 0 || strncmp(p, "\xCE\xBC", 2) == 0) { /* micro sign, Greek mu */
            out[n++] = 'u';
            p++;
        } else {
            out[n++] = *p;
        }
    }
    out[n] = '\0';
    return true;
}

bool property_size(const am_property *p, int64_t *bytes)
{
    char text[64];
    if (!plain(p->value, text, sizeof text - 2))
        return false;
    size_t n = strlen(text);
    if (n && (text[n - 1] == 'K' || text[n - 1] == 'M')) /* multiples of 1024, as gridcast writes them */
        memcpy(text + n, "iB", 3);
    return units_parse_size(text, bytes);
}

bool property_time(const am_property *p, int64_t *ns)
{
    char text[64];
    if (!plain(p->value, text, sizeof text))
        return false;
    size_t n = strlen(text);
    if (n < 2 || strcmp(text + n - 2, "ps") != 0)
        return units_parse_time(text, ns);
    text[n - 2] = '\0';
    if (!units_parse_time(text, ns))
        return false;
    *ns /= 1000;
    return true;
}

scheduler_order scheduler_order_of(const am_scheduler *s)
{
    switch (s->algorithm) {
    case AM_SCHEDULING_FIXED_PRIORITY:
    case AM_SCHEDULING_OSEK:
        return BY_PRIORITY;
    case AM_SCHEDULING_RATE_MONOTONIC:
        return BY_PERIOD;
    case AM_SCHEDULING_DEADLINE_MONOTONIC:
        return BY_DEADLINE;
    default:
        return *s->algorithm_name ? BY_OTHER : BY_PRIORITY;
    }
}

bool scheduler_has(const am_scheduler *s, int unit)
{
    for (size_t i = 0; i < s->unit_count; i++)
        if (s->units[i] == unit)
            return true;
    return false;
}

/* Do both schedulers order their tasks in the same way? */
static bool same_order(const am_scheduler *a, const am_scheduler *own)
{
    scheduler_order order = own ? scheduler_order_of(own) : BY_PRIORITY;
    if (scheduler_order_of(a) != order)
        return false;
    return order != BY_OTHER || strcmp(a->algorithm_name, own->algorithm_name) == 0;
}

int scheduler_for(const am_model *m, int own, int unit, bool interrupts, bool gpu)
{
    if (own >= 0 && scheduler_has(&m->schedulers[own], unit))
        return own;
    for (size_t i = 0; i < m->scheduler_count; i++) {
        const am_scheduler *s = &m->schedulers[i];
        bool fits = gpu || interrupts || (s->parent < 0 && same_order(s, own < 0 ? NULL : &m->schedulers[own]));
        if (s->interrupts == interrupts && scheduler_has(s, unit) && fits)
            return (int)i;
    }
    return -1;
}
