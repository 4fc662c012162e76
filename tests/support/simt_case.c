/* Runs small PTX kernels on the SIMT machine for tests. */
#include "support/simt_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const gcast_simt_model simt_models[2] = {GCAST_SIMT_THREADS, GCAST_SIMT_STACK};

simt_case simt_case_start(const char *body, gcast_simt_model model, uint32_t grid, uint32_t block)
{
    simt_case c = {.body = body, .grid = grid, .block = block, .options = gcast_simt_options_default()};
    c.options.model = model;
    c.options.cores = 1;
    return c;
}

void simt_case_buffer(simt_case *c, uint32_t *words, size_t count)
{
    c->buffer[c->buffers] = words;
    c->words[c->buffers++] = count;
}

static void print(void *data, const char *text, size_t size)
{
    simt_case *c = data;
    size_t used = strlen(c->printed);
    if (used + size < sizeof c->printed) {
        memcpy(c->printed + used, text, size);
        c->printed[used + size] = '\0';
    }
}

static char *make_module(const simt_case *c)
{
    size_t size = strlen(c->body) + (c->before ? strlen(c->before) : 0) + 4096;
    char *out = malloc(size), *at = out;
    assert_non_null(out);
    at += sprintf(at, ".version 8.0\n.target sm_90\n.address_size 64\n%s\n.visible .entry k(",
                  c->before ? c->before : "");
    for (uint32_t i = 0; i < c->buffers; i++)
        at += sprintf(at, "%s.param .u64 b%u", i ? ", " : "", i);
    at += sprintf(at, ")\n{\n.reg .pred %%p<16>;\n.reg .b16 %%h<16>;\n.reg .b32 %%r<64>;\n.reg .b64 %%rd<64>;\n"
                      ".reg .f32 %%f<16>;\n.reg .f64 %%fd<16>;\n");
    for (uint32_t i = 0; i < c->buffers; i++)
        at += sprintf(at, "ld.param.u64 %%rd%u, [b%u];\n", 60 + i, i);
    sprintf(at, "mov.u32 %%r60, %%tid.x;\nmov.u32 %%r61, %%ctaid.x;\n%s\n}\n", c->body);
    return out;
}

static char *text_of(const simt_case *c)
{
    if (!c->ptx)
        return make_module(c);
    char *copy = malloc(strlen(c->ptx) + 1);
    assert_non_null(copy);
    return strcpy(copy, c->ptx);
}

gcast_status simt_case_run(simt_case *c)
{
    static const char *const names[] = {"b0", "b1", "b2", "b3"};
    gcast_buffer buffer[4];
    gcast_argument argument[4];
    char *text = text_of(c);
    gcast_ptx *p = NULL;
    assert_ok(gcast_ptx_parse(text, strlen(text), "test", &p, &c->err), &c->err);
    for (uint32_t i = 0; i < c->buffers; i++) {
        buffer[i] = (gcast_buffer){names[i], c->buffer[i], c->words[i] * 4};
        argument[i] = (gcast_argument){(int)i, NULL, 0};
    }
    gcast_launch l = {
        .grid = {c->grid, 1, 1},
        .block = {c->block, 1, 1},
        .shared_bytes = c->shared,
        .arguments = c->buffers,
        .buffers = c->buffers,
        .argument = argument,
        .buffer = buffer,
    };
    c->options.print = print;
    c->options.print_data = c;
    c->printed[0] = '\0';
    gcast_simt_report_free(c->report);
    c->report = NULL;
    gcast_status status = gcast_simt_run(p, &l, &c->options, &c->report, &c->err);
    gcast_ptx_free(p);
    free(text);
    return status;
}

void simt_case_ok(simt_case *c)
{
    assert_ok(simt_case_run(c), &c->err);
    assert_non_null(c->report);
}

void simt_case_fails(simt_case *c, const char *part, const char *mark)
{
    assert_int_equal(simt_case_run(c), GCAST_INPUT);
    assert_null(c->report);
    if (!strstr(c->err.message, part))
        fail_msg("'%s' is not in '%s'", part, c->err.message);
    if (mark) {
        char *text = text_of(c), *at = strstr(text, mark);
        int line = 1;
        assert_non_null(at);
        for (const char *s = text; s < at; s++)
            line += *s == '\n';
        free(text);
        assert_int_equal(c->err.line, line);
    }
}

void simt_case_end(simt_case *c)
{
    gcast_simt_report_free(c->report);
    c->report = NULL;
}

simt_case simt_case_block(const char *body, int model, uint32_t threads, uint32_t *words)
{
    simt_case c = simt_case_start(body, simt_models[model], 1, threads);
    simt_case_buffer(&c, words, 64);
    simt_case_ok(&c);
    return c;
}
