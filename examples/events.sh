#!/bin/sh
# Report numbers of an application, and read them. Needs a key of the scopes `events` and `read`.
set -eu

# One event.
curl -sS -w '\n' "$TELLTALE_URL/?metric=orders&type=increment&value=1&cluster=eu-1" -H "Authorization: Bearer $TELLTALE_API_KEY"

# Several, stored once however often this is sent within a day.
curl -sS -w '\n' "$TELLTALE_URL/" -H "Authorization: Bearer $TELLTALE_API_KEY" -H 'Idempotency-Key: orders-of-tuesday' \
  -H 'Content-Type: application/json' -d '[{"metric":"orders","type":"increment","value":1,"cluster":"eu-1"},{"metric":"checkout.seconds","type":"distribution","value":0.42}]'

# The metrics with their last values, and one of them over time.
curl -sS -w '\n' "$TELLTALE_URL/api/v1/events" -H "Authorization: Bearer $TELLTALE_API_KEY"
curl -sS -w '\n' "$TELLTALE_URL/api/v1/events/series?metric=orders" -H "Authorization: Bearer $TELLTALE_API_KEY"
