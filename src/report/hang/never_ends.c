#include "report/hang/never_ends.h"

/* They are listed by index. */
bool never_ends(const gcast_run *run, size_t i)
{
    size_t low = 0, high = run->hang ? run->hang->op_count : 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (run->hang->ops[middle].run_op < i)
            low = middle + 1;
        else
            high = middle;
    }
    return run->hang && low < run->hang->op_count && run->hang->ops[low].run_op == i;
}
