#!/bin/sh
# Scored prompts, and where anything is by its id. Needs a key of scope `read`.

curl -sS "$TELLTALE_URL/api/v1/results" -H "Authorization: Bearer $TELLTALE_API_KEY"
curl -sS "$TELLTALE_URL/api/v1/results/$TASK_ID" -H "Authorization: Bearer $TELLTALE_API_KEY"
curl -sS "$TELLTALE_URL/api/v1/find/$TASK_ID" -H "Authorization: Bearer $TELLTALE_API_KEY"
