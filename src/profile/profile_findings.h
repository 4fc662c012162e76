/* What a profile lacks or leaves open, and what was done about it: each told once, with a count. */
#ifndef PROFILE_PROFILE_FINDINGS_H
#define PROFILE_PROFILE_FINDINGS_H

#include "base/arena.h"
#include "base/vec.h"
#include "profile/trace.h"

typedef struct prof_findings {
    arena memory;           /* of texts */
    VEC(prof_finding) list; /* in the order in which they were first made */
} prof_findings;

/* Adds `count` to the finding of these words, which is made where it is new; 0 adds nothing. `place`, of the first, may
 * be NULL. Both are copied. False without memory. */
bool findings_add(prof_findings *f, const char *words, const char *place, uint64_t count);
/* The finding as a sentence: {kernel} as "1 kernel" or "2 kernels", and the place behind it. */
void finding_print(const prof_finding *f, char *out, size_t size);
void findings_free(prof_findings *f);

#endif
