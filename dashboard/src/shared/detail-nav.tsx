import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useLocation } from 'wouter';
import { useAddress } from './use-address.js';
import styles from './detail-nav.module.css';
import { Link } from './link.js';
import { neighboursOf } from './walked-list.js';

interface DetailNavProps {
  /** The path of the list to which this belongs; `name` is the list's name. */
  readonly path: string;
  readonly name: string;
}

/** Links back to the list with its filter, and to the previous and the next row. */
export function DetailNav({ path, name }: DetailNavProps) {
  const [here] = useLocation();
  const span = useAddress().get('span');
  const { back, previous, next, nextPage } = neighboursOf(path, span === '' ? here : `${here}?span=${span}`);
  return (
    <nav className={styles['nav']} aria-label="Where this is">
      <Link href={back}>{name}</Link>
      {[previous, next, nextPage].every((href) => href === undefined) ? null : (
        <span className={styles['steps']}>
          {previous === undefined ? (
            <span className="muted">the first of its page</span>
          ) : (
            <Link href={previous} rel="prev">
              <ChevronLeft size={15} aria-hidden="true" />
              Previous
            </Link>
          )}
          {next === undefined && nextPage === undefined ? (
            <span className="muted">the last of the list</span>
          ) : (
            <Link href={next ?? nextPage ?? back} rel="next">
              {next === undefined ? 'Next page of the list' : 'Next'}
              <ChevronRight size={15} aria-hidden="true" />
            </Link>
          )}
        </span>
      )}
    </nav>
  );
}
