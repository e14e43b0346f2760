import { Choice } from '../../shared/choice.js';
import { mistakeInNumber, unlessMistaken } from '../../shared/mistakes.js';
import { SearchField } from '../../shared/search-field.js';
import { useAddress, type Address } from '../../shared/use-address.js';
import { scores, standardScore } from './scores.js';

/** The less common filters of results. */
interface MoreFilter {
  readonly lane: string;
  readonly key: string;
  readonly label: string;
  readonly score: string;
  readonly min: string;
  readonly max: string;
}

export const moreOf = (get: Address['get']): MoreFilter => ({
  lane: get('lane'),
  key: get('key'),
  label: get('label'),
  score: scores.find((name) => name === get('score')) ?? standardScore,
  min: unlessMistaken(get('min'), mistakeInNumber),
  max: unlessMistaken(get('max'), mistakeInNumber),
});

/** The score that is bounded; undefined where there is none. */
export const scoreOf = ({
  score,
  min,
  max,
}: Pick<MoreFilter, 'score' | 'min' | 'max'>): string | undefined =>
  min === '' && max === '' ? undefined : score;

/** Filters by lane, by API key, by label, and by the range of a score. */
export function MoreFilters() {
  const { get, set } = useAddress();
  const { lane, score } = moreOf(get);
  return (
    <div className="field">
      <Choice
        label="Asked as"
        value={lane}
        options={[
          ['task', 'tasks that have ended'],
          ['realtime', 'real-time calls'],
        ]}
        choose={(next) => set({ lane: next })}
        none="any"
      />
      <SearchField label="Key id" name="key" />
      <SearchField label="Label: topic, pattern or kind of personal data" name="label" />
      <Choice
        label="Score"
        value={score}
        options={scores}
        choose={(next) => set({ score: next === standardScore ? '' : next })}
      />
      <SearchField label="at least" name="min" mistakeIn={mistakeInNumber} />
      <SearchField label="at most" name="max" mistakeIn={mistakeInNumber} />
    </div>
  );
}
