/* gcast_gpu_read_string: a GPU in one line, "sms:2 cc:6.2 threads:2048 smem:64K gap:1.6us". Words are key:value,
 * separated by blanks; the keys are the words of the field table and of other_words. cc and sms must be present; the
 * others have the same defaults as in a JSON file. In numbers and sizes K stands for 1024; times and sizes may have
 * units. */
#include "files/gpu_string.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/api.h"
#include "base/integers.h"
#include "base/units.h"
#include "gridcast/read.h"
#include "model/gpu.h"
#include "model/gpu_fields.h"

#define MAX_WORDS 64

typedef struct pair {
    const char *key, *value;
} pair;

typedef struct reader {
    pair pairs[MAX_WORDS]; /* the words */
    size_t count;          /* number of words */
    gcast_gpu *gpu;        /* the GPU so far; NULL: not created yet */
    gcast_error *err;
} reader;

bool gpu_parse_cc(const char *text, int *major, int *minor)
{
    size_t n = strspn(text, "0123456789");
    if (n < 1 || n > 2 || text[n] != '.' || strlen(text) != n + 2 || text[n + 1] < '0' || text[n + 1] > '9')
        return false;
    *major = atoi(text);
    *minor = text[n + 1] - '0';
    return true;
}

/* Parses a whole number or a size, both with K for 1024. */
static bool parse_number(const char *text, bool size, int64_t *v)
{
    size_t digits = strspn(text, "0123456789");
    bool kilo = strcmp(text + digits, "K") == 0;
    char number[24];
    if (digits == 0 || digits >= sizeof number || (text[digits] && !kilo))
        return size && units_parse_size(text, v);
    snprintf(number, sizeof number, "%.*s", (int)digits, text);
    return units_parse_size(number, v) && (!kilo || checked_mul(*v, 1024, v));
}

static gcast_status field_error(const reader *r, const pair *p, const char *message)
{
    return gcast_error_set(r->err, GCAST_INPUT, NULL, "%.64s:%.64s: %s", p->key, p->value, message);
}

static const pair *find(const reader *r, const char *key)
{
    for (size_t i = 0; i < r->count; i++)
        if (strcmp(r->pairs[i].key, key) == 0)
            return &r->pairs[i];
    return NULL;
}

/* Splits the text into pairs, in place. */
static gcast_status split(reader *r, char *text)
{
    char *rest;
    for (char *word = strtok_r(text, " \t\n", &rest); word; word = strtok_r(NULL, " \t\n", &rest)) {
        char *colon = strchr(word, ':');
        if (!colon || colon == word || !colon[1])
            return gcast_error_set(r->err, GCAST_INPUT, NULL, "%.64s is not key:value, such as sms:2", word);
        *colon = '\0';
        if (find(r, word))
            return gcast_error_set(r->err, GCAST_INPUT, NULL, "%.64s is listed twice", word);
        if (r->count == MAX_WORDS)
            return gcast_error_set(r->err, GCAST_INPUT, NULL, "more than %d words", MAX_WORDS);
        r->pairs[r->count++] = (pair){word, colon + 1};
    }
    return GCAST_OK;
}

static gcast_status read_field(reader *r, const pair *p, const gpu_field *f)
{
    static const char *const expected[] = {"must be a whole number", "must be a size such as 64K or 48KiB",
                                           "must be a time such as 500ns or 1.6us",
                                           "must be a size per second such as 10GB"};
    int64_t v;
    bool ok = f->unit == GPU_TIME ? units_parse_time(p->value, &v) : parse_number(p->value, f->unit != GPU_COUNT, &v);
    if (!ok)
        return field_error(r, p, expected[f->unit]);
    if (gpu_field_set(r->gpu, f, v))
        return GCAST_OK;
    char range[64];
    snprintf(range, sizeof range, "must be from %lld to %lld", (long long)f->lo, (long long)f->hi);
    return field_error(r, p, range);
}

/* Reads numbers separated by commas. */
static gcast_status read_list(reader *r, const pair *p, int max, int *list, int *n)
{
    char number[32];
    *n = 0;
    for (const char *at = p->value;; at++) {
        size_t length = strcspn(at, ",");
        int64_t v;
        snprintf(number, sizeof number, "%.*s", (int)min_size(length, sizeof number - 1), at);
        if (!parse_number(number, false, &v) || v > INT_MAX)
            return field_error(r, p, "must be whole numbers with commas between");
        if (*n == max)
            return field_error(r, p, "the list is too long");
        list[(*n)++] = (int)v;
        at += length;
        if (!*at)
            return GCAST_OK;
    }
}

static gcast_status read_name(reader *r, const pair *p)
{
    gcast_status status = gcast_gpu_keep_text(r->gpu, p->value, &r->gpu->name, r->err);
    r->gpu->title = r->gpu->name;
    return status;
}

static gcast_status read_quarters(reader *r, const pair *p)
{
    r->gpu->register_quarters = strcmp(p->value, "yes") == 0;
    return r->gpu->register_quarters || strcmp(p->value, "no") == 0 ? GCAST_OK : field_error(r, p, "must be yes or no");
}

static gcast_status read_placement(reader *r, const pair *p)
{
    return gpu_name_placement(r->gpu, p->value) ? GCAST_OK : field_error(r, p, GPU_PLACEMENT_EXPECTED);
}

static gcast_status read_ties(reader *r, const pair *p)
{
    if (p->value[0] >= '0' && p->value[0] <= '9') {
        int list[GCAST_MAX_SMS], n;
        gcast_status status = read_list(r, p, GCAST_MAX_SMS, list, &n);
        return status ? status : gcast_gpu_set_tie_list(r->gpu, list, n, r->err);
    }
    return gpu_name_tie_order(r->gpu, p->value) ? GCAST_OK : field_error(r, p, GPU_TIES_EXPECTED);
}

static gcast_status read_reach(reader *r, const pair *p)
{
    int list[GCAST_MAX_SMS], n;
    gcast_status status = read_list(r, p, GCAST_MAX_SMS, list, &n);
    return status ? status : gcast_gpu_set_reach(r->gpu, list, n, r->err);
}

static gcast_status read_carveouts(reader *r, const pair *p)
{
    gcast_limits *l = &r->gpu->limits;
    return read_list(r, p, GCAST_MAX_CARVEOUTS, l->carveout, &l->carveouts);
}

/* Words that are not in the field table. They are read after its words, as a list of SMs needs the number of SMs. cc
 * has no function, as it is read first of all. */
static const struct {
    const char *word;
    gcast_status (*read)(reader *r, const pair *p);
} other_words[] = {
    {"cc", NULL},        {"name", read_name},   {"quarters", read_quarters},  {"placement", read_placement},
    {"ties", read_ties}, {"reach", read_reach}, {"carveouts", read_carveouts}};

static gcast_status create(reader *r)
{
    const pair *cc = find(r, "cc");
    int major, minor;
    if (!cc || !find(r, "sms"))
        return gcast_error_set(r->err, GCAST_INPUT, NULL, "%s is missing, as in sms:2 cc:6.2", cc ? "sms" : "cc");
    if (!gpu_parse_cc(cc->value, &major, &minor) || !gcast_limits_find(major, minor))
        return hint_add(r->err, GCAST_HINT_CAPABILITY, field_error(r, cc, GPU_CC_EXPECTED));
    return gcast_gpu_create("custom", major, minor, 1, &r->gpu, r->err);
}

static gcast_status read_pairs(reader *r)
{
    gpu_field_bits given = 0;
    uint64_t used = 0;
    gcast_status status = GCAST_OK;
    for (size_t i = 0; i < gpu_field_count && status == GCAST_OK; i++) {
        const pair *p = find(r, gpu_fields[i].word);
        if (!p)
            continue;
        given |= (gpu_field_bits)1 << i;
        used |= UINT64_C(1) << (p - r->pairs);
        status = read_field(r, p, &gpu_fields[i]);
    }
    for (size_t i = 0; i < sizeof other_words / sizeof other_words[0] && status == GCAST_OK; i++) {
        const pair *p = find(r, other_words[i].word);
        if (!p)
            continue;
        used |= UINT64_C(1) << (p - r->pairs);
        status = other_words[i].read ? other_words[i].read(r, p) : GCAST_OK;
    }
    for (size_t i = 0; i < r->count && status == GCAST_OK; i++)
        if (!(used >> i & 1))
            status = gcast_error_set(r->err, GCAST_INPUT, NULL, "unknown word %.64s", r->pairs[i].key);
    if (status != GCAST_OK)
        return status;
    gpu_limits_complete(&r->gpu->limits, given, find(r, "carveouts") != NULL);
    if (!find(r, "quarters"))
        r->gpu->register_quarters = gpu_default_quarters(&r->gpu->limits);
    return gcast_gpu_check(r->gpu, r->err);
}

gcast_status gcast_gpu_read_string(const char *text, gcast_gpu **gpu, gcast_error *err)
{
    if (gpu)
        *gpu = NULL;
    if (!text || !gpu)
        return argument_missing(err);
    reader r = {.err = err};
    char *copy = strdup(text);
    if (!copy)
        return gcast_error_set_memory(err);
    gcast_status status = split(&r, copy);
    if (status == GCAST_OK)
        status = create(&r);
    if (status == GCAST_OK)
        status = read_pairs(&r);
    free(copy);
    if (status != GCAST_OK)
        gcast_gpu_free(r.gpu);
    else
        *gpu = r.gpu;
    return status;
}
