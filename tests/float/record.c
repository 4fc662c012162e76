/* Records what a GPU computes for PTX float instructions (tests/support/
 * float_case.h), whose names it reads from the standard input:
 *   record ptx                       the kernels, to the standard output
 *   record gpu KERNELS RAW MORE      runs them: RAW gets the results of the first COUNT inputs; those of MORE inputs
 * are compared with src/simt at once record fake RAW                  the same file, from src/simt record text RAW...
 * raw files as the text that test_float_gpu reads record check RAW...              raw files compared with src/simt */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "float/gpu.h"
#include "float/raw.h"
#include "support/float_case.h"

enum { COUNT = 8192, MAX_APPROXIMATE = 2048, MAX_EXACT = 8 };

static void fail(const char *message)
{
    fprintf(stderr, "record: %s\n", message);
    exit(1);
}

static bool next_case(float_case *c)
{
    char name[64];
    if (scanf("%63s", name) != 1)
        return false;
    if (!float_case_parse(name, c))
        fail(name);
    return true;
}

static void put(void *data, const char *text)
{
    fputs(text, data);
}

static int print_ptx(void)
{
    float_case c;
    printf(".version 8.6\n.target sm_90\n.address_size 64\n");
    for (int i = 0; next_case(&c); i++) {
        char entry[16];
        snprintf(entry, sizeof entry, "k%d", i);
        printf("// %s\n", c.name);
        float_case_ptx(&c, entry, put, stdout);
    }
    return 0;
}

/* Runs the case as kernel `index` of the GPU, or without one as src/simt. */
static void compute(gpu *g, int index, const float_case *c, const uint64_t *in, uint64_t *out, uint32_t count)
{
    char entry[16];
    snprintf(entry, sizeof entry, "k%d", index);
    if (g && !gpu_run(g, entry, in, out, count))
        fail(c->name);
    for (uint32_t i = 0; i < count; i++)
        out[i] = g ? out[i] & (~UINT64_C(0) >> (64 - float_case_bits(c))) : float_case_apply(c, in + 3 * (size_t)i);
}

static int record(gpu *g, const char *path, uint32_t requested)
{
    const uint32_t max_count = requested > COUNT ? requested : COUNT;
    uint64_t *in = malloc((size_t)max_count * 24), *out = malloc((size_t)max_count * 8);
    FILE *f = fopen(path, "wb");
    float_case c;
    if (!in || !out || !f)
        fail(path);
    for (int i = 0; next_case(&c); i++) {
        for (uint32_t k = 0; k < max_count; k++)
            float_case_inputs(&c, k, in + 3 * (size_t)k);
        compute(g, i, &c, in, out, max_count);
        raw_write(f, &c, out, COUNT);
        raw_compare(&c, out, max_count);
        fflush(stdout);
    }
    if (fclose(f))
        fail(path);
    free(in);
    free(out);
    return 0;
}

static void print_text(const float_case *c, const uint64_t *out, uint32_t count)
{
    const uint32_t kept = c->approx || c->full ? MAX_APPROXIMATE : MAX_EXACT;
    printf("%s %u %016llx %u\n", c->name, count, (unsigned long long)raw_hash(out, count), kept);
    for (uint32_t i = 0; i < kept; i++)
        printf("%llx\n", (unsigned long long)out[i]);
}

static int each_raw(char **paths, void (*use)(const float_case *c, const uint64_t *out, uint32_t count))
{
    for (; *paths; paths++) {
        FILE *f = fopen(*paths, "rb");
        float_case c;
        uint64_t out[COUNT];
        if (!f)
            fail(*paths);
        for (uint32_t count; (count = raw_read(f, &c, out, COUNT)) > 0;)
            use(&c, out, count);
        fclose(f);
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "ptx"))
        return print_ptx();
    if (argc == 3 && !strcmp(argv[1], "fake"))
        return record(NULL, argv[2], COUNT);
    if (argc > 2 && !strcmp(argv[1], "text"))
        return each_raw(argv + 2, print_text);
    if (argc > 2 && !strcmp(argv[1], "check"))
        return each_raw(argv + 2, raw_compare);
    if (argc == 5 && !strcmp(argv[1], "gpu")) {
        gpu g;
        if (!gpu_open(&g, argv[2]))
            fail("no GPU, or not these kernels");
        return record(&g, argv[3], (uint32_t)atoi(argv[4]));
    }
    fail("ptx, gpu KERNELS RAW MORE, fake RAW, text RAW..., or check RAW...");
}
