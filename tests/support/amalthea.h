/* Help for tests of AMALTHEA models: models from text, and what is found in them by name. */
#ifndef TESTS_SUPPORT_AMALTHEA_H
#define TESTS_SUPPORT_AMALTHEA_H

#include "amalthea/amalthea.h"
#include "support/support.h"

#define AMALTHEA_DATA SOURCE_DIR "/tests/data/amalthea/"

/* The text of a model of this version of the schema, for the caller to free. */
char *amalthea_text(const char *version, const char *body);
/* A model of it; the test fails where it cannot be read. */
am_model *amalthea_of(const char *version, const char *body);
/* A model in the newest version. */
am_model *amalthea_new(const char *body);
/* Reads a file of AMALTHEA_DATA. */
am_model *amalthea_file(const char *name);
/* The text is refused as an input with one line that has this in it. */
#define assert_refused(body, part) amalthea_refused("3.3.0", (body), (part), __FILE__, __LINE__)
#define assert_refused_in(version, body, part) amalthea_refused((version), (body), (part), __FILE__, __LINE__)
void amalthea_refused(const char *version, const char *body, const char *part, const char *file, int line);
/* Bytes that are no whole model. */
void amalthea_refused_bytes(const char *bytes, size_t size, const char *part, const char *file, int line);

/* By name; the test fails where there is none. */
const am_task *amalthea_task(const am_model *m, const char *name);
const am_runnable *amalthea_runnable(const am_model *m, const char *name);
const am_label *amalthea_label(const am_model *m, const char *name);
const am_stimulus *amalthea_stimulus(const am_model *m, const char *name);
const am_unit *amalthea_unit(const am_model *m, const char *name);
const am_scheduler *amalthea_scheduler(const am_model *m, const char *name);
const am_allocation *amalthea_allocation(const am_model *m, const char *task);
/* Of what was not used, the one that is called so; NULL: none. */
const am_unknown *amalthea_unknown(const am_model *m, const char *what);

#endif
