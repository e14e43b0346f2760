import { Link } from '../../shared/link.js';
import { Notice } from '../../shared/notice.js';

/** Why there is no result to show. */
export function NoneFound({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered)
    return (
      <Notice kind="filtered-out" title="No result of this range fits the filter">
        <p>Change the filter, or choose a longer range.</p>
      </Notice>
    );
  return (
    <Notice kind="none-in-range" title="Nothing was scored in this range">
      <p>
        Choose a longer range to look further back. <Link href="/">Home</Link> has a request that scores a
        first prompt; its result is here some seconds later.
      </p>
    </Notice>
  );
}
