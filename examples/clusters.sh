#!/bin/sh
# What the agents found out about search clusters. Needs a key of scope `read`.
set -eu

# Does the agent reach the clusters of its integration.json?
curl -sS -w '\n' -X POST "$TELLTALE_AGENT_URL/integrations/elasticsearch/test"

answer=$(curl -sS "$TELLTALE_URL/api/v1/clusters?limit=1" -H "Authorization: Bearer $TELLTALE_API_KEY")
echo "$answer"
uuid=$(echo "$answer" | sed -n 's/.*"cluster_uuid":"\([^"]*\)".*/\1/p')
: "${uuid:?no cluster is watched yet: give the agent an integration.json}"

curl -sS -w '\n' "$TELLTALE_URL/api/v1/clusters/$uuid/health" -H "Authorization: Bearer $TELLTALE_API_KEY"
curl -sS -w '\n' "$TELLTALE_URL/api/v1/clusters/$uuid/slow-operations" -H "Authorization: Bearer $TELLTALE_API_KEY"
