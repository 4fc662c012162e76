#include "files/examiner/read/values.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "model/workload/edit.h"

int examiner_mask(examiner *x, const node *object)
{
    node n = node_key(object, "sm_mask");
    if (!n.value)
        return GCAST_ALL_SMS;
    const char *text = node_text(&n), *digits = text + (*text == '~');
    char *end;
    errno = 0;
    uint64_t disabled = strtoull(digits, &end, 16);
    if (end == digits || *end || errno || strspn(digits, "0123456789abcdefABCDEFxX") != strlen(digits)) {
        node_fail(&n, "must be a hexadecimal number of 64 bits such as \"0xf0\" or \"~0xf\"");
        return GCAST_ALL_SMS;
    }
    if (*text == '~')
        disabled = ~disabled;
    if (disabled == 0)
        return GCAST_ALL_SMS;
    if (disabled == UINT64_MAX) {
        node_fail(&n, "leaves no TPC");
        return GCAST_ALL_SMS;
    }
    /* a set bit disables a TPC, and libsmctrl disables all from the 65th on */
    gcast_mask mask = {{0}};
    for (int sm = 0; sm < 64 * x->sms_per_tpc && sm < GCAST_MAX_SMS; sm++)
        if (!(disabled >> sm / x->sms_per_tpc & 1))
            mask.word[sm / 64] |= (uint64_t)1 << sm % 64;
    int index = -1;
    node_fail_as(&n, gcast_workload_add_mask(x->w, &mask, &index, x->doc.err));
    return index;
}

int64_t examiner_shared_memory(const node *object, bool required)
{
    node n = node_key(object, "shared_memory_size");
    int64_t ints = n.value || required ? node_int(&n, 0, INT_MAX) : 0;
    bool known = ints == 4096 || ints == 8192 || ints == 10240 || (ints == 0 && !required);
    if (!known)
        node_fail(&n, "must be %s4096, 8192 or 10240", required ? "" : "0, ");
    return 4 * ints;
}

int64_t examiner_spin_ns(const node *n)
{
    return node_int(n, 1, WORKLOAD_MAX_NS);
}

uint32_t examiner_one_dimension(const node *n, const char *key, const uint32_t d[3])
{
    node at = node_key(n, key);
    if (d[1] != 1 || d[2] != 1)
        node_fail(&at, "must be one-dimensional here");
    return d[0];
}
