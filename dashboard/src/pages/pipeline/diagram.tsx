import type { Answer } from '../../api/client.js';
import { formatCount, formatNumber } from '../../shared/format.js';
import { adviceOf, formatLag, evaluateStage, type Stage } from '../../shared/stage-status.js';
import { StatusMark } from '../../shared/status-mark.js';
import styles from './diagram.module.css';
import { flowsOf } from './flows.js';

/** The architecture with live figures: data enters on the left and is stored in ClickHouse on the right. */
export function Diagram({ stages, edge }: Pick<Answer<'/api/v1/pipeline'>, 'stages' | 'edge'>) {
  return (
    <div className={styles['flows']}>
      {flowsOf(stages).map(({ name, columns, end }) => (
        <section key={name} className={styles['flow']} aria-label={`Path of ${name.toLowerCase()}`}>
          <h2>{name}</h2>
          <ol className={styles['columns']}>
            <li className={styles['end']}>
              Edge
              <small>{errorsOf(edge)}</small>
            </li>
            {columns.map((column) => (
              <li key={column.name} data-many={column.stages.length > 3}>
                <h3 className={styles['column']}>{column.name}</h3>
                <ul className={styles['stages']}>
                  {column.stages.map((stage) => (
                    <StageBox key={stage.stage} stage={stage} />
                  ))}
                </ul>
              </li>
            ))}
            <li className={styles['end']}>{end}</li>
          </ol>
        </section>
      ))}
      <WhyUnknown of={[{ stage: 'the edge', errors_unknown: edge.errors_unknown }, ...stages]} />
    </div>
  );
}

function StageBox({ stage }: { readonly stage: Stage }) {
  const { status, word } = evaluateStage(stage);
  const {
    stage: name,
    topic,
    appended_last_minute: appended,
    lag_records: records,
    lag_seconds: seconds,
  } = stage;
  return (
    <li className={styles['stage']} data-status={status}>
      <div className={styles['name']}>
        <strong>{name.split('/').at(-1)}</strong>
        <StatusMark status={status} word={word} />
      </div>
      <code>{topic}</code>
      <dl>
        <Figure name="records, last minute" value={count(appended)} />
        <Figure name="behind" value={behind(records, formatLag(seconds))} />
        <Figure name="errors, last minute" value={count(stage.errors_last_minute)} />
        <Figure name="dead letters kept" value={count(stage.dead_letters)} />
      </dl>
      {status === 'ok' ? null : <p>{adviceOf(stage)}</p>}
    </li>
  );
}

interface FigureProps {
  readonly name: string;
  readonly value: string | undefined;
}

/** An unknown figure is shown as unknown, and never as 0. */
function Figure({ name, value }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value ?? 'unknown'}</dd>
    </div>
  );
}

/** Groups the stages whose errors are unknown by the reason. */
function WhyUnknown({ of }: { readonly of: readonly Pick<Stage, 'stage' | 'errors_unknown'>[] }) {
  const reasons = [...new Set(of.flatMap(({ errors_unknown: why }) => why ?? []))];
  return reasons.map((reason) => {
    const names = of.filter(({ errors_unknown: why }) => why === reason).map(({ stage }) => stage);
    return <p key={reason} className="muted">{`Errors of ${names.join(', ')} are unknown: ${reason}`}</p>;
  });
}

/** The errors of all edges in the last minute. */
function errorsOf({ errors_last_minute: errors }: Answer<'/api/v1/pipeline'>['edge']): string {
  if (errors === null) return 'errors unknown';
  return `${formatCount(errors, 'error')}, last minute`;
}

const count = (value: number | null): string | undefined =>
  value === null ? undefined : formatNumber(value, 0);

function behind(records: number | null, time: string | undefined): string | undefined {
  if (records === null && time === undefined) return undefined;
  return `${records === null ? 'unknown records' : formatCount(records, 'record')}, ${time ?? 'unknown time'}`;
}
