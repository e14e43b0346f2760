export interface FirstCall {
  readonly title: string;
  readonly command: string;
}

/** The placeholder for a key in the commands until one is made. */
export const keyPlaceholder = '$TELLTALE_API_KEY';

export interface FirstCallsOf {
  readonly origin: string;
  readonly key: string;
  /** 32 and 16 hexadecimal digits. */
  readonly traceId: string;
  readonly spanId: string;
}

/** Three requests to paste: a prompt, an event, and a trace through the agent on this machine. */
export function firstCalls({ origin, key, traceId, spanId }: FirstCallsOf): readonly FirstCall[] {
  const span = `{"traceId":"${traceId}","spanId":"${spanId}","name":"GET /timetable","kind":2,"startTimeUnixNano":"'$(date +%s)'000000000","endTimeUnixNano":"'$(date +%s)'012000000"}`;
  return [
    {
      title: 'Score a prompt',
      command: `curl -sS ${origin}/api/v1/monitoring/metrics/text-metrics \\\n  -H "Authorization: Bearer ${key}" \\\n  -H 'Content-Type: application/json' \\\n  -d '{"prompt": "The ferry was late, but the crew was lovely."}'`,
    },
    {
      title: 'Report an event',
      command: `curl -sS "${origin}/?apiKey=${key}&metric=ferries.late&type=increment&value=1"`,
    },
    {
      title: 'Send a trace through the agent',
      command: `curl -sS http://127.0.0.1:3774/apm/harbour/v1/traces \\\n  -H 'Content-Type: application/json' \\\n  -d '{"resourceSpans":[{"scopeSpans":[{"spans":[${span}]}]}]}'`,
    },
  ];
}

/** Random ids for a new trace. */
export function newIds(): { readonly traceId: string; readonly spanId: string } {
  const digits = [...crypto.getRandomValues(new Uint8Array(24))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  return { traceId: digits.slice(0, 32), spanId: digits.slice(32) };
}
