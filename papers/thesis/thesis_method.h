/* Algorithm 2 of the thesis as a method of analyses, for workloads that fit its model. */
#ifndef PAPERS_THESIS_THESIS_METHOD_H
#define PAPERS_THESIS_THESIS_METHOD_H

#include "analyze/added_method.h"

/* `periods_ns` has a number for each op of the workload: the period, and deadline, of those that run once, 0 where none
 * is known. It may be NULL, and must outlive the method. */
added_method thesis_method(const int64_t *periods_ns);

#endif
