#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/gpu_file.h"
#include "model/gpu.h"
#include "model/gpu_fields.h"

#define HEAD "{\"schema\": \"gridcast.gpu/1\", \"name\": \"x\", \"cc\": \"6.2\", \"sms\": 2"

static gcast_gpu *read_ok(const char *json)
{
    gcast_gpu *gpu = NULL;
    gcast_error err;
    assert_ok(gcast_gpu_read_json(json, strlen(json), "x.json", &gpu, &err), &err);
    return gpu;
}

static void assert_same(const gcast_gpu *a, const gcast_gpu *b)
{
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->title, b->title);
    for (size_t i = 0; i < gpu_field_count; i++)
        assert_int_equal(gpu_field_get(a, &gpu_fields[i]), gpu_field_get(b, &gpu_fields[i]));
    assert_memory_equal(&a->limits, &b->limits, sizeof a->limits);
    assert_int_equal(a->register_quarters, b->register_quarters);
    assert_int_equal(a->placement, b->placement);
    assert_int_equal(a->tie_order, b->tie_order);
    if (a->tie_list)
        assert_memory_equal(a->tie_list, b->tie_list, (size_t)a->sms * sizeof(int));
    assert_int_equal(!a->reach_ns, !b->reach_ns);
    if (a->reach_ns)
        assert_memory_equal(a->reach_ns, b->reach_ns, (size_t)a->sms * sizeof(int));
    assert_memory_equal(&a->launch_quantiles, &b->launch_quantiles, sizeof a->launch_quantiles);
    assert_memory_equal(&a->copy_quantiles, &b->copy_quantiles, sizeof a->copy_quantiles);
    assert_int_equal(a->source_count, b->source_count);
    for (size_t i = 0; i < a->source_count; i++)
        assert_string_equal(a->sources[i].text, b->sources[i].text);
}

/* Every number of a preset has a source, or is the default that says "not known". */
static void assert_sourced(const gcast_gpu *gpu)
{
    static const char *const always[] = {"sms",       "copy_engines", "connections", "priority_levels",
                                         "placement", "tie_order",    "sms_per_tpc"};
    char all[8192] = " ";
    for (size_t i = 0; i < gpu->source_count; i++) {
        strcat(all, gpu->sources[i].fields);
        strcat(all, " ");
        const char *source = gpu->sources[i].text, *word = strstr(source, "assumed");
        assert_true(strlen(source) > 10);
        /* gridcast gpus reads the start of the text, which says whether the value is assumed */
        if (word && (word != source || strncmp(word, "assumed: ", 9) != 0 || strstr(word + 1, "assumed")))
            fail_msg("%s, %s: what is assumed starts with \"assumed:\"", gpu->name, gpu->sources[i].fields);
    }
    for (size_t i = 0; i < sizeof always / sizeof always[0]; i++) {
        char word[64];
        snprintf(word, sizeof word, " %s ", always[i]);
        assert_non_null(strstr(all, word));
    }
    for (size_t i = 0; i < gpu_field_count; i++) {
        char word[64];
        snprintf(word, sizeof word, " %s ", gpu_fields[i].key);
        bool is_percent = strstr(gpu_fields[i].key, "_percent");
        int64_t unknown = is_percent ? 100 : 0;
        bool known = gpu_field_get(gpu, &gpu_fields[i]) != unknown;
        if (!gpu_fields[i].limit && known && !strstr(all, word))
            fail_msg("%s: no source for %s", gpu->name, gpu_fields[i].key);
    }
    assert_true(!gpu->register_quarters || strstr(all, " register_quarters "));
}

static void presets_read_and_come_back(void **state)
{
    (void)state;
    assert_true(gcast_preset_count() >= 27);
    for (size_t i = 0; i < gcast_preset_count(); i++) {
        gcast_gpu *gpu, *reread;
        gcast_error err;
        char *text;
        size_t size;
        assert_ok(gcast_gpu_preset(gcast_preset_name(i), &gpu, &err), &err);
        assert_string_equal(gpu->name, gcast_preset_name(i));
        assert_sourced(gpu);
        assert_ok(gcast_gpu_write_json(gpu, &text, &size, &err), &err);
        assert_ok(gcast_gpu_read_json(text, size, NULL, &reread, &err), &err);
        assert_same(gpu, reread);
        gcast_gpu_free(gpu);
        gcast_gpu_free(reread);
        free(text);
    }
}

static void preset_facts(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int major, minor, sms, copy_engines, connections, priorities;
    } want[] = {{"tx2", 6, 2, 2, 1, 8, 2},         {"xavier", 7, 2, 8, 1, 2, 6},    {"orin", 8, 7, 16, 2, 4, 6},
                {"k5000", 3, 0, 8, 2, 1, 1},       {"v100", 7, 0, 80, 2, 8, 6},     {"a100", 8, 0, 108, 2, 8, 6},
                {"h200", 9, 0, 132, 3, 8, 6},      {"b200", 10, 0, 148, 3, 8, 6},   {"rtx2080ti", 7, 5, 68, 2, 8, 6},
                {"rtx3090", 8, 6, 82, 2, 8, 6},    {"thor", 11, 0, 20, 2, 8, 6},    {"orin-nx", 8, 7, 8, 2, 4, 6},
                {"orin-nx-8gb", 8, 7, 8, 2, 4, 6}, {"orin-nano", 8, 7, 8, 2, 4, 6}, {"orin-nano-4gb", 8, 7, 4, 2, 4, 6},
                {"l4", 8, 9, 58, 2, 8, 6},         {"l40s", 8, 9, 142, 2, 8, 6},    {"t4", 7, 5, 40, 3, 8, 6},
                {"rtx5090", 12, 0, 170, 2, 8, 6}};
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        gcast_gpu *gpu;
        gcast_error err;
        assert_ok(gcast_gpu_preset(want[i].name, &gpu, &err), &err);
        assert_int_equal(gpu->limits.cc_major, want[i].major);
        assert_int_equal(gpu->limits.cc_minor, want[i].minor);
        assert_int_equal(gpu->sms, want[i].sms);
        assert_int_equal(gpu->copy_engines, want[i].copy_engines);
        assert_int_equal(gpu->connections, want[i].connections);
        assert_int_equal(gpu->priority_levels, want[i].priorities);
        gcast_gpu_free(gpu);
    }
    gcast_gpu *tx2;
    gcast_error err;
    assert_ok(gcast_gpu_preset("tx2", &tx2, &err), &err);
    assert_int_equal(tx2->launch_latency_ns + tx2->copy_latency_ns + tx2->stream_gap_ns + tx2->handover_ns, 0);
    assert_true(tx2->h2d_bytes_per_s > 0 && tx2->d2h_bytes_per_s > 0);
    gcast_gpu_free(tx2);
}

/* The default of register_quarters in a file is that in a string: by the parts of the register file. */
static void quarters_not_given(void **state)
{
    (void)state;
    static const struct {
        const char *json, *words;
        bool quarters;
    } want[] = {{"", "", true},
                {", \"register_parts\": 2", " register_parts:2", false},
                {", \"threads_per_sm\": 96", " threads:96", false},
                {", \"register_quarters\": false", " quarters:no", false},
                {", \"register_parts\": 2, \"register_quarters\": true", " register_parts:2 quarters:yes", true}};
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        char file[256], words[128];
        gcast_gpu *other;
        gcast_error err;
        snprintf(file, sizeof file, HEAD "%s}", want[i].json);
        snprintf(words, sizeof words, "sms:2 cc:6.2%s", want[i].words);
        gcast_gpu *gpu = read_ok(file);
        assert_ok(gcast_gpu_read_string(words, &other, &err), &err);
        assert_int_equal(gpu->register_quarters, want[i].quarters);
        assert_int_equal(other->register_quarters, want[i].quarters);
        gcast_gpu_free(gpu);
        gcast_gpu_free(other);
    }
}

static void limits_not_given_fit_those_given(void **state)
{
    (void)state;
    gcast_gpu *gpu = read_ok(HEAD ", \"threads_per_sm\": 512, \"smem_per_sm\": 32768, \"registers_per_sm\": 16384, "
                                  "\"registers_per_thread\": 63, \"x-note\": [1]}");
    assert_int_equal(gpu->limits.warps_per_sm, 16);
    assert_int_equal(gpu->limits.threads_per_block, 512);
    assert_int_equal(gpu->limits.registers_per_block, 16384);
    assert_int_equal(gpu->limits.register_check, 63);
    assert_int_equal(gpu->limits.smem_per_block, 32768);
    assert_int_equal(gpu->limits.smem_per_block_default, 32768);
    assert_int_equal(gpu->limits.carveouts, 1);
    assert_int_equal(gpu->limits.carveout[0], 32768);
    assert_string_equal(gpu->title, "x");
    gcast_gpu_free(gpu);
}

static void latencies_are_read_and_promised(void **state)
{
    (void)state;
    gcast_gpu *gpu = read_ok(HEAD ", \"launch_latency_ns\": 9, \"launch_quantiles\": [{\"one_in\": 10, \"ns\": 20}, "
                                  "{\"one_in\": 1000, \"ns\": 30}, {\"max_ns\": 70, \"samples\": 5000}]}");
    const gcast_latency *l = &gpu->launch_quantiles;
    static const int64_t want[][2] = {{0, 70}, {1, 20}, {10, 20}, {11, 30}, {1000, 30}, {1001, 70}};
    assert_int_equal(l->min_ns, 9);
    assert_int_equal(l->samples, 5000);
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++)
        assert_int_equal(gcast_latency_longest_ns(l, want[i][0]), want[i][1]);
    assert_int_equal(gcast_latency_longest_ns(&gpu->copy_quantiles, 10), -1);
    gcast_gpu_free(gpu);
}

static void errors_say_where(void **state)
{
    (void)state;
    static const struct {
        const char *json, *path, *message;
    } cases[] = {
        {"[]", "", "a GPU must be an object"},
        {"{}", "", "schema is missing; must be gridcast.gpu/1"},
        {"{\"schema\": \"gridcast.run/1\"}", "/schema", "must be gridcast.gpu/1"},
        {"{\"schema\": \"gridcast.gpu/1\"}", "", "name is missing"},
        {"{\"schema\": \"gridcast.gpu/1\", \"name\": 3}", "/name", "must be a string"},
        {"{\"schema\": \"gridcast.gpu/1\", \"name\": \"x\", \"cc\": \"6.2\"}", "", "sms is missing"},
        {"{\"schema\": \"gridcast.gpu/1\", \"name\": \"x\", \"cc\": \"6.9\", \"sms\": 1}", "/cc",
         "must be a known compute capability such as 6.2"},
        {HEAD ", \"speed\": 3}", "/speed", "unknown key speed"},
        {HEAD ", \"connections\": 2.0}", "/connections", "must be a whole number"},
        {HEAD ", \"connections\": -1}", "/connections", "must be from 0 to 1024, not -1"},
        {HEAD ", \"threads_per_sm\": 99999999999999}", "/threads_per_sm",
         "must be from 1 to 268435456, not 99999999999999"},
        {HEAD ", \"h2d_bytes_per_s\": -5}", "/h2d_bytes_per_s", "must be at least 0, not -5"},
        {HEAD ", \"smem_per_block\": 70000}", "/smem_per_block",
         "70000 and the reserve of 0 are more than the SM's 65536"},
        {HEAD ", \"register_quarters\": 1}", "/register_quarters", "must be true or false"},
        {HEAD ", \"placement\": \"best\"}", "/placement",
         "must be most_room, round_robin, most_threads, fewest_blocks, least_room or first_fit"},
        {HEAD ", \"tie_order\": \"list\"}", "/tie_order", "must be ascending, descending, even_odd or a list of SMs"},
        {HEAD ", \"tie_order\": [1, 1]}", "/tie_order", "must list each SM from 0 to 1 once"},
        {HEAD ", \"tie_order\": [1, \"0\"]}", "/tie_order/1", "must be a whole number from 0 to 2147483647"},
        {HEAD ", \"carveouts\": [1, 2]}", "/carveouts", "must list 1 to 16 sizes, the last one the SM's 65536"},
        {HEAD ", \"sources\": [{\"fields\": \"sms\"}]}", "/sources/0", "text is missing"},
        {HEAD ", \"sources\": [{\"fields\": \"sms\", \"text\": \"t\", \"by\": \"me\"}]}", "/sources/0/by",
         "unknown key by"},
        {HEAD ", \"launch_quantiles\": []}", "/launch_quantiles", "must be a list that ends with max_ns and samples"},
        {HEAD ", \"launch_quantiles\": [3]}", "/launch_quantiles/0", "must be an object"},
        {HEAD ", \"launch_quantiles\": [{\"one_in\": 9, \"ns\": 5}]}", "/launch_quantiles/0/one_in", "unknown key"},
        {HEAD ", \"launch_quantiles\": [{\"max_ns\": 7}]}", "/launch_quantiles/0", "samples is missing"},
        {HEAD ", \"copy_quantiles\": [{\"max_ns\": 7.5, \"samples\": 9}]}", "/copy_quantiles/0/max_ns",
         "must be a whole number that is not negative"},
        {HEAD ", \"launch_quantiles\": [{\"ns\": 5}, {\"max_ns\": 7, \"samples\": 9}]}", "/launch_quantiles/0",
         "one_in is missing"},
        {HEAD ", \"launch_quantiles\": [{\"one_in\": 10, \"ns\": 5}, {\"max_ns\": 7, \"samples\": 9}]}",
         "/launch_quantiles/0/one_in", "must not be more than there are samples"},
        {HEAD ", \"launch_quantiles\": [{\"one_in\": 2, \"ns\": 5}, {\"one_in\": 2, \"ns\": 6}, {\"max_ns\": 7, "
              "\"samples\": 9}]}",
         "/launch_quantiles/1/one_in", "must be larger than that of the entry before"},
        {HEAD ", \"launch_quantiles\": [{\"one_in\": 2, \"ns\": 5}, {\"one_in\": 3, \"ns\": 4}, {\"max_ns\": 7, "
              "\"samples\": 9}]}",
         "/launch_quantiles/1/ns", "must not be below that of the entry before"},
        {HEAD ", \"launch_quantiles\": [{\"one_in\": 2, \"ns\": 8}, {\"max_ns\": 7, \"samples\": 9}]}",
         "/launch_quantiles/1/max_ns", "must not be below any other time of the list"},
        {HEAD ", \"launch_latency_ns\": 9, \"launch_quantiles\": [{\"max_ns\": 7, \"samples\": 9}]}",
         "/launch_quantiles/0/max_ns", "must not be below the usual latency of the GPU"},
        {HEAD ", \"copy_quantiles\": [{\"min_ns\": 1, \"max_ns\": 7, \"samples\": 9}]}", "/copy_quantiles/0/min_ns",
         "must not be above the usual latency of the GPU"},
        {HEAD ", \"sources\": [3]}", "/sources/0", "must be an object with fields and text"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gcast_gpu *gpu = NULL;
        gcast_error err;
        assert_int_equal(gcast_gpu_read_json(cases[i].json, strlen(cases[i].json), "a.json", &gpu, &err), GCAST_INPUT);
        assert_null(gpu);
        assert_string_equal(err.message, cases[i].message);
        assert_string_equal(err.path, cases[i].path);
        assert_string_equal(err.file, "a.json");
        assert_int_equal(err.line, 0);
    }
}

static void inside_a_workload_paths_have_a_prefix(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"{\"name\": \"x\", \"cc\": \"6.2\", \"sms\": 0}", "/gpu/sms"},
        {"{\"name\": \"x\", \"cc\": \"6.2\", \"sms\": 2, \"smem_per_block\": 70000}", "/gpu/smem_per_block"},
        {"{\"name\": \"x\", \"cc\": \"6.2\", \"sms\": 2, \"tie_order\": [0]}", "/gpu/tie_order"},
        {"3", "/gpu"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gcast_gpu *gpu;
        gcast_error err;
        json_t *v = json_loads(cases[i][0], JSON_DECODE_ANY, NULL);
        assert_int_equal(gpu_from_json(v, "/gpu", &gpu, &err), GCAST_INPUT);
        assert_string_equal(err.path, cases[i][1]);
        json_decref(v);
    }
}

static void syntax_errors_say_the_line(void **state)
{
    (void)state;
    const char *json = "{\n  \"name\": \"a\",\n  \"name\": \"b\"\n}";
    gcast_gpu *gpu;
    gcast_error err;
    assert_int_equal(gcast_gpu_read_json(json, strlen(json), "a.json", &gpu, &err), GCAST_INPUT);
    assert_int_equal(err.line, 3);
    assert_non_null(strstr(err.message, "duplicate"));
    assert_int_equal(gcast_gpu_read_json("", 0, NULL, &gpu, NULL), GCAST_INPUT);
}

static void deep_nesting_is_an_error(void **state)
{
    (void)state;
    size_t size = 10 * 1024 * 1024;
    char *text = malloc(size);
    gcast_gpu *gpu;
    gcast_error err;
    assert_non_null(text);
    memset(text, '[', size);
    assert_int_equal(gcast_gpu_read_json(text, size, NULL, &gpu, &err), GCAST_INPUT);
    assert_non_null(strstr(err.message, "deeply"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(presets_read_and_come_back),
        cmocka_unit_test(preset_facts),
        cmocka_unit_test(quarters_not_given),
        cmocka_unit_test(limits_not_given_fit_those_given),
        cmocka_unit_test(latencies_are_read_and_promised),
        cmocka_unit_test(errors_say_where),
        cmocka_unit_test(inside_a_workload_paths_have_a_prefix),
        cmocka_unit_test(syntax_errors_say_the_line),
        cmocka_unit_test(deep_nesting_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
