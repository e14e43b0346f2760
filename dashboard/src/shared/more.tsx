import { Button } from './button.js';
import styles from './more.module.css';

interface MoreProps {
  readonly shown: number;
  readonly total: number | undefined;
  readonly next: string | null;
  readonly isFirst: boolean;
  readonly onNext: (cursor: string) => void;
  readonly onFirst: () => void;
}

/** Where one is in a list that comes in pages, and the way on. */
export function More({ shown, total, next, isFirst, onNext, onFirst }: MoreProps) {
  return (
    <div className={styles['more']}>
      <span>{total === undefined ? `${shown} on this page` : `${shown} of ${total}`}</span>
      {isFirst ? null : <Button onClick={onFirst}>First page</Button>}
      {next === null ? null : <Button onClick={() => onNext(next)}>Next page</Button>}
    </div>
  );
}
