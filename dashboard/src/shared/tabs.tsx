import { Link } from './link.js';
import styles from './tabs.module.css';

interface TabsProps {
  readonly label: string;
  /** The address of the first tab; other tabs append their ids. */
  readonly base: string;
  readonly tabs: readonly { readonly id: string; readonly name: string }[];
  readonly current: string;
}

/** Views of one subject, each with its own address and the same range. */
export function Tabs({ label, base, tabs, current }: TabsProps) {
  return (
    <nav className={styles['tabs']} aria-label={label}>
      {tabs.map(({ id, name }, index) => (
        <Link
          key={id}
          href={index === 0 ? base : `${base}/${id}`}
          aria-current={id === current ? 'page' : undefined}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
