/* gridcast: when GPU kernels will finish, block by block.
 *
 * The library never prints, never exits and has no globals. A call that can
 * fail returns a gcast_status and fills a gcast_error, which comes last; on
 * failure nothing is left allocated, and outputs are untouched or NULL. A bool
 * answers a question, and a pointer or a number that is returned always is one
 * (NULL from a find: there is none).
 *
 * Ownership: what a create, load, read or simulate call returns belongs to the
 * caller and goes back with the matching free (NULL is fine). Structs are
 * read-only once returned; text and arrays inside live as long as the struct.
 *
 * Time is int64_t nanoseconds, sizes are bytes. The same input gives the same
 * result on every machine. Handles may be used from several threads as long as
 * nobody is still building them. */
#ifndef GRIDCAST_H
#define GRIDCAST_H

#include "gridcast/advice.h"
#include "gridcast/analyze.h"
#include "gridcast/error.h"
#include "gridcast/explain.h"
#include "gridcast/gpu.h"
#include "gridcast/launch.h"
#include "gridcast/measure.h"
#include "gridcast/memory.h"
#include "gridcast/names.h"
#include "gridcast/occupancy.h"
#include "gridcast/plan.h"
#include "gridcast/profile.h"
#include "gridcast/ptx.h"
#include "gridcast/races.h"
#include "gridcast/read.h"
#include "gridcast/report.h"
#include "gridcast/residency.h"
#include "gridcast/run.h"
#include "gridcast/simt.h"
#include "gridcast/simulate.h"
#include "gridcast/smc.h"
#include "gridcast/smc_gpu.h"
#include "gridcast/system.h"
#include "gridcast/version.h"
#include "gridcast/whatif.h"
#include "gridcast/workload.h"

#endif
