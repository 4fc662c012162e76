#include "support/support.h"

#include <stdio.h>
#include <string.h>

#include "model/gpu_fields.h"

static gcast_gpu *read_ok(const char *text)
{
    gcast_gpu *gpu = NULL;
    gcast_error err;
    assert_ok(gcast_gpu_read_string(text, &gpu, &err), &err);
    return gpu;
}

static void words(void **state)
{
    (void)state;
    gcast_gpu *gpu = read_ok(" sms:4 cc:9.0\tthreads:1K smem:64K smem_block:48KiB gap:1.6us h2d:55GB quarters:yes "
                             "placement:round_robin ties:3,1,2,0 name:mine carveouts:0,32K,64K connections:2");
    assert_string_equal(gpu->name, "mine");
    assert_int_equal(gpu->sms, 4);
    assert_int_equal(gpu->limits.threads_per_sm, 1024);
    assert_int_equal(gpu->limits.warps_per_sm, 32);
    assert_int_equal(gpu->limits.smem_per_sm, 65536);
    assert_int_equal(gpu->limits.smem_per_block, 49152);
    assert_int_equal(gpu->limits.carveouts, 3);
    assert_int_equal(gpu->limits.carveout[1], 32768);
    assert_int_equal(gpu->stream_gap_ns, 1600);
    assert_int_equal(gpu->h2d_bytes_per_s, 55000000000);
    assert_true(gpu->register_quarters);
    assert_int_equal(gpu->placement, GCAST_PLACE_ROUND_ROBIN);
    assert_int_equal(gpu->tie_list[0], 3);
    assert_int_equal(gpu->connections, 2);
    gcast_gpu_free(gpu);
}

static void every_field_has_its_word(void **state)
{
    (void)state;
    for (size_t i = 0; i < gpu_field_count; i++) {
        const gpu_field *f = &gpu_fields[i];
        char text[128];
        gcast_gpu *base = read_ok("sms:2 cc:9.0");
        int64_t v = gpu_field_get(base, f);
        gcast_gpu_free(base);
        if (strcmp(f->word, "sms") == 0)
            continue;
        snprintf(text, sizeof text, "sms:2 cc:9.0 %s:%lld", f->word, (long long)v);
        gcast_gpu *gpu = read_ok(text);
        assert_int_equal(gpu_field_get(gpu, f), v);
        gcast_gpu_free(gpu);
    }
}

static void errors_name_the_word(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "cc is missing, as in sms:2 cc:6.2"},
        {"cc:6.2", "sms is missing, as in sms:2 cc:6.2"},
        {"sms:2 threads:2048", "cc is missing, as in sms:2 cc:6.2"},
        {"sms:2 cc:6.9", "cc:6.9: must be a known compute capability such as 6.2"},
        {"sms:2 cc:6.2 speed:3", "unknown word speed"},
        {"sms:2 cc:6.2 sms:3", "sms is listed twice"},
        {"sms:2 cc:6.2 threads", "threads is not key:value, such as sms:2"},
        {"sms:2 cc:6.2 :3", ":3 is not key:value, such as sms:2"},
        {"sms:2 cc:6.2 threads:", "threads: is not key:value, such as sms:2"},
        {"sms:-2 cc:6.2", "sms:-2: must be a whole number"},
        {"sms:2.5 cc:6.2", "sms:2.5: must be a whole number"},
        {"sms:99999999999999999999999999 cc:6.2", "sms:99999999999999999999999999: must be a whole number"},
        {"sms:0 cc:6.2", "sms:0: must be from 1 to 4096"},
        {"sms:2 cc:6.2 smem:1X", "smem:1X: must be a size such as 64K or 48KiB"},
        {"sms:2 cc:6.2 gap:1h", "gap:1h: must be a time such as 500ns or 1.6us"},
        {"sms:2 cc:6.2 ties:list", "ties:list: must be ascending, descending, even_odd or a list of SMs"},
        {"sms:2 cc:6.2 ties:0,,1", "ties:0,,1: must be whole numbers with commas between"},
        {"sms:2 cc:6.2 ties:0,2", "must list each SM from 0 to 1 once"},
        {"sms:2 cc:6.2 quarters:true", "quarters:true: must be yes or no"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gcast_gpu *gpu = NULL;
        gcast_error err;
        assert_int_equal(gcast_gpu_read_string(cases[i][0], &gpu, &err), GCAST_INPUT);
        assert_null(gpu);
        assert_string_equal(err.message, cases[i][1]);
    }
}

static void load_recognises_its_argument(void **state)
{
    (void)state;
    gcast_gpu *gpu;
    gcast_error err;
    assert_ok(gcast_gpu_load("tx2", &gpu, &err), &err);
    gcast_gpu_free(gpu);
    assert_ok(gcast_gpu_load("sms:3 cc:7.0", &gpu, &err), &err);
    assert_int_equal(gpu->sms, 3);
    gcast_gpu_free(gpu);
    assert_ok(gcast_gpu_load(SOURCE_DIR "/gpus/v100.json", &gpu, &err), &err);
    assert_string_equal(gpu->name, "v100");
    gcast_gpu_free(gpu);
    assert_int_equal(gcast_gpu_load("tx3", &gpu, &err), GCAST_INPUT);
    assert_string_equal(err.message, "there is no preset and no file tx3; gridcast gpus lists the presets");
    assert_int_equal(gcast_gpu_load(SOURCE_DIR, &gpu, &err), GCAST_INPUT);
    assert_int_equal(gcast_gpu_preset("", &gpu, &err), GCAST_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(words), cmocka_unit_test(every_field_has_its_word),
                                       cmocka_unit_test(errors_name_the_word),
                                       cmocka_unit_test(load_recognises_its_argument)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
