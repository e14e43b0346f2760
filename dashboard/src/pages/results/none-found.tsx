import { NoneInRange } from '../../shared/none-in-range.js';
import { Notice } from '../../shared/notice.js';

/** Why there is no result to show. */
export function NoneFound({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered)
    return (
      <Notice kind="filtered-out" title="No result of this range fits the filter">
        <p>Change the filter, or choose a longer range.</p>
      </Notice>
    );
  return <NoneInRange of="results" title="Nothing was scored in this range" />;
}
