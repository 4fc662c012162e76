/* What a co-run scores (gridcast/corun.h). */
#include "gridcast/corun.h"

gcast_corun_score gcast_corun_score_make(uint32_t kernels, const double *alone, const double *together)
{
    if (!alone || !together)
        return (gcast_corun_score){0};
    gcast_corun_score score = {0, 0};
    for (uint32_t k = 0; k < kernels; k++) {
        score.stp += alone[k] / together[k];
        score.antt += together[k] / alone[k];
    }
    if (kernels)
        score.antt /= kernels;
    return score;
}
