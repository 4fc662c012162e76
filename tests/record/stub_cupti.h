/* What the two files of the stub of CUPTI share. */
#ifndef TESTS_RECORD_STUB_CUPTI_H
#define TESTS_RECORD_STUB_CUPTI_H

#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))
#define MAX_RECORD 256

typedef void requested(uint8_t **buffer, size_t *size, size_t *max_records);
typedef void completed(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid_size);
typedef void callback(void *data, int domain, uint32_t id, const void *of_domain);

typedef struct stub {
    requested *on_requested;
    completed *on_completed;
    callback *on_callback; /* NULL: nobody has subscribed */
    void *callback_data;
    int enabled[64];       /* kinds of records */
    int enabled_callbacks; /* how many */
    int thread_type;       /* of cuptiSetThreadIdType */
} stub;

extern stub stub_state;

/* Does STUB_CUPTI_FAIL name this function? */
int stub_fails(const char *name);
uint32_t stub_version(void);
/* Hands over the buffer. */
void stub_deliver(void);

#endif
