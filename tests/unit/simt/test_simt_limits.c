/* Launches that no GPU can run, or not the one that is meant: each is refused
 * before anything runs. */
#include <stdio.h>
#include <string.h>

#include "support/simt_case.h"

typedef struct launch_case {
    const char *target, *gpu; /* gpu: a string for gcast_gpu_read_string; NULL: by the target */
    const char *before, *parameters, *body;
    uint32_t grid, block, shared, registers;
    const char *wrong; /* NULL: it runs */
} launch_case;

static const launch_case cases[] = {
    /* shared memory: static and dynamic together, up to what a kernel may opt in to */
    {"sm_90", NULL, "", "", "", 1, 32, 232448, 0, NULL},
    {"sm_90", NULL, "", "", "", 1, 32, 232449, 0,
     "no SM of compute capability 9.0 (the PTX's target) holds such a block: 232449 bytes of shared memory per block; "
     "the "
     "GPU takes at most 232448"},
    {"sm_90", NULL, ".shared .align 4 .b8 s[16];", "", "", 1, 32, 232432, 0, NULL},
    {"sm_90", NULL, ".shared .align 4 .b8 s[32];", "", "", 1, 32, 232432, 0, "232464 bytes of shared memory"},
    {"sm_90", "sms:2 cc:8.6", "", "", "", 1, 32, 1, 0, "the PTX is for sm_90 and later"},
    {"sm_60", NULL, "", "", "", 1, 32, 49153, 0, "compute capability 6.0"},
    {"sm_60", "sms:2 cc:7.0", "", "", "", 1, 32, 98304, 0, NULL},
    {"sm_60", "sms:2 cc:7.0", "", "", "", 1, 32, 98305, 0, "98305 bytes of shared memory"},
    {"sm_99", NULL, "", "", "", 1, 32, 232448, 0, NULL},
    {"sm_99", NULL, "", "", "", 1, 32, 232449, 0, "no SM of any GPU known here"},
    /* static shared memory above 48 KiB does not compile */
    {"sm_90", NULL, ".shared .align 4 .b8 s[49152];", "", "", 1, 32, 0, 0, NULL},
    {"sm_90", NULL, ".shared .align 4 .b8 s[49156];", "", "", 1, 32, 0, 0,
     "49156 bytes of static shared memory per block: 49152 is the most"},
    /* registers, where they are given */
    {"sm_90", NULL, "", "", "", 1, 1024, 0, 64, NULL},
    {"sm_90", NULL, "", "", "", 1, 1024, 0, 65, "registers"},
    {"sm_90", NULL, "", "", "", 1, 32, 0, 257, "257 registers per thread; the GPU takes at most 255"},
    /* a GPU with small SMs */
    {"sm_50", "sms:2 cc:6.2 threads:512", "", "", "", 1, 512, 0, 0, NULL},
    {"sm_50", "sms:2 cc:6.2 threads:512", "", "", "", 1, 544, 0, 0, "holds such a block"},
    /* blocks of a cooperative grid must all be resident */
    {"sm_50", "sms:2 cc:6.2", "", "", ".reg .b32 %r;\nmov.u32 %r, %envreg1;", 4, 1024, 0, 0, NULL},
    {"sm_50", "sms:2 cc:6.2", "", "", ".reg .b32 %r;\nmov.u32 %r, %envreg1;", 5, 1024, 0, 0,
     "the blocks meet, so all 5 must run at once, and"},
    {"sm_50", "sms:2 cc:6.2", "", "", "", 5, 1024, 0, 0, NULL},
};

static gcast_gpu *gpu_of(const char *line)
{
    gcast_gpu *gpu = NULL;
    gcast_error err;
    if (line)
        assert_ok(gcast_gpu_read_string(line, &gpu, &err), &err);
    return gpu;
}

static void limits_of_a_gpu(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const launch_case *x = &cases[i];
        char ptx[512];
        snprintf(ptx, sizeof ptx, ".version 8.0\n.target %s\n.address_size 64\n%s\n.entry k(%s)\n{\n%s\nret;\n}\n",
                 x->target, x->before, x->parameters, x->body);
        gcast_gpu *gpu = gpu_of(x->gpu);
        simt_case c = {.ptx = ptx,
                       .grid = x->grid,
                       .block = x->block,
                       .shared = x->shared,
                       .options = gcast_simt_options_default()};
        c.options.gpu = gpu;
        c.options.registers = x->registers;
        if (x->wrong)
            simt_case_fails(&c, x->wrong, NULL);
        else
            simt_case_ok(&c);
        simt_case_end(&c);
        gcast_gpu_free(gpu);
    }
}

/* One argument of so many bytes. */
static gcast_status launch(const char *version, const char *target, const char *gpu_line, uint32_t bytes,
                           gcast_error *err)
{
    static const char value[40000];
    char ptx[256];
    gcast_ptx *p;
    gcast_simt_report *r;
    gcast_gpu *gpu = gpu_of(gpu_line);
    snprintf(ptx, sizeof ptx,
             ".version %s\n.target %s\n.address_size 64\n.entry k(.param .align 4 .b8 s[%u])\n{\nret;\n}\n", version,
             target, bytes);
    gcast_simt_options o = gcast_simt_options_default();
    o.gpu = gpu;
    gcast_argument a = {-1, value, bytes};
    gcast_launch l = {.grid = {1, 1, 1}, .block = {1, 1, 1}, .arguments = 1, .argument = &a};
    assert_ok(gcast_ptx_parse(ptx, strlen(ptx), NULL, &p, err), err);
    gcast_status status = gcast_simt_run(p, &l, &o, &r, err);
    gcast_simt_report_free(r);
    gcast_ptx_free(p);
    gcast_gpu_free(gpu);
    return status;
}

static void bytes_of_parameters(void **state)
{
    (void)state;
    gcast_error err;
    assert_ok(launch("8.1", "sm_70", NULL, 32764, &err), &err);
    assert_int_equal(launch("8.1", "sm_70", NULL, 32768, &err), GCAST_INPUT);
    assert_string_equal(err.message, "the parameters have more than the 32764 bytes that CUDA takes");
    assert_ok(launch("8.0", "sm_90", NULL, 4096, &err), &err);
    assert_int_equal(launch("8.0", "sm_90", NULL, 4100, &err), GCAST_INPUT);
    assert_string_equal(err.message,
                        "4100 bytes of parameters: 4096 are the most with PTX 8.0 on compute capability 9.0 "
                        "(the PTX's target), and 32764 from PTX 8.1 and sm_70 on");
    assert_int_equal(launch("8.5", "sm_60", NULL, 4100, &err), GCAST_INPUT);
    assert_ok(launch("8.5", "sm_60", "sms:1 cc:8.0", 4100, &err), &err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_of_a_gpu),
        cmocka_unit_test(bytes_of_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
