/* Reads the data of a page back, without a browser and without a line of what wrote it. */
#ifndef TESTS_PAGE_DATA_H
#define TESTS_PAGE_DATA_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct page_reader {
    unsigned char *bytes; /* decoded */
    size_t size, at;
} page_reader;

page_reader page_reader_open(const char *base64, size_t size);
uint64_t page_reader_number(page_reader *r);
int64_t page_reader_signed(page_reader *r);
bool page_reader_at_end(const page_reader *r);
void page_reader_close(page_reader *r);

/* The JSON of a data element. */
json_t *page_json(const char *page, const char *id);

typedef struct page_block {
    int64_t start, end, op, block, sm;
} page_block;

/* The blocks of a page that has each, of SMs 0 to sms - 1; also checks that those of a lane do not overlap. free()
 * *out. */
size_t page_blocks_read(const char *page, int run, int sms, page_block **out);
/* Of a page with steps: height * time by row of the element with this id. free() it. */
double *page_steps_read(const char *page, const char *id, size_t rows);

#endif
