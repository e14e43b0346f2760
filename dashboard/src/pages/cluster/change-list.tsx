import { formatTimestamp, zoneName, type Zone } from '../../shared/format.js';
import { Notice } from '../../shared/notice.js';
import { StatusMark } from '../../shared/status-mark.js';
import styles from './change-list.module.css';
import type { Change } from './changes.js';

interface ChangeListProps {
  readonly changes: readonly Change[];
  readonly zone: Zone;
}

/** When the cluster changed its colour, and when rules began and ended. */
export function ChangeList({ changes, zone }: ChangeListProps) {
  return (
    <section className="stack" aria-labelledby="changes">
      <h2 id="changes">{`What happened (${zoneName(zone)})`}</h2>
      {changes.length === 0 ? (
        <Notice kind="none-in-range" title="No colour and no rule changed between the scores of this range">
          <p>Choose a longer range to look further back.</p>
        </Notice>
      ) : (
        <ol className={styles['list']}>
          {changes.map((change, place) => (
            <Item key={place} change={change} zone={zone} />
          ))}
        </ol>
      )}
    </section>
  );
}

function Item({ change, zone }: { readonly change: Change; readonly zone: Zone }) {
  const { at, status, word, text, missing } = change;
  return (
    <li>
      <time dateTime={at}>{formatTimestamp(at, zone)}</time>
      <StatusMark status={status} word={word} />
      <div>
        {text}
        {missing.length === 0 ? null : (
          <details>
            <summary>{`${missing.length} not evaluated`}</summary>
            <ul>
              {missing.map(({ what, reason }) => (
                <li key={what}>{`${what}: ${reason}`}</li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </li>
  );
}
