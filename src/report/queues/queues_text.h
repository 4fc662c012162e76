/* The queues of a run at a time, as text. */
#ifndef REPORT_QUEUES_QUEUES_TEXT_H
#define REPORT_QUEUES_QUEUES_TEXT_H

#include "base/text/text.h"
#include "report/queues/queue_rows.h"

void queues_text(const queue_rows *q, bool color, text *out);

#endif
