#!/bin/sh
# What the agents found out about search clusters. Needs a key of scope `read`.

# Does the agent reach the cluster of its integration.json?
curl -sS -X POST "$AGENT_URL/integrations/elasticsearch/test"

curl -sS "$TELLTALE_URL/api/v1/clusters" -H "Authorization: Bearer $TELLTALE_API_KEY"
curl -sS "$TELLTALE_URL/api/v1/clusters/$CLUSTER_UUID/health" -H "Authorization: Bearer $TELLTALE_API_KEY"
curl -sS "$TELLTALE_URL/api/v1/clusters/$CLUSTER_UUID/slow-operations" -H "Authorization: Bearer $TELLTALE_API_KEY"
