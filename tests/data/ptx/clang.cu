// clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_60 -Xclang -target-feature -Xclang +ptx60 -nocudainc -nocudalib -S -O1 clang.cu
#define device __attribute__((device))

static __attribute__((shared)) float tile[4][8];

static device __attribute__((noinline)) int chosen(int n, int (*f)(int))
{
    return f(n) + 1;
}

static device int twice(int n)
{
    return 2 * n;
}

__attribute__((global)) void sum(int *values, int n)
{
    int total = 0;
    for (int i = 0; i < n; i++)
        switch (values[i]) {
        case 1: total += 5; break;
        case 2: total ^= 9; break;
        case 3: total -= values[i + 1]; break;
        case 4: total *= 3; break;
        default: tile[i & 3][n & 7] = (float)total; break;
        }
    values[n] = chosen(total, twice) + (int)tile[n & 3][1];
}
