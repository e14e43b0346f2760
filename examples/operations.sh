#!/bin/sh
# How the pipeline does, dead letters, API keys. Needs a key of the scopes `read` and `admin`.
set -eu

curl -sS -w '\n' "$TELLTALE_URL/readyz"
curl -sS -w '\n' "$TELLTALE_URL/api/v1/pipeline" -H "Authorization: Bearer $TELLTALE_API_KEY"
curl -sS -w '\n' "$TELLTALE_URL/api/v1/dead-letters" -H "Authorization: Bearer $TELLTALE_API_KEY"

# A key for an application that scores texts; the answer is the only one that shows its secret.
answer=$(curl -sS "$TELLTALE_URL/api/v1/keys" -H "Authorization: Bearer $TELLTALE_API_KEY" \
  -H 'Content-Type: application/json' -d '{"name":"shop","scopes":["metrics"]}')
echo "$answer"
key_id=$(echo "$answer" | sed -n 's/.*"key_id":"\([^"]*\)".*/\1/p')

# Another secret for it; the old one is refused from now on. Then revoke the key.
curl -sS -w '\n' -X POST "$TELLTALE_URL/api/v1/keys/$key_id/rotate" -H "Authorization: Bearer $TELLTALE_API_KEY"
curl -sS -w '\n' -X DELETE "$TELLTALE_URL/api/v1/keys/$key_id" -H "Authorization: Bearer $TELLTALE_API_KEY"
