/* Which rules the random workloads exercised: a property test says nothing about a rule that it never meets. */
#ifndef PROPERTY_FEATURES_H
#define PROPERTY_FEATURES_H

#include <stdio.h>

#include "property/generate.h"
#include "property/oracle.h"

#define FEATURES_MAX 64

typedef struct features {
    long runs;                 /* number of runs */
    long counts[FEATURES_MAX]; /* by feature: number of runs that have it */
} features;

void features_count(features *f, const generated *g, const oracle_result *r);
/* Prints the counts; false where a feature was seen too rarely for the number of runs. */
bool features_enough(const features *f, FILE *out);

#endif
