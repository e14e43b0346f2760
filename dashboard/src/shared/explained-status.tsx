import type { Verdict } from './status.js';
import { StatusMark } from './status-mark.js';

/** A status as a mark, and its reason below. */
export function ExplainedStatus({ status, word, reason }: Verdict) {
  return (
    <>
      <StatusMark status={status} word={word} />
      {reason === null ? null : <div className="muted">{reason}</div>}
    </>
  );
}
