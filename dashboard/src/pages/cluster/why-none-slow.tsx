import type { Answer } from '../../api/client.js';
import { Notice } from '../../shared/notice.js';
import { CodeBlock } from '../../shared/code-block.js';

type Answered = Answer<'/api/v1/clusters/{cluster_uuid}/slow-operations'>;

/** Says why the list is empty: the cluster is fast, logs nothing, or nobody reads its logs. */
export function WhyNoneSlow({ answer: { thresholds, notice, notes } }: { readonly answer: Answered }) {
  if (thresholds.search === false && thresholds.indexing === false)
    return (
      <Notice kind="not-collected" title="No threshold is set, so the cluster logs nothing">
        <p>Telltale never sets one. To log searches that take longer than a second on an index:</p>
        <CodeBlock label="A threshold">
          {'PUT /<index>/_settings\n{ "index.search.slowlog.threshold.query.warn": "1s" }'}
        </CodeBlock>
      </Notice>
    );
  if (thresholds.search !== true && thresholds.indexing !== true)
    return (
      <Notice kind="unavailable" title="Whether thresholds are set could not be read">
        <p>
          {notice ??
            `No threshold for ${thresholds.search === false ? 'searches' : 'indexing'} is set; for the other kind it is unknown.`}
        </p>
      </Notice>
    );
  if (notes.length > 0)
    return (
      <Notice
        kind="not-collected"
        title={
          notes.every((note) => note.includes('slowlog.enabled'))
            ? 'Reading slow logs is turned off'
            : 'No slow operation has arrived, and the agents say why'
        }
      >
        {notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
      </Notice>
    );
  return (
    <Notice kind="none-in-range" title="No slow operation in this range">
      <p>
        Where the line below is at 0, nothing was slower than its threshold; where it has a gap, nobody read
        the logs. Choose a longer range to look further back.
      </p>
    </Notice>
  );
}
