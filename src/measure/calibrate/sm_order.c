#include "measure/calibrate/sm_order.h"

#include <stdbool.h>
#include <string.h>

order_summary orders_summarize(const int *orders, size_t launches, int sms)
{
    order_summary s = {.launches = launches};
    size_t n = (size_t)sms, most = 0;
    for (size_t i = 0; i < launches; i++) {
        size_t alike = 0, before = 0;
        for (size_t k = 0; k < launches; k++) {
            bool same = memcmp(&orders[i * n], &orders[k * n], n * sizeof *orders) == 0;
            alike += same;
            before += same && k < i;
        }
        s.distinct += before == 0;
        if (alike > most) {
            most = alike;
            s.usual = i;
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
