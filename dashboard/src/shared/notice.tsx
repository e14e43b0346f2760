import type { ReactNode } from 'react';
import styles from './notice.module.css';

/** Why there is nothing to see. The page chooses the words and the next step for each kind. */
type NoticeKind =
  'loading' | 'never-received' | 'none-in-range' | 'filtered-out' | 'not-collected' | 'unavailable' | 'error';

interface NoticeProps {
  readonly kind: NoticeKind;
  readonly title: string;
  /** What it means, and what to do. */
  readonly children?: ReactNode;
}

export function Notice({ kind, title, children }: NoticeProps) {
  const isUrgent = kind === 'error' || kind === 'unavailable';
  return (
    <div className={styles['notice']} data-kind={kind} role={isUrgent ? 'alert' : 'status'}>
      <h2>{title}</h2>
      {children === undefined ? null : <div className={styles['text']}>{children}</div>}
    </div>
  );
}
