import { entitiesOf, hasMarkOf, markedUp, patternOf, wordsOf, type Side } from './marked-text.js';
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
  const entities = entitiesOf(metrics, side);
  return (
    <div>
      <h2>{title}</h2>
      <p>
        {markedUp(text, entities).map((piece, index) =>
          piece.type === undefined ? (
            <span key={index}>{piece.text}</span>
          ) : (
            <mark key={index}>
              {piece.text}
              <small>{wordsOf(piece.type)}</small>
            </mark>
          ),
        )}
      </p>
      {pattern === undefined ? null : (
        <p>
          <mark>
            Sensitive pattern<small>{pattern}</small>
          </mark>{' '}
          <span className="muted">
            {hasMarkOf(pattern, entities)
              ? 'What is of this kind is marked above.'
              : 'The text matches it; where it does is not stored.'}
          </span>
        </p>
      )}
    </div>
  );
}
