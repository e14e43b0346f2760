import type { Answer } from '../../api/client.js';
import { useRead } from '../../api/use-read.js';
import { Exports } from '../../shared/exports.js';
import { formatMillis, formatTimestamp, zoneName, type Zone } from '../../shared/format.js';
import { Loaded } from '../../shared/loaded.js';
import { Notice } from '../../shared/notice.js';
import { StatusMark } from '../../shared/status-mark.js';
import { healthStatus, type Status } from '../../shared/status.js';
import { useAddress } from '../../shared/use-address.js';
import { timelineSql } from './timeline-sql.js';
import styles from './timeline.module.css';

const path = '/api/v1/clusters/{cluster_uuid}/timeline';
type Event = Answer<typeof path>['events'][number];

/** What happened in the range of the chart: changes of colour, rules, nodes and master. */
export function Timeline({ uuid }: { readonly uuid: string }) {
  const { range, zone } = useAddress();
  const options = { params: { cluster_uuid: uuid }, range };
  const query = useRead(path, { ...options, everySeconds: 60 });
  return (
    <section className="stack" aria-labelledby="happened">
      <div className="field">
        <h2 id="happened">{`What happened (${zoneName(zone)})`}</h2>
        <Exports
          what="what happened"
          query={query}
          path={path}
          options={options}
          rows={({ events }) => events.map(rowOf)}
          sql={(_, scope) => timelineSql(uuid, scope)}
        />
      </div>
      <Loaded query={query} what="what happened">
        {({ events, cut }) =>
          events.length === 0 ? (
            <Notice kind="none-in-range" title="No change was seen in this range">
              <p>
                Where the chart above has gaps, nothing was collected. Choose a longer range to look further
                back.
              </p>
            </Notice>
          ) : (
            <>
              <ol className={styles['list']}>
                {events.map((event) => (
                  <Item key={JSON.stringify(event)} event={event} zone={zone} />
                ))}
              </ol>
              {cut ? <p className="muted">More happened: choose a shorter range to see all of it.</p> : null}
            </>
          )
        }
      </Loaded>
    </section>
  );
}

function Item({ event, zone }: { readonly event: Event; readonly zone: Zone }) {
  const { at, not_measured: missing } = event;
  const { status, word, text, advice } = toldOf(event);
  return (
    <li>
      <time dateTime={at}>{formatTimestamp(at, zone)}</time>
      <StatusMark status={status} word={word} />
      <div>
        {text}
        {advice === undefined ? null : <div className="muted">{advice}</div>}
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

const rowOf = ({ not_measured: missing, ...event }: Event) => ({
  ...event,
  not_measured: missing.map(({ what }) => what).join(', '),
});

interface Told {
  readonly status: Status;
  readonly word: string;
  readonly text: string;
  /** What to do, if the list of deductions does not say it. */
  readonly advice?: string;
}

function toldOf({ what, name, before, after, reason, silent_seconds: silent }: Event): Told {
  const of = name ?? '';
  switch (what) {
    case 'status_changed':
      return {
        ...{ status: healthStatus(after), word: after ?? 'unknown' },
        text: `The cluster went from ${before ?? 'unknown'} to ${after ?? 'unknown'}.`,
      };
    case 'rule_began':
      return { status: 'warn', word: 'began', text: `${of}: ${reason ?? ''}` };
    case 'rule_ended':
      return { status: 'ok', word: 'ended', text: of };
    case 'rule_not_seen':
      return {
        ...{ status: 'unknown', word: 'not seen' },
        text: `${of} is no longer found, but not everything could be evaluated.`,
      };
    case 'no_score':
      return {
        ...{ status: 'unknown', word: 'gap' },
        text: `No score for ${formatMillis((silent ?? 0) * 1_000)} until then: what happened meanwhile is unknown.`,
      };
    case 'node_left':
      return {
        ...{ status: 'bad', word: 'left', text: `The node ${of} left the cluster.` },
        advice: 'Its own log says why. The tab Shards shows what it left unassigned, and what to do.',
      };
    case 'node_joined':
      return { status: 'ok', word: 'joined', text: `The node ${of} joined the cluster.` };
    case 'node_restarted':
      return { status: 'warn', word: 'restarted', text: `The node ${of} restarted.` };
    case 'master_changed':
      return {
        ...{ status: after === null ? 'bad' : 'warn', word: 'master' },
        text:
          after === null
            ? 'The cluster has no master.'
            : `${after} became master${before === null ? '' : ` after ${before}`}.`,
        ...(after === null && {
          advice:
            'Start master-eligible nodes until more than half of them run, and check that they reach each other.',
        }),
      };
  }
}
