#!/bin/sh
# How the pipeline does, API keys, dead letters. Needs a key of the scopes `read` and `admin`.

curl -sS "$TELLTALE_URL/readyz"
curl -sS "$TELLTALE_URL/api/v1/pipeline" -H "Authorization: Bearer $TELLTALE_API_KEY"
curl -sS "$TELLTALE_URL/api/v1/dead-letters" -H "Authorization: Bearer $TELLTALE_API_KEY"

# A key for an application that scores texts; the answer is the only one that shows its secret.
curl -sS "$TELLTALE_URL/api/v1/keys" -H "Authorization: Bearer $TELLTALE_API_KEY" \
  -H 'Content-Type: application/json' -d '{"name":"shop","scopes":["metrics"]}'
curl -sS -X POST "$TELLTALE_URL/api/v1/keys/$KEY_ID/rotate" -H "Authorization: Bearer $TELLTALE_API_KEY"
