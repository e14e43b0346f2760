import { entitiesOf, markedUp, patternOf, type Side } from './marked-text.js';
import styles from './page.module.css';

interface TextsProps {
  readonly prompt: string;
  readonly response: string | null;
  readonly metrics: Readonly<Record<string, unknown>> | null;
}

/** What was scored, with the personal data of each text marked. */
export function Texts({ prompt, response, metrics }: TextsProps) {
  return (
    <section className={styles['texts']} aria-label="Texts">
      <MarkedText title="Prompt" side="prompt" text={prompt} metrics={metrics ?? {}} />
      {response === null ? null : (
        <MarkedText title="Response" side="response" text={response} metrics={metrics ?? {}} />
      )}
    </section>
  );
}

interface MarkedTextProps {
  readonly title: string;
  readonly side: Side;
  readonly text: string;
  readonly metrics: Readonly<Record<string, unknown>>;
}

function MarkedText({ title, side, text, metrics }: MarkedTextProps) {
  const pattern = patternOf(metrics, side);
  return (
    <div>
      <h2>{title}</h2>
      <p>
        {markedUp(text, entitiesOf(metrics, side)).map((piece, index) =>
          piece.type === undefined ? (
            <span key={index}>{piece.text}</span>
          ) : (
            <mark key={index}>
              {piece.text}
              <small>{piece.type.toLowerCase().replaceAll('_', ' ')}</small>
            </mark>
          ),
        )}
      </p>
      {pattern === undefined ? null : (
        <p>
          <mark>
            Sensitive pattern<small>{pattern}</small>
          </mark>{' '}
          <span className="muted">The text matches it; where it does is not stored.</span>
        </p>
      )}
    </div>
  );
}
