import type { Answer } from '../../api/client.js';
import { useRead } from '../../api/use-read.js';
import { lineName } from '../../shared/address.js';
import { Button } from '../../shared/button.js';
import { Contained } from '../../shared/contained.js';
import { Exports } from '../../shared/exports.js';
import { fetched } from '../../shared/fetched.js';
import { Loaded } from '../../shared/loaded.js';
import { Notice } from '../../shared/notice.js';
import { TimeRangePicker } from '../../shared/time-range-picker.js';
import { useAddress } from '../../shared/use-address.js';
import { titleOf, unitOf, type Figures, type Subject } from './figures.js';
import { seriesSql } from './sql.js';

const Chart = fetched('the chart', async () => (await import('../../shared/chart.js')).Chart);

const paths = {
  cluster: '/api/v1/clusters/{cluster_uuid}/series',
  nodes: '/api/v1/clusters/{cluster_uuid}/nodes/series',
  indices: '/api/v1/clusters/{cluster_uuid}/indices/series',
} as const;
type Answered = Answer<(typeof paths)[Subject]>;

interface FigureChartProps {
  readonly uuid: string;
  readonly of: Subject;
  readonly figures: Figures;
  /** Whether the list above is filtered; the chart shows all rows in any case. */
  readonly isListFiltered?: boolean;
  readonly marksOf?: (figure: string) => readonly { readonly name: string; readonly value: number }[];
}

const nouns = { cluster: 'clusters', nodes: 'nodes', indices: 'indices' } as const;

interface LineButtonProps {
  /** A node's id, or an index's name; null if unknown. */
  readonly id: string | null;
  readonly name: string;
}

/** Draws only this row of the list in the chart below. */
export function LineButton({ id, name }: LineButtonProps) {
  const { get, set } = useAddress();
  if (id === null) return null;
  const isDrawn = get(lineName) === id;
  return (
    <Button
      look="quiet"
      aria-label={isDrawn ? `Draw all, not only ${name}` : `Draw only ${name}`}
      onClick={() => set({ [lineName]: isDrawn ? '' : id })}
    >
      {isDrawn ? 'Draw all' : 'Draw'}
    </Button>
  );
}

/** The chosen figure over time: for one row, or as a line for each of the rows with the highest values. */
export function FigureChart({ uuid, of, figures, isListFiltered = false, marksOf }: FigureChartProps) {
  const { get, set, range } = useAddress();
  const asked = get('figure');
  const figure = asked === '' ? (figures.usual[0] ?? 'score') : asked;
  const line = get(lineName);
  const options = { params: { cluster_uuid: uuid }, query: { figure, id: line }, range };
  const query = useRead(paths[of], { ...options, everySeconds: 60 });
  return (
    <section className="stack" aria-labelledby="over-time">
      <h2 id="over-time">Over time</h2>
      <div className="field">
        <FigureChoice figures={figures} value={figure} choose={(name) => set({ figure: name })} />
        <TimeRangePicker />
        <Exports
          what={`${titleOf(figure)} of ${nouns[of]}`}
          query={query}
          path={paths[of]}
          options={options}
          rows={rowsOf}
          sql={({ step_seconds: step }, scope) => seriesSql({ uuid, of, figure, line }, step, scope)}
        />
      </div>
      {line !== '' ? (
        <p className="muted">
          {'Only one is drawn. '}
          <Button onClick={() => set({ [lineName]: '' })}>Draw all</Button>
        </p>
      ) : isListFiltered ? (
        <p className="muted">{`Of all ${nouns[of]}: the filter above applies only to the list.`}</p>
      ) : null}
      <Loaded query={query} what="the chart">
        {(answer) =>
          answer.series.length === 0 ? (
            <Notice kind="none-in-range" title="Nothing was collected in this range">
              <p>Choose a longer range to look further back.</p>
            </Notice>
          ) : (
            <>
              <Drawn answer={answer} marks={marksOf?.(answer.figure) ?? []} />
              {answer.total > answer.series.length ? (
                <p className="muted">{`The ${answer.series.length} of ${answer.total} ${nouns[of]} with the highest values are drawn.`}</p>
              ) : null}
            </>
          )
        }
      </Loaded>
    </section>
  );
}

interface DrawnProps {
  readonly answer: Answered;
  readonly marks: readonly { readonly name: string; readonly value: number }[];
}

function Drawn({ answer, marks }: DrawnProps) {
  const { figure, series } = answer;
  const stepSeconds = Math.max(answer.step_seconds, answer.interval_seconds ?? 0);
  const { bounds, ...unit } = unitOf(figure);
  const gaps = [...new Set(series.flatMap(({ points }) => points.flatMap(({ gap }) => gap ?? [])))];
  return (
    <>
      <Contained what="the chart">
        <Chart
          label={`${titleOf(figure)}, the mean of each ${stepSeconds / 60} min`}
          lines={series.map(({ id, name, points }) => ({
            name: name ?? id,
            samples: points.map(({ at, mean }) => ({ at: Date.parse(at), value: mean })),
          }))}
          period={answer}
          stepMs={stepSeconds * 1_000}
          gapLabel="not collected"
          marks={marks}
          {...(bounds !== undefined && { bounds })}
          {...unit}
        />
      </Contained>
      {gaps.length === 0 ? null : (
        <p className="muted">{`A gap in a line means that the value could not be measured: ${gaps.slice(0, 3).join('; ')}.`}</p>
      )}
    </>
  );
}

interface FigureChoiceProps {
  readonly figures: Figures;
  readonly value: string;
  readonly choose: (figure: string) => void;
}

function FigureChoice({ figures: { usual, others }, value, choose }: FigureChoiceProps) {
  // The address can name a figure that no row of the list has now.
  const rest = usual.includes(value) ? others : [...new Set([...others, value])].sort();
  const option = (name: string) => (
    <option key={name} value={name}>
      {titleOf(name)}
    </option>
  );
  return (
    <label className="field">
      Figure
      <select value={value} onChange={(event) => choose(event.target.value)}>
        {usual.map(option)}
        {rest.length === 0 ? null : <optgroup label="All others">{rest.map(option)}</optgroup>}
      </select>
    </label>
  );
}

function rowsOf(answer: Answered) {
  return answer.series.flatMap(({ id, name, points }) =>
    points.map(({ at, mean, min, max, gap }) => ({ at, name: name ?? id, mean, min, max, gap })),
  );
}
