import { useState, type ReactNode } from 'react';
import type { Answer } from '../api/client.js';
import { useRead } from '../api/use-read.js';
import { Button } from './button.js';
import { CopyButton } from './copy-button.js';
import { firstCalls, keyPlaceholder, newIds } from './first-calls.js';
import { formatTimestamp } from './format.js';
import { Link } from './link.js';
import { Notice } from './notice.js';
import { endingWith } from './time-range.js';
import { useAddress } from './use-address.js';
import { CodeBlock } from './code-block.js';

const path = '/api/v1/newest';
type Newest = Answer<typeof path>;

interface Kind {
  /** The texts if nothing has ever arrived, and before the time of the last one. */
  readonly none: string;
  readonly last: string;
  /** The index of the first call that sends one. */
  readonly call: number;
  readonly atOf: (newest: Newest) => string | null;
}

const kinds = {
  results: {
    none: 'No prompt was ever scored here',
    last: 'The last prompt came at',
    call: 0,
    atOf: ({ result_at: at }) => at,
  },
  events: {
    none: 'No event was ever received here',
    last: 'The last event came at',
    call: 1,
    atOf: ({ event_at: at }) => at,
  },
  traces: {
    none: 'No trace was ever received here',
    last: 'The last request came at',
    call: 2,
    atOf: ({ span_at: at }) => at,
  },
} as const satisfies Readonly<Record<string, Kind>>;

interface NoneInRangeProps {
  readonly of: keyof typeof kinds;
  /** The title if the range is empty but other ranges are not. */
  readonly title: string;
  readonly children?: ReactNode;
}

/** Says that nothing is in the range, and either when the last one arrived or that none ever has. */
export function NoneInRange({ of, title, children }: NoneInRangeProps) {
  const { range, setRange, zone } = useAddress();
  const { data } = useRead(path, { everySeconds: 10 });
  const { none, last, call, atOf }: Kind = kinds[of];
  if (data === undefined)
    return (
      <Notice kind="none-in-range" title={title}>
        <p>Choose a longer range to look further back.</p>
        {children}
      </Notice>
    );
  const at = atOf(data);
  if (at === null)
    return (
      <Notice kind="never-received" title={none}>
        <FirstCall index={call} />
        {children}
      </Notice>
    );
  return (
    <Notice kind="none-in-range" title={title}>
      <p>
        {last} <time>{formatTimestamp(at, zone)}</time>.
      </p>
      <div className="field">
        <Button onClick={() => setRange(endingWith(range, Date.parse(at)))}>Go there</Button>
      </div>
      {children}
    </Notice>
  );
}

function FirstCall({ index }: { readonly index: number }) {
  const [ids] = useState(newIds);
  const { command = '' } = firstCalls({ origin: location.origin, key: keyPlaceholder, ...ids })[index] ?? {};
  return (
    <>
      <p>
        Paste this, with an API key for <code>{keyPlaceholder}</code>: what it sends is here some seconds
        later. <Link href="/">Home</Link> makes a key for it.
      </p>
      <CodeBlock label="The first call">{command}</CodeBlock>
      <div className="field">
        <CopyButton label="Copy" text={() => command} />
      </div>
    </>
  );
}
