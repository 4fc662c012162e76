/* The applications and benchmarks of the SPAWN paper (Tang et al., HPCA 2017) by name, and their inputs as text, such
 * as rmat:16:16:1. Numbers may be left out from the right. */
#ifndef PAPERS_APPS_DATA_INPUT_H
#define PAPERS_APPS_DATA_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum app_kind { APP_AMR, APP_BFS, APP_SSSP, APP_JOIN, APP_MANDEL, APP_GC, APP_MM, APP_SA, APP_KINDS } app_kind;

/* The form of an input says which generator makes it, of which numbers. */
typedef enum app_form {
    APP_FORM_AMR,           /* amr:CELLS_PER_SIDE:LEVELS:SEED */
    APP_FORM_CITATION,      /* citation:VERTICES:MEAN_DEGREE:SEED */
    APP_FORM_RMAT,          /* rmat:SCALE:EDGE_FACTOR:SEED */
    APP_FORM_JOIN_UNIFORM,  /* join:uniform:R:S:KEYS:SEED */
    APP_FORM_JOIN_GAUSSIAN, /* join:gaussian:R:S:KEYS:SEED */
    APP_FORM_MANDEL,        /* mandel:SIDE:TILE:MAX_DWELL */
    APP_FORM_MM,            /* mm:ROWS:SEED */
    APP_FORM_SA,            /* sa:BASES:READS:SEED */
    APP_FORMS
} app_form;

typedef struct app_input {
    app_kind kind; /* the application */
    app_form form; /* which member of `of` is used */
    uint64_t seed; /* of random numbers; MANDEL has none */
    union {
        struct {
            uint32_t cells_per_side; /* at level 0 */
            uint32_t levels;         /* of the mesh, with level 0; 1: nothing is refined */
        } amr;
        struct {
            uint32_t vertices;
            uint32_t mean_degree;
        } citation;
        struct {
            uint32_t scale; /* 2^scale vertices */
            uint32_t edge_factor;
        } rmat;
        struct {
            uint32_t r_count; /* tuples of R */
            uint32_t s_count; /* tuples of S */
            uint32_t keys;
        } join;
        struct {
            uint32_t side;      /* pixels */
            uint32_t tile;      /* pixels per side of a tile */
            uint32_t max_dwell; /* steps of a pixel */
        } mandel;
        struct {
            uint32_t rows;
        } mm;
        struct {
            uint32_t bases; /* of the genome */
            uint32_t reads;
        } sa;
        uint32_t number[3]; /* the same numbers in order */
    } of;
} app_input;

/* The grids of an application. */
typedef struct app_shape {
    uint32_t parent_threads; /* per block of the parent kernel */
    uint32_t child_threads;  /* per block of a child kernel; a thread has one item */
    uint32_t min_items;      /* a thread with fewer never launches a child */
} app_shape;

/* Parses the input of a benchmark ("BFS-graph500") or an application ("BFS"), in letters of either case; text NULL: its
 * default input. False: `why` says in one line what is wrong. */
bool app_input_parse(const char *benchmark_or_app, const char *text, app_input *in, char *why, size_t size);
/* The input as text with all its numbers; returns what snprintf does. */
int app_input_print(const app_input *in, char *out, size_t size);

/* Names of benchmarks in the order of the paper, then SA-elegans; NULL after the last. */
const char *app_benchmark_name(size_t number);
const char *app_kind_name(app_kind kind);
/* The beginning of an input of this form, such as "rmat". */
const char *app_form_name(app_form form);
app_shape app_shape_of(app_kind kind);

#ifdef __cplusplus
}
#endif

#endif
