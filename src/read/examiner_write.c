#include "gridcast/read.h"
gcast_status gcast_workload_write_examiner(const gcast_workload *w, char **text, size_t *size, gcast_error *err)
{
    (void)w;
    (void)text;
    (void)size;
    return gcast_fail(err, GCAST_INPUT, NULL, "no");
}
