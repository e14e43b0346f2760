import { absent } from './format.js';
import styles from './facts.module.css';

interface FactsProps {
  /** Names and values; undefined means not measured. */
  readonly facts: readonly (readonly [string, string | number | undefined])[];
}

/** Single figures with their names. */
export function Facts({ facts }: FactsProps) {
  return (
    <dl className={styles['facts']}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value ?? absent}</dd>
        </div>
      ))}
    </dl>
  );
}
