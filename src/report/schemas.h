/* The fields of the results that this room writes, for gridcast --schema. */
#ifndef REPORT_SCHEMAS_H
#define REPORT_SCHEMAS_H

#include "base/fields.h"

extern const record run_schema[], run_csv_schema[], analysis_schema[], whatif_schema[], residency_schema[],
    exec_schema[], exec_csv_schema[], spawn_schema[], workers_schema[], occupancy_curve_schema[], system_schema[],
    system_run_schema[];

#endif
