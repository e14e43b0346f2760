import { entitiesOf, markedUp } from './marked-text.js';
import styles from './page.module.css';

interface TextsProps {
  readonly prompt: string;
  readonly response: string | null;
  readonly metrics: Readonly<Record<string, unknown>> | null;
}

/** What was scored, with the personal data of the prompt marked. */
export function Texts({ prompt, response, metrics }: TextsProps) {
  const pieces = markedUp(prompt, entitiesOf(metrics ?? {}));
  return (
    <section className={styles['texts']} aria-label="Texts">
      <div>
        <h2>Prompt</h2>
        <p>
          {pieces.map(({ text, type }, place) =>
            type === undefined ? (
              <span key={place}>{text}</span>
            ) : (
              <mark key={place}>
                {text}
                <small>{type.toLowerCase().replaceAll('_', ' ')}</small>
              </mark>
            ),
          )}
        </p>
      </div>
      {response === null ? null : (
        <div>
          <h2>Response</h2>
          <p>{response}</p>
        </div>
      )}
    </section>
  );
}
