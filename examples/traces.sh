#!/bin/sh
# Send a span to the agent, and read traces from the edge. Reading needs a key of scope `read`.

curl -sS "$AGENT_URL/apm/shop/v1/traces" \
  -H 'Content-Type: application/json' -d '{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"5b8efff798038103d269b633813fc60c","spanId":"eee19b7ec3c1b174","name":"GET /","kind":2,"startTimeUnixNano":"1768478400000000001","endTimeUnixNano":"1768478400012000005"}]}]}]}'

curl -sS "$TELLTALE_URL/api/v1/applications" -H "Authorization: Bearer $TELLTALE_API_KEY"
curl -sS "$TELLTALE_URL/api/v1/traces?application=shop" -H "Authorization: Bearer $TELLTALE_API_KEY"
curl -sS "$TELLTALE_URL/api/v1/traces/$TRACE_ID" -H "Authorization: Bearer $TELLTALE_API_KEY"
