#include "support/page_data.h"

#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int digit(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

page_reader page_reader_open(const char *base64, size_t size)
{
    page_reader r = {.bytes = malloc(size + 1)};
    uint32_t bits = 0;
    int count = 0;
    assert_non_null(r.bytes);
    for (size_t i = 0; i < size; i++) {
        int d = digit(base64[i]);
        if (d < 0) {
            assert_true(base64[i] == '\n' || base64[i] == '=');
            continue;
        }
        bits = bits << 6 | (uint32_t)d;
        count += 6;
        if (count >= 8) {
            count -= 8;
            r.bytes[r.size++] = (unsigned char)(bits >> count);
        }
    }
    return r;
}

uint64_t page_reader_number(page_reader *r)
{
    uint64_t v = 0;
    for (int shift = 0;; shift += 7) {
        assert_true(r->at < r->size);
        unsigned char byte = r->bytes[r->at++];
        v |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return v;
    }
}

int64_t page_reader_signed(page_reader *r)
{
    uint64_t v = page_reader_number(r);
    return v & 1 ? -(int64_t)(v >> 1) - 1 : (int64_t)(v >> 1);
}

bool page_reader_at_end(const page_reader *r)
{
    return r->at == r->size;
}

void page_reader_close(page_reader *r)
{
    free(r->bytes);
}

/* The text of a data element and its size. */
static const char *find(const char *page, const char *id, size_t *size)
{
    char mark[64];
    snprintf(mark, sizeof mark, " id=\"%s\">", id);
    const char *begin = strstr(page, mark);
    assert_non_null(begin);
    begin += strlen(mark);
    const char *end = strstr(begin, "</script>");
    assert_non_null(end);
    *size = (size_t)(end - begin);
    return begin;
}

json_t *page_json(const char *page, const char *id)
{
    size_t size;
    json_error_t error;
    const char *s = find(page, id, &size);
    json_t *json = json_loadb(s, size, 0, &error);
    if (!json)
        fail_msg("%s: %s at %d", id, error.text, error.position);
    return json;
}

static page_reader open_blocks(const char *page, int run)
{
    char id[32];
    size_t size;
    snprintf(id, sizeof id, "blocks-%d", run);
    const char *s = find(page, id, &size);
    return page_reader_open(s, size);
}

size_t page_blocks_read(const char *page, int run, int sms, page_block **out)
{
    page_reader r = open_blocks(page, run);
    size_t count = 0, cap = 16;
    *out = calloc(cap, sizeof **out);
    for (int sm = 0; sm < sms; sm++)
        for (uint64_t lanes = page_reader_number(&r); lanes; lanes--) {
            int64_t end = 0, length = 0, op = 0, block = 0;
            bool first = true;
            page_reader_number(&r); /* its place */
            for (uint64_t n = page_reader_number(&r); n; n--, first = false) {
                int64_t start = end + page_reader_signed(&r);
                assert_true(first || start >= end);
                length += page_reader_signed(&r);
                op += page_reader_signed(&r);
                block += page_reader_signed(&r);
                end = start + length;
                if (count == cap)
                    *out = realloc(*out, (cap *= 2) * sizeof **out);
                (*out)[count++] = (page_block){start, end, op, block, sm};
            }
        }
    assert_true(page_reader_at_end(&r));
    page_reader_close(&r);
    return count;
}

double *page_steps_read(const char *page, const char *id, size_t rows)
{
    size_t size;
    const char *s = find(page, id, &size);
    page_reader r = page_reader_open(s, size);
    double *held = calloc(rows + 1, sizeof *held);
    for (size_t i = 0; i < rows; i++) {
        int64_t length = 0, height = 0;
        for (uint64_t n = page_reader_number(&r); n; n--) {
            page_reader_signed(&r); /* the gap before it */
            length += page_reader_signed(&r);
            height += page_reader_signed(&r);
            held[i] += (double)length * (double)height;
        }
    }
    assert_true(page_reader_at_end(&r));
    page_reader_close(&r);
    return held;
}
