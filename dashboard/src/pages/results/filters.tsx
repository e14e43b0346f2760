import { useState, type ReactNode } from 'react';
import { Choice, FilterChoice } from '../../shared/choice.js';
import { mistakeInNumber, unlessMistaken } from '../../shared/mistakes.js';
import { SearchField } from '../../shared/search-field.js';
import { TimeRangePicker } from '../../shared/time-range-picker.js';
import { useAddress, type Address } from '../../shared/use-address.js';
import { metrics } from './metrics.js';
import { scores, standardScore } from './scores.js';
import type { ResultFilter } from './sql.js';

/** The filter in an address, by the API's names; `score` is always present. */
export const filterOf = (get: Address['get']): ResultFilter => ({
  ...{ contains: get('q'), metric: get('metric'), outcome: get('outcome') },
  ...{ lane: get('lane'), key: get('key'), label: get('label') },
  score: scores.find((name) => name === get('score')) ?? standardScore,
  min: unlessMistaken(get('min'), mistakeInNumber),
  max: unlessMistaken(get('max'), mistakeInNumber),
});

/** Whether the filter excludes anything; a score alone does not. */
export const isFiltered = (filter: ResultFilter): boolean =>
  Object.entries(filter).some(([name, value]) => name !== 'score' && value !== '');

interface FiltersProps {
  /** Set on a page about one score: the choice of the score is then among the first filters. */
  readonly isOfOneScore?: boolean;
  readonly children?: ReactNode;
}

/** The time range and the filters of results. All are kept in the address. */
export function Filters({ isOfOneScore = false, children }: FiltersProps) {
  return (
    <div className="stack">
      <div className="field">
        <TimeRangePicker />
        {isOfOneScore ? <ScoreChoice /> : null}
        <SearchField label="Prompt contains" name="q" />
        <FilterChoice label="Metric" name="metric" options={metrics} none="any" />
        <FilterChoice label="Outcome" name="outcome" options={['scored', 'failed']} none="any" />
        {children}
      </div>
      <MoreFilters isOfOneScore={isOfOneScore} />
    </div>
  );
}

/** Filters by lane, API key, label, and the range of a score: initially open if one of them is used. */
function MoreFilters({ isOfOneScore }: { readonly isOfOneScore: boolean }) {
  const { get } = useAddress();
  const { lane, key, label, min, max } = filterOf(get);
  // Clearing the last of them does not close the group: the person might be about to use another one.
  const [isOpen] = useState([lane, key, label, min, max].some((value) => value !== ''));
  return (
    <details open={isOpen}>
      <summary>More filters</summary>
      <div className="field">
        <FilterChoice
          label="Asked as"
          name="lane"
          options={[
            ['task', 'tasks that have ended'],
            ['realtime', 'real-time calls'],
          ]}
          none="any"
        />
        <SearchField label="Key id" name="key" />
        <SearchField label="Label: topic, pattern or kind of personal data" name="label" />
        {isOfOneScore ? null : <ScoreChoice />}
        <SearchField label="Score at least" name="min" mistakeIn={mistakeInNumber} />
        <SearchField label="Score at most" name="max" mistakeIn={mistakeInNumber} />
      </div>
    </details>
  );
}

function ScoreChoice() {
  const { get, set } = useAddress();
  return (
    <Choice
      label="Score"
      value={filterOf(get).score}
      options={scores}
      choose={(next) => set({ score: next === standardScore ? '' : next })}
    />
  );
}
