#include "report/timeline/op_name.h"

#include <stdio.h>
#include <string.h>

#include "model/run_children.h"
#include "model/run_op.h"

char *timeline_name(const gcast_run *run, size_t i, char out[LABEL_SIZE])
{
    i = run_owner(run, i);
    const gcast_op *op = run_op(run, i);
    if (op->task < 0 && i < run->op_count)
        return label_cut(op->label, 40, out);
    label_cut(op->label, 30, out);
    size_t used = strlen(out);
    snprintf(out + used, LABEL_SIZE - used, "#%u", run->ops[i].job);
    return out;
}
