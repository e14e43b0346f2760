export interface FirstCall {
  readonly title: string;
  readonly command: string;
}

/** Three requests that work as pasted, once the shell knows a key. */
export function firstCalls(origin: string): readonly FirstCall[] {
  return [
    {
      title: 'Score a prompt',
      command: `curl -sS ${origin}/api/v1/monitoring/metrics/text-metrics \\\n  -H "Authorization: Bearer $TELLTALE_API_KEY" \\\n  -H 'Content-Type: application/json' \\\n  -d '{"prompt": "The ferry was late, but the crew was lovely."}'`,
    },
    {
      title: 'Report an event',
      command: `curl -sS "${origin}/?apiKey=$TELLTALE_API_KEY&metric=ferries.late&type=increment&value=1"`,
    },
    {
      title: 'Test the agent’s connection to a search cluster',
      command: 'curl -sS -X POST http://127.0.0.1:3774/integrations/elasticsearch/test',
    },
  ];
}
