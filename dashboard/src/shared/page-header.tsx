import type { ReactNode } from 'react';
import { useEffect } from 'react';
import styles from './page-header.module.css';

interface PageHeaderProps {
  readonly title: string;
  readonly beside?: ReactNode;
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
}

/** The title of the page, also in the browser's tab, and the actions for the whole page. */
export function PageHeader({ title, beside, about, actions }: PageHeaderProps) {
  useEffect(() => {
    document.title = `${title} · Telltale`;
  }, [title]);
  return (
    <header className={styles['header']}>
      <div>
        <div className={styles['title']}>
          <h1>{title}</h1>
          {beside}
        </div>
        {about === undefined ? null : <p className={styles['about']}>{about}</p>}
      </div>
      {actions === undefined ? null : <div className={styles['actions']}>{actions}</div>}
    </header>
  );
}
