#include "measure/calibrate/sm_order.h"

#include <stdbool.h>
#include <string.h>

order_summary orders_summarize(const int *orders, size_t launches, int sms)
{
    order_summary s = {.launches = launches};
    size_t n = (size_t)sms, highest = 0;
    for (size_t i = 0; i < launches; i++) {
        size_t equal = 0, earlier = 0;
        for (size_t k = 0; k < launches; k++) {
            bool same = memcmp(&orders[i * n], &orders[k * n], n * sizeof *orders) == 0;
            equal += same;
            earlier += same && k < i;
        }
        s.distinct += earlier == 0;
        if (equal > highest) {
            highest = equal;
            s.most_frequent = i;
        }
    }
    for (size_t b = 0; b < n && launches; b++) {
        size_t k = 1;
        while (k < launches && orders[k * n + b] == orders[b])
            k++;
        s.same_places += k == launches;
    }
    return s;
}
