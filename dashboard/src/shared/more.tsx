import { Button } from './button.js';
import styles from './more.module.css';
import type { Pages } from './use-pages.js';

interface MoreProps {
  readonly pages: Pages;
  readonly shown: number;
  /** The total of all pages, if the answer has it. */
  readonly total?: number;
  readonly next: string | null;
}

/** The position in a paged list, and a link to the next page. */
export function More({ pages: { isFirst, onFirst, onNext }, shown, total, next }: MoreProps) {
  return (
    <div className={styles['more']}>
      <span>{total === undefined ? `${shown} on this page` : `${shown} of ${total}`}</span>
      {isFirst ? null : <Button onClick={onFirst}>First page</Button>}
      {next === null ? null : <Button onClick={() => onNext(next)}>Next page</Button>}
    </div>
  );
}
