/* What verify has found, as tables and as gridcast.verify/1. */
#ifndef CLI_VERIFY_PRINT_H
#define CLI_VERIFY_PRINT_H

#include "base/arena.h"
#include "base/text/text.h"
#include "base/vec.h"
#include "cli/command.h"
#include "cli/output/progress.h"

typedef struct family {
    const char *name;
    gcast_score score;
} family;

typedef struct offender {
    const char *scenario, *op;
    gcast_agreement worst;
} offender;

typedef struct verdict {
    int64_t races, worst; /* as asked for */
    double require;       /* below 0: nothing is */
    bool quiet;
    gcast_format format; /* of the picture */
    arena memory;
    VEC(family) families; /* in the order they came */
    gcast_score all;
    VEC(offender) offenders;
    text ops; /* of the scenarios that were named */
    progress shown;
    double done, step; /* of all files, and what the scenario at hand is of them */
} verdict;

extern const legend_entry verify_legend[];

/* Families, and those farthest off, which are sorted already. */
void verify_table(text *t, const verdict *v);
void verify_legend_print(text *t);
void verify_json(text *t, const verdict *v);

#endif
