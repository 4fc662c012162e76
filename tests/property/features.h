/* What the random workloads really exercised: a property test that never meets
 * a rule says nothing about it. */
#ifndef PROPERTY_FEATURES_H
#define PROPERTY_FEATURES_H

#include <stdio.h>

#include "property/generate.h"
#include "property/oracle.h"

#define FEATURES_MAX 64

typedef struct features {
    long runs;
    long seen[FEATURES_MAX]; /* in how many runs */
} features;

void features_count(features *f, const generated *g, const oracle_result *r);
/* Prints the counts; false where a feature was seen too rarely for the number of runs. */
bool features_enough(const features *f, FILE *out);

#endif
