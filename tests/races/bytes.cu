// Bytes are bytes: neighbours in a word are not in each other's way, and one byte of it is enough for a race.
#define KERNEL extern "C" __global__ void

KERNEL bytes_read_others(unsigned char *out)
{
    __shared__ unsigned char s[64];
    if (threadIdx.x < 32)
        s[threadIdx.x] = threadIdx.x + 1; // racy bytes_read_others
    else
        out[threadIdx.x - 32] = s[(threadIdx.x - 32) & 28]; // racy bytes_read_others
}

KERNEL bytes_own(unsigned char *out)
{
    __shared__ unsigned char s[256];
    for (unsigned r = 0; r < 3; r++)
        s[threadIdx.x] = s[threadIdx.x] * 3 + r;
    out[threadIdx.x] = s[threadIdx.x];
}

KERNEL halves_of_words(unsigned short *out)
{
    __shared__ unsigned short s[128];
    s[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = s[threadIdx.x] * 2;
}

// Each thread writes its half, one reads the whole.
KERNEL whole_of_halves(unsigned *out)
{
    __shared__ __align__(4) unsigned short s[128];
    s[threadIdx.x] = threadIdx.x; // racy whole_of_halves
    if (threadIdx.x < 64)
        out[threadIdx.x] = *(volatile unsigned *)&s[threadIdx.x * 2]; // racy whole_of_halves
}

KERNEL whole_after_barrier(unsigned *out)
{
    __shared__ __align__(4) unsigned short s[128];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x < 64)
        out[threadIdx.x] = *(unsigned *)&s[threadIdx.x * 2];
}

// Bits of one byte are one byte.
KERNEL bits_of_byte(unsigned char *out)
{
    __shared__ unsigned char bits[16];
    if (threadIdx.x < 16)
        bits[threadIdx.x] = 0;
    __syncthreads();
    bits[threadIdx.x / 8] |= 1 << threadIdx.x % 8; // racy bits_of_byte
    __syncthreads();
    if (threadIdx.x < 16)
        out[threadIdx.x] = bits[threadIdx.x];
}

KERNEL bits_by_atomics(unsigned *out)
{
    __shared__ unsigned bits[4];
    if (threadIdx.x < 4)
        bits[threadIdx.x] = 0;
    __syncthreads();
    atomicOr(&bits[threadIdx.x / 32], 1u << threadIdx.x % 32);
    __syncthreads();
    if (threadIdx.x < 4)
        out[threadIdx.x] = bits[threadIdx.x];
}

// Sixteen bytes at once reach into the neighbour's.
KERNEL vector_overlap(uint4 *out)
{
    __shared__ uint4 s[65];
    unsigned *w = (unsigned *)s;
    if (threadIdx.x < 32)
        w[threadIdx.x * 4 + 3] = threadIdx.x; // racy vector_overlap
    else
        out[threadIdx.x - 32] = s[threadIdx.x - 32]; // racy vector_overlap
}

KERNEL vector_beside(uint2 *out)
{
    __shared__ uint4 s[32];
    unsigned *w = (unsigned *)s;
    if (threadIdx.x < 32)
        w[threadIdx.x * 4 + 3] = threadIdx.x;
    else
        out[threadIdx.x - 32] = ((uint2 *)s)[(threadIdx.x - 32) * 2];
}

// Fields of one struct in global memory.
struct mixed {
    unsigned char a;
    unsigned char b;
    unsigned short c;
};

KERNEL fields(mixed *m)
{
    unsigned i = threadIdx.x / 3;
    if (threadIdx.x % 3 == 0)
        m[i].a = i;
    else if (threadIdx.x % 3 == 1)
        m[i].b = i;
    else
        m[i].c = i;
}

KERNEL field_twice(mixed *m)
{
    unsigned i = threadIdx.x / 3;
    if (threadIdx.x % 3 == 0)
        m[i].a = i + 1;
    else
        m[i].b = threadIdx.x; // racy field_twice
}

// A second reader: thread 0 reads, works, and writes; thread 32 has read meanwhile.
KERNEL second_reader(unsigned *out, unsigned rounds)
{
    __shared__ unsigned x;
    if (threadIdx.x == 0)
        x = 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned v = x;
        for (unsigned r = 0; r < rounds; r++)
            v = v * 1664525 + 1013904223;
        x = v; // racy second_reader
    } else if (threadIdx.x == 32) {
        out[1] = x; // racy second_reader
    }
}

KERNEL readers_then_writer(unsigned *out)
{
    __shared__ unsigned x;
    if (threadIdx.x == 0)
        x = 5;
    __syncthreads();
    unsigned v = x;
    __syncthreads();
    if (threadIdx.x == 64)
        x = v + 1;
    __syncthreads();
    out[threadIdx.x] = x;
}

// All but the last warp are waited for.
KERNEL one_reader_too_many(unsigned *out)
{
    __shared__ unsigned x;
    if (threadIdx.x == 0)
        x = 5;
    __syncthreads();
    out[threadIdx.x] = x; // racy one_reader_too_many
    if (threadIdx.x < 96)
        asm volatile("bar.sync 1, 96;" ::: "memory");
    if (threadIdx.x == 0)
        x = 6; // racy one_reader_too_many
}
