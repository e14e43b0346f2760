#!/bin/sh
# Score a text: wait for the answer, or hand in a task and fetch it later. Needs a key of scope `metrics`.
set -eu

# All metrics at once; the answer has the scores.
curl -sS -w '\n' "$TELLTALE_URL/api/v1/monitoring/metrics" -H "Authorization: Bearer $TELLTALE_API_KEY" \
  -H 'Content-Type: application/json' -d '{"prompt":"Was the ferry late?","response":"Yes, by an hour. The crew was lovely."}'

# One metric, as a task; the answer has its id.
answer=$(curl -sS "$TELLTALE_URL/api/v1/monitoring/metrics/text-sentiment/task" -H "Authorization: Bearer $TELLTALE_API_KEY" \
  -H 'Content-Type: application/json' -d '{"prompt":"The ferry was late, but the crew was lovely."}')
echo "$answer"
task_id=$(echo "$answer" | sed -n 's/.*"task_id":"\([^"]*\)".*/\1/p')

# What became of the task: `queued` until it is scored.
sleep 1
curl -sS -w '\n' "$TELLTALE_URL/api/v1/monitoring/metrics/task/$task_id/status" -H "Authorization: Bearer $TELLTALE_API_KEY"
