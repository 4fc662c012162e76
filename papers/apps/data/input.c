/* Names of benchmarks, and the reader of inputs. */
#include "papers/apps/data/input.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A number of an input. */
typedef struct number_rule {
    const char *name; /* in messages */
    uint32_t usual;   /* the default */
    uint32_t min, max;
} number_rule;

/* How an input of some form is written. */
typedef struct form_rule {
    const char *name; /* in front of the first number */
    int numbers;      /* how many, without the seed */
    bool has_seed;
    number_rule number[3];
} form_rule;

static const form_rule form_rules[APP_FORMS] = {
    {"amr", 2, true, {{"cells per side", 256, 1, 4096}, {"levels", 3, 1, 6}, {0, 0, 0, 0}}},
    {"citation", 2, true, {{"vertices", 65536, 2, 1u << 24}, {"mean degree", 12, 2, 1u << 20}, {0, 0, 0, 0}}},
    {"rmat", 2, true, {{"scale", 16, 1, 24}, {"edge factor", 16, 1, 1u << 20}, {0, 0, 0, 0}}},
    {"join:uniform",
     3,
     true,
     {{"tuples of R", 65536, 1, 1u << 24}, {"tuples of S", 262144, 1, 1u << 28}, {"keys", 4096, 1, 1u << 24}}},
    {"join:gaussian",
     3,
     true,
     {{"tuples of R", 65536, 1, 1u << 24}, {"tuples of S", 262144, 1, 1u << 28}, {"keys", 4096, 1, 1u << 24}}},
    {"mandel", 3, false, {{"side", 1024, 3, 16384}, {"tile", 16, 3, 16384}, {"max dwell", 512, 1, 65536}}},
    {"mm", 1, true, {{"rows", 4096, 1, 1u << 22}, {0, 0, 0, 0}, {0, 0, 0, 0}}},
    {"sa", 2, true, {{"bases", 1048576, 1024, 1u << 28}, {"reads", 8192, 1, 1u << 22}, {0, 0, 0, 0}}},
};

/* A benchmark: an application with inputs of one form. */
typedef struct benchmark {
    const char *name;
    app_kind kind;
    app_form form;
    uint32_t first_number; /* its default; 0: as in the form */
} benchmark;

/* GC has smaller graphs, as it looks at most of their edges in each of many rounds. */
static const benchmark benchmarks[] = {
    {"AMR", APP_AMR, APP_FORM_AMR, 0},
    {"BFS-citation", APP_BFS, APP_FORM_CITATION, 0},
    {"BFS-graph500", APP_BFS, APP_FORM_RMAT, 0},
    {"SSSP-citation", APP_SSSP, APP_FORM_CITATION, 0},
    {"SSSP-graph500", APP_SSSP, APP_FORM_RMAT, 0},
    {"JOIN-uniform", APP_JOIN, APP_FORM_JOIN_UNIFORM, 0},
    {"JOIN-gaussian", APP_JOIN, APP_FORM_JOIN_GAUSSIAN, 0},
    {"MANDEL", APP_MANDEL, APP_FORM_MANDEL, 0},
    {"GC-citation", APP_GC, APP_FORM_CITATION, 16384},
    {"GC-graph500", APP_GC, APP_FORM_RMAT, 12},
    {"MM-small", APP_MM, APP_FORM_MM, 4096},
    {"MM-large", APP_MM, APP_FORM_MM, 16384},
    {"SA-thaliana", APP_SA, APP_FORM_SA, 1048576},
    {"SA-elegans", APP_SA, APP_FORM_SA, 2097152},
};
#define BENCHMARKS (sizeof benchmarks / sizeof *benchmarks)

static const char *const kind_names[APP_KINDS] = {"AMR", "BFS", "SSSP", "JOIN", "MANDEL", "GC", "MM", "SA"};

static bool fail(char *why, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(why, size, format, args);
    va_end(args);
    return false;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool same_name(const char *a, const char *b)
{
    for (; *a && lower(*a) == lower(*b); a++, b++)
        ;
    return *a == *b;
}

/* The benchmark of this name, or the default one of the application of this name: with R-MAT if it has that form, else
 * its first. NULL: there is none. */
static const benchmark *find_benchmark(const char *name, bool *is_application)
{
    const benchmark *found = NULL;
    *is_application = false;
    for (size_t i = 0; i < BENCHMARKS; i++)
        if (same_name(name, benchmarks[i].name))
            return &benchmarks[i];
    for (size_t i = 0; i < BENCHMARKS; i++)
        if (same_name(name, kind_names[benchmarks[i].kind]) && (!found || benchmarks[i].form == APP_FORM_RMAT))
            found = &benchmarks[i];
    *is_application = found != NULL;
    return found;
}

/* Does the text begin with the name of this form? *rest: the text behind it. */
static bool has_form(const char *text, app_form form, const char **rest)
{
    size_t length = strlen(form_rules[form].name);
    if (strncmp(text, form_rules[form].name, length) != 0 || (text[length] && text[length] != ':'))
        return false;
    *rest = text + length;
    return true;
}

/* Reads the form of a text, among those of the benchmark, or of all benchmarks of its application. */
static bool read_form(const benchmark *b, bool any_of_kind, const char **text, app_form *form)
{
    for (size_t i = 0; i < BENCHMARKS; i++)
        if (benchmarks[i].kind == b->kind && (any_of_kind || benchmarks[i].form == b->form) &&
            has_form(*text, benchmarks[i].form, text)) {
            *form = benchmarks[i].form;
            return true;
        }
    return false;
}

/* Reads ":DIGITS" at *text. Returns 1; 0: the text is at its end; -1: neither. */
static int read_number(const char **text, uint64_t *number)
{
    const char *at = *text;
    if (!*at)
        return 0;
    if (*at++ != ':' || *at < '0' || *at > '9')
        return -1;
    for (*number = 0; *at >= '0' && *at <= '9'; at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        if (*number > (UINT64_MAX - digit) / 10)
            return -1;
        *number = *number * 10 + digit;
    }
    *text = at;
    return *at == ':' || !*at ? 1 : -1;
}

/* Checks numbers against each other. */
static bool check_together(const app_input *in, char *why, size_t size)
{
    switch (in->form) {
    case APP_FORM_AMR:
        if ((uint64_t)in->of.amr.cells_per_side << 2 * (in->of.amr.levels - 1) > 1u << 20)
            return fail(why, size, "amr: the finest level has more than 1048576 cells per side");
        break;
    case APP_FORM_CITATION:
        if ((uint64_t)in->of.citation.vertices * in->of.citation.mean_degree > UINT64_C(1) << 28)
            return fail(why, size, "citation: vertices x mean degree is more than 268435456");
        break;
    case APP_FORM_RMAT:
        if ((uint64_t)in->of.rmat.edge_factor << in->of.rmat.scale > UINT64_C(1) << 27)
            return fail(why, size, "rmat: edge factor x 2^scale is more than 134217728");
        break;
    case APP_FORM_JOIN_UNIFORM:
    case APP_FORM_JOIN_GAUSSIAN:
        if ((uint64_t)in->of.join.r_count * in->of.join.s_count / in->of.join.keys > UINT64_C(1) << 30)
            return fail(why, size, "%s: R x S / keys is more than 1073741824 matches", form_rules[in->form].name);
        break;
    case APP_FORM_MANDEL:
        if (in->of.mandel.side % in->of.mandel.tile)
            return fail(why, size, "mandel: side %" PRIu32 " is not a multiple of tile %" PRIu32, in->of.mandel.side,
                        in->of.mandel.tile);
        break;
    case APP_FORM_MM:
    case APP_FORM_SA:
    case APP_FORMS:
        break;
    }
    return true;
}

/* Reads the numbers after the name of a form; those that are left out keep their values. */
static bool read_numbers(const char *text, app_input *in, char *why, size_t size)
{
    const form_rule *rule = &form_rules[in->form];
    for (int i = 0; i < rule->numbers + rule->has_seed; i++) {
        bool is_seed = i == rule->numbers;
        const char *name = is_seed ? "seed" : rule->number[i].name;
        const char *begin = text;
        uint64_t number = 0;
        int got = read_number(&text, &number);
        if (got == 0)
            break;
        if (got < 0)
            return fail(why, size, "%s: %s must be a whole number, not '%s'", rule->name, name, begin + 1);
        if (is_seed) {
            in->seed = number;
            continue;
        }
        if (number < rule->number[i].min || number > rule->number[i].max)
            return fail(why, size, "%s: %s must be %" PRIu32 "..%" PRIu32 ", not %" PRIu64, rule->name, name,
                        rule->number[i].min, rule->number[i].max, number);
        in->of.number[i] = (uint32_t)number;
    }
    if (*text)
        return fail(why, size, "%s: '%s' is one number too many", rule->name, text + 1);
    return check_together(in, why, size);
}

/* The error "BFS has an input rmat:... or citation:..., not 'x'". */
static bool fail_form(const benchmark *b, bool is_application, const char *text, char *why, size_t size)
{
    const char *other = NULL; /* the second form of an application */
    for (size_t i = 0; is_application && i < BENCHMARKS; i++)
        if (benchmarks[i].kind == b->kind && benchmarks[i].form != b->form)
            other = form_rules[benchmarks[i].form].name;
    return fail(why, size, "%s has an input %s:...%s%s%s, not '%s'", is_application ? kind_names[b->kind] : b->name,
                form_rules[b->form].name, other ? " or " : "", other ? other : "", other ? ":..." : "", text);
}

bool app_input_parse(const char *benchmark_or_app, const char *text, app_input *in, char *why, size_t size)
{
    bool is_application;
    const benchmark *b = find_benchmark(benchmark_or_app, &is_application);
    memset(in, 0, sizeof *in);
    if (!b)
        return fail(why, size, "'%s' is no application and no benchmark", benchmark_or_app);
    in->kind = b->kind;
    in->form = b->form;
    const char *numbers = text ? text : "";
    if (text && !read_form(b, is_application, &numbers, &in->form))
        return fail_form(b, is_application, text, why, size);
    for (int i = 0; i < form_rules[in->form].numbers; i++)
        in->of.number[i] = form_rules[in->form].number[i].usual;
    if (b->first_number && in->form == b->form)
        in->of.number[0] = b->first_number;
    in->seed = 1;
    return read_numbers(numbers, in, why, size);
}

int app_input_print(const app_input *in, char *out, size_t size)
{
    const form_rule *rule = &form_rules[in->form];
    const uint32_t *n = in->of.number;
    char numbers[64];
    if (rule->numbers == 1)
        snprintf(numbers, sizeof numbers, ":%" PRIu32, n[0]);
    else if (rule->numbers == 2)
        snprintf(numbers, sizeof numbers, ":%" PRIu32 ":%" PRIu32, n[0], n[1]);
    else
        snprintf(numbers, sizeof numbers, ":%" PRIu32 ":%" PRIu32 ":%" PRIu32, n[0], n[1], n[2]);
    if (!rule->has_seed)
        return snprintf(out, size, "%s%s", rule->name, numbers);
    return snprintf(out, size, "%s%s:%" PRIu64, rule->name, numbers, in->seed);
}

const char *app_benchmark_name(size_t number)
{
    return number < BENCHMARKS ? benchmarks[number].name : NULL;
}

const char *app_kind_name(app_kind kind)
{
    return kind_names[kind];
}

const char *app_form_name(app_form form)
{
    return form_rules[form].name;
}

app_shape app_shape_of(app_kind kind)
{
    app_shape shape = {256, 64, 8};
    if (kind == APP_MANDEL || kind == APP_SA)
        shape.parent_threads = 128;
    if (kind == APP_AMR)
        shape.min_items = 16;
    if (kind == APP_MANDEL)
        shape.min_items = 1;
    return shape;
}
