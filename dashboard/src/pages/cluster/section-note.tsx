import type { ReactNode } from 'react';
import { formatTimestamp } from '../../shared/format.js';
import { Notice } from '../../shared/notice.js';
import { useAddress } from '../../shared/use-address.js';

/** What every list of a section says about its snapshot. */
export interface ListedSection {
  readonly as_of: string | null;
  readonly stale: boolean;
  readonly partial: boolean;
  readonly unavailable: Readonly<Record<string, string>>;
  readonly cut: number | null;
  readonly total: number;
}

interface SectionNoteProps {
  readonly what: string;
  readonly list: ListedSection;
}

/** When a list was taken, and what is missing from it. */
export function SectionNote({
  what,
  list: { as_of: at, stale, partial, unavailable, cut },
}: SectionNoteProps) {
  const { zone } = useAddress();
  if (at === null)
    return (
      <Notice kind="not-collected" title={`No ${what} have been collected`}>
        <p>{unavailable['*'] ?? 'The view “Collected” says why.'}</p>
      </Notice>
    );
  const notes = [
    `Snapshot of ${formatTimestamp(at, zone)}`,
    ...(stale ? ['older than three intervals, so out of date'] : []),
    ...(partial ? ['some nodes or shards did not answer'] : []),
    ...(cut === null || cut === 0 ? [] : [`${cut} left out beyond the agent’s limit`]),
  ];
  return <p className="muted">{`${notes.join(' · ')}.`}</p>;
}

/** Says that a figure is too old to describe the present; empty if it is not. */
export function OldNote({
  what,
  of,
}: {
  readonly what: string;
  readonly of: Pick<ListedSection, 'as_of' | 'stale'> | null;
}) {
  const { zone } = useAddress();
  if (of === null || of.as_of === null || !of.stale) return null;
  return <p className="muted">{`${what}: as of ${formatTimestamp(of.as_of, zone)}, out of date.`}</p>;
}

interface SectionRowsProps extends SectionNoteProps {
  readonly count: number;
  /** The text if there are no rows. */
  readonly none: string;
  readonly children: ReactNode;
}

/** The rows of a list and when they were taken, or a note that there are none. */
export function SectionRows({ what, list, count, none, children }: SectionRowsProps) {
  return (
    <>
      <SectionNote {...{ what, list }} />
      {count > 0 ? children : list.as_of === null ? null : <p>{none}</p>}
    </>
  );
}
