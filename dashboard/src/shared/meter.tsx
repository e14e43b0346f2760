import { absent, formatPercent } from './format.js';
import styles from './meter.module.css';

/** How much of something is used. */
export function Meter({ ratio, of }: { readonly ratio: number | null; readonly of: string }) {
  if (ratio === null) return absent;
  const text = `${formatPercent(ratio)} of ${of}`;
  return (
    <span className={styles['meter']}>
      <meter min={0} max={1} value={ratio} aria-label={text} />
      <span>{text}</span>
    </span>
  );
}
