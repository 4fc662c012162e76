/* Reads numbers and units, with every way in which they can be wrong. */
#include "amalthea/read/values/quantity.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/text/number.h"

typedef struct quantity_unit {
    const char *name;
    int64_t factor;
} quantity_unit;

static const quantity_unit time_units[] = {{"s", 1000000000000}, {"ms", 1000000000}, {"us", 1000000},
                                           {"ns", 1000},         {"ps", 1},          {NULL, 0}};
static const quantity_unit frequency_units[] = {
    {"Hz", 1}, {"kHz", 1000}, {"MHz", 1000000}, {"GHz", 1000000000}, {NULL, 0}};
/* In bits; both spellings of some of them are in use. */
static const quantity_unit size_units[] = {{"bit", 1},
                                           {"kbit", 1000},
                                           {"Mbit", 1000000},
                                           {"Gbit", 1000000000},
                                           {"Tbit", 1000000000000},
                                           {"Kibit", (int64_t)1 << 10},
                                           {"kibit", (int64_t)1 << 10},
                                           {"Mibit", (int64_t)1 << 20},
                                           {"Gibit", (int64_t)1 << 30},
                                           {"Tibit", (int64_t)1 << 40},
                                           {"B", 8},
                                           {"byte", 8},
                                           {"kB", 8000},
                                           {"MB", 8000000},
                                           {"GB", 8000000000},
                                           {"TB", 8000000000000},
                                           {"KiB", (int64_t)8 << 10},
                                           {"MiB", (int64_t)8 << 20},
                                           {"GiB", (int64_t)8 << 30},
                                           {"TiB", (int64_t)8 << 40},
                                           {NULL, 0}};

static bool parse_integer(am_reader *r, const xml_node *n, const char *name, const char *text, int64_t *out)
{
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    bool digits = *text == '-' ? text[1] >= '0' && text[1] <= '9' : *text >= '0' && *text <= '9';
    if (!digits || *end)
        return reader_fail(r, n, "%s: '%.60s' is not a whole number", name, text);
    if (errno == ERANGE)
        return reader_fail(r, n, "%s: %.60s is too large", name, text);
    *out = value;
    return true;
}

bool quantity_integer(am_reader *r, xml_node *n, const char *name, int64_t missing, int64_t *out)
{
    const char *text = xml_get(n, name);
    *out = missing;
    return !text || parse_integer(r, n, name, text, out);
}

bool quantity_real(am_reader *r, xml_node *n, const char *name, double missing, double *out)
{
    const char *text = xml_get(n, name);
    *out = missing;
    if (!text)
        return true;
    char *end;
    double value = number_parse(text, &end);
    bool hostile = strspn(text, "+-.0123456789eE") != strlen(text); /* such as nan, or 0x10 */
    if (end == text || *end || hostile || !isfinite(value))
        return reader_fail(r, n, "%s: '%.60s' is not a number", name, text);
    *out = value;
    return true;
}

bool quantity_bool(am_reader *r, xml_node *n, const char *name, bool missing, bool *out)
{
    const char *text = xml_get(n, name);
    *out = missing;
    if (!text)
        return true;
    *out = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
    return *out || strcmp(text, "false") == 0 || strcmp(text, "0") == 0 ||
           reader_fail(r, n, "%s: '%.60s' is neither true nor false", name, text);
}

/* The factor of the element's unit without `suffix`; 0 where there is none. */
static bool unit_factor(am_reader *r, xml_node *n, const quantity_unit *units, const char *suffix, int64_t *factor)
{
    const char *text = xml_get(n, "unit");
    *factor = 0;
    if (!text || strcmp(text, "_undefined_") == 0)
        return true;
    size_t length = strlen(text), cut = strlen(suffix);
    if (length > cut && strcmp(text + length - cut, suffix) == 0)
        for (const quantity_unit *u = units; u->name; u++)
            if (strlen(u->name) == length - cut && memcmp(u->name, text, length - cut) == 0) {
                *factor = u->factor;
                return true;
            }
    return reader_fail(r, n, "'%.60s' is not a known unit", text);
}

bool quantity_time(am_reader *r, xml_node *n, bool below_zero, int64_t *ps)
{
    int64_t value, factor;
    if (!quantity_integer(r, n, "value", 0, &value) || !unit_factor(r, n, time_units, "", &factor))
        return false;
    if (!factor && value)
        return reader_fail(r, n, "the time has no unit");
    if (value < 0 && !below_zero)
        return reader_fail(r, n, "the time is below 0");
    if (!checked_mul(value, factor, ps))
        return reader_fail(r, n, "the time is too long: more than 106 days");
    return true;
}

bool quantity_child_time(am_reader *r, xml_node *n, const char *name, int64_t missing, int64_t *ps)
{
    xml_node *child = xml_first(n, name);
    *ps = missing;
    return !child || quantity_time(r, child, false, ps);
}

bool quantity_child_size(am_reader *r, xml_node *n, const char *name, int64_t *bits)
{
    xml_node *child = xml_first(n, name);
    int64_t value, factor;
    *bits = -1;
    if (!child)
        return true;
    if (!quantity_integer(r, child, "value", 0, &value) || !unit_factor(r, child, size_units, "", &factor))
        return false;
    if (!factor && value)
        return reader_fail(r, child, "the size has no unit");
    if (value < 0)
        return reader_fail(r, child, "the size is below 0");
    if (factor && !checked_mul(value, factor, bits))
        return reader_fail(r, child, "the size is too large");
    return true;
}

static bool real_with_unit(am_reader *r, xml_node *n, const quantity_unit *units, const char *suffix, double *out)
{
    double value;
    int64_t factor;
    if (!quantity_real(r, n, "value", 0, &value) || !unit_factor(r, n, units, suffix, &factor))
        return false;
    if (!factor && value != 0)
        return reader_fail(r, n, "the value has no unit");
    if (value < 0)
        return reader_fail(r, n, "the value is below 0");
    *out = value * (double)factor;
    if (!isfinite(*out))
        return reader_fail(r, n, "the value is too large");
    return true;
}

bool quantity_child_rate(am_reader *r, xml_node *n, const char *name, double *bits_per_s)
{
    xml_node *child = xml_first(n, name);
    *bits_per_s = 0;
    return !child || real_with_unit(r, child, size_units, "PerSecond", bits_per_s);
}

bool quantity_child_frequency(am_reader *r, xml_node *n, const char *name, double *hz)
{
    xml_node *child = xml_first(n, name);
    *hz = 0;
    return !child || real_with_unit(r, child, frequency_units, "", hz);
}
