/* The WATERS 2019 models of tests/data/amalthea/waters as systems, and what published results take of them. */
#ifndef TESTS_SUPPORT_WATERS_H
#define TESTS_SUPPORT_WATERS_H

#include "amalthea/amalthea.h"

/* Kernels that fill the GPU; costs of memory as the model has them. */
sys_given waters_filling(void);
/* With the lines and costs of memory of published results: floor + 1 lines; A57 20 to 220 ns, Denver 8 to 38 ns, GPU 3
 * ns; 2.5 us more for the first runnables of the four tasks that use the GPU. */
sys_given waters_published(void);
/* The system of a file in tests/data/amalthea/waters on this GPU; the test fails where there is none. */
sys_system *waters_system(const char *file, const gcast_gpu *gpu, const sys_given *given);
/* A GPU by name. */
gcast_gpu *waters_gpu(const char *name);

/* In tasks[], cores[] and kinds[]; the test fails where it is not there. */
int system_task(const sys_system *s, const char *name);
int system_core(const sys_system *s, const char *name);
int system_kind(const sys_system *s, const char *name);
/* The RUN step of this name in any task. */
const sys_step *system_step(const sys_system *s, const char *name);
/* The finding that has this text in it; NULL: there is none. */
const sys_finding *system_finding(const sys_system *s, const char *text);

#endif
