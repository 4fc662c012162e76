/* gcast_corun_deal_sms: which SMs each kernel gets. */
#include "gridcast/corun.h"

/* SMs of a TPC have consecutive numbers. */
#define PAIR 2

/* The kernel that is furthest behind its part when `dealt` of `all` SMs are dealt. */
static uint32_t most_behind(const gcast_corun_config *config, uint32_t kernels, const uint32_t *given, uint32_t dealt,
                            uint32_t all)
{
    uint32_t best = 0;
    double most = -2;
    for (uint32_t k = 0; k < kernels; k++) {
        double behind = (double)config->sms[k] * (dealt + PAIR) / all - given[k];
        if (given[k] < config->sms[k] && behind > most) {
            best = k;
            most = behind;
        }
    }
    return best;
}

void gcast_corun_deal_sms(const gcast_corun_config *config, uint32_t kernels, uint32_t sms, uint32_t *kernel_of)
{
    if (!config || !kernel_of)
        return;
    uint32_t given[GCAST_CORUN_MAX] = {0}, all = 0, left_over = 0;
    for (uint32_t k = 0; k < kernels; k++)
        all += config->sms[k];
    for (uint32_t s = 0; s < sms; s++)
        kernel_of[s] = kernels;
    for (uint32_t s = 0; s < sms && s < all; s++) {
        if (!left_over) {
            uint32_t k = most_behind(config, kernels, given, s, all);
            left_over = config->sms[k] - given[k] < PAIR ? 1 : PAIR;
            kernel_of[s] = k;
        } else {
            kernel_of[s] = kernel_of[s - 1];
        }
        given[kernel_of[s]]++;
        left_over--;
    }
}
