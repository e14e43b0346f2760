#!/bin/sh
# Scored prompts of the last day, and where one of them was by its id. Needs a key of scope `read`.
set -eu

answer=$(curl -sS "$TELLTALE_URL/api/v1/results?limit=5" -H "Authorization: Bearer $TELLTALE_API_KEY")
echo "$answer"
id=$(echo "$answer" | sed -n 's/.*"results":\[{"id":"\([^"]*\)".*/\1/p')
: "${id:?there is none yet: score.sh makes some}"

curl -sS -w '\n' "$TELLTALE_URL/api/v1/results/$id" -H "Authorization: Bearer $TELLTALE_API_KEY"
curl -sS -w '\n' "$TELLTALE_URL/api/v1/find/$id" -H "Authorization: Bearer $TELLTALE_API_KEY"
