/* Findings: what a profile lacks or leaves open, and what was done about it, each once and with a count. */
#ifndef PROFILE_PROFILE_FINDINGS_H
#define PROFILE_PROFILE_FINDINGS_H

#include "base/arena.h"
#include "base/vec.h"
#include "profile/trace.h"

typedef struct prof_findings {
    arena memory;           /* holds the texts */
    VEC(prof_finding) list; /* in the order of their first occurrence */
} prof_findings;

/* Adds `count` to the finding with these words, or makes it; 0 adds nothing. `place` may be NULL; the first one is
 * kept. Both are copied. False without memory. */
bool findings_add(prof_findings *f, const char *words, const char *place, uint64_t count);
/* Writes the finding as a sentence: {kernel} becomes "1 kernel" or "2 kernels", and the place follows. */
void finding_print(const prof_finding *f, char *out, size_t size);
void findings_free(prof_findings *f);

#endif
