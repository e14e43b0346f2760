#!/bin/sh
# Send a span to the agent, and read traces from the edge. Reading needs a key of scope `read`.
set -eu
now=$(date +%s)

curl -sS -w '\n' "$TELLTALE_AGENT_URL/apm/shop/v1/traces" \
  -H 'Content-Type: application/json' -d '{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"5b8efff798038103d269b633813fc60c","spanId":"eee19b7ec3c1b174","name":"GET /","kind":2,"startTimeUnixNano":"'"$now"'000000001","endTimeUnixNano":"'"$now"'012000005"}]}]}]}'

# The agent sends what it keeps within a second; the sinks store it within a few.
sleep 5
curl -sS -w '\n' "$TELLTALE_URL/api/v1/applications" -H "Authorization: Bearer $TELLTALE_API_KEY"
curl -sS -w '\n' "$TELLTALE_URL/api/v1/traces?application=shop" -H "Authorization: Bearer $TELLTALE_API_KEY"
curl -sS -w '\n' "$TELLTALE_URL/api/v1/traces/5b8efff798038103d269b633813fc60c" -H "Authorization: Bearer $TELLTALE_API_KEY"
