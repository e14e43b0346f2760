import type { Status } from './status.js';
import styles from './status-mark.module.css';

/** Each status has its own shape, so that nobody has to distinguish colours. */
const shapes: Readonly<Record<Status, string>> = {
  ok: 'M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 0 0 0-13z',
  warn: 'M8 1.2l7.2 13.3H.8z',
  bad: 'M5 1h6l4 4v6l-4 4H5l-4-4V5z',
  unknown: 'M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 0 0 0-11z',
};

/** A status as a shape and a word. */
export function StatusMark({ status, word }: { readonly status: Status; readonly word: string }) {
  return (
    <span className={styles['mark']} data-status={status}>
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        <path d={shapes[status]} />
      </svg>
      {word}
    </span>
  );
}
