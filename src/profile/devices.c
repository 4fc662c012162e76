#include "profile/devices.h"

size_t prof_devices(const prof_trace *t, int64_t *devices, size_t max)
{
    size_t count = 0;
    for (size_t i = 0; i < t->op_count; i++) {
        int64_t device = t->streams[t->ops[i].stream].device;
        size_t k = 0;
        while (k < count && k < max && devices[k] < device)
            k++;
        if ((k < count && k < max && devices[k] == device) || k == max)
            continue;
        for (size_t n = count < max ? count : max - 1; n > k; n--)
            devices[n] = devices[n - 1];
        devices[k] = device;
        count += count < max;
    }
    return count;
}

const prof_gpu *prof_gpu_of(const prof_trace *t, int64_t device)
{
    for (size_t i = 0; i < t->gpu_count; i++)
        if (t->gpus[i].device == device)
            return &t->gpus[i];
    return NULL;
}
