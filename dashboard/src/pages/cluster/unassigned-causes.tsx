import type { Answer } from '../../api/client.js';
import { useRead } from '../../api/use-read.js';
import { Exports } from '../../shared/exports.js';
import { formatCount, formatTimestamp } from '../../shared/format.js';
import { Loaded } from '../../shared/loaded.js';
import { StatusMark } from '../../shared/status-mark.js';
import { useAddress } from '../../shared/use-address.js';
import { causesSql } from './list-sql.js';
import { OldNote } from './section-note.js';
import styles from './unassigned-causes.module.css';

const path = '/api/v1/clusters/{cluster_uuid}/unassigned';
type Group = Answer<typeof path>['groups'][number];

/** The causes of unassigned shards, each once, with what to do. Empty if every shard is assigned. */
export function UnassignedCauses({ uuid }: { readonly uuid: string }) {
  const options = { params: { cluster_uuid: uuid } };
  const query = useRead(path, { ...options, everySeconds: 60 });
  return (
    <Loaded query={query} what="the causes">
      {({ groups, ...taken }) =>
        groups.length === 0 ? null : (
          <section className="stack" aria-labelledby="causes">
            <div className="field">
              <h2 id="causes">Why shards are unassigned</h2>
              <Exports
                what="causes of unassigned shards"
                query={query}
                path={path}
                options={options}
                rows={(answer) =>
                  answer.groups.map(({ indices, ...group }) => ({ ...group, indices: indices.join(', ') }))
                }
                sql={({ as_of: at }, scope) => causesSql({ uuid, at }, scope)}
              />
            </div>
            <OldNote what="Causes" of={taken} />
            <ol className={styles['causes']}>
              {groups.map((group, index) => (
                <Cause key={index} group={group} />
              ))}
            </ol>
          </section>
        )
      }
    </Loaded>
  );
}

function Cause({ group }: { readonly group: Group }) {
  const { set, zone } = useAddress();
  const { shards, primaries, indices, index_count: all, explanation, recommendation, reason, since } = group;
  const failed = group.failed_attempts ?? 0;
  return (
    <li>
      <StatusMark
        status={primaries > 0 ? 'bad' : 'warn'}
        word={primaries > 0 ? formatCount(primaries, 'primary', 'primaries') : formatCount(shards, 'replica')}
      />
      <div className={styles['text']}>
        <p>
          <strong>
            {recommendation ?? 'The cluster has not been asked why yet: it will be within a few minutes.'}
          </strong>
        </p>
        {explanation === null ? null : <p>{explanation}</p>}
        <p className="muted">
          {`${reason ?? 'unknown reason'}, since ${formatTimestamp(since, zone)}: ${formatCount(shards, 'shard')} of ${formatCount(all, 'index', 'indices')}${failed === 0 ? '' : `, ${formatCount(failed, 'failed attempt')}`}. `}
          {indices.map((index, at) => (
            <span key={index}>
              {at === 0 ? '' : ', '}
              <button
                type="button"
                className={styles['name']}
                onClick={() => set({ index, state: 'UNASSIGNED', node: '' })}
              >
                {index}
              </button>
            </span>
          ))}
          {all > indices.length ? ` and ${all - indices.length} more` : ''}
        </p>
      </div>
    </li>
  );
}
