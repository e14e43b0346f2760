import {
  entitiesOf,
  hasMarkOf,
  markedUp,
  marksOf,
  patternOf,
  wordsOf,
  type PatternPlaces,
  type Side,
} from './marked-text.js';
import styles from './page.module.css';

interface TextsProps {
  readonly prompt: string;
  readonly response: string | null;
  readonly metrics: Readonly<Record<string, unknown>> | null;
  /** Missing in real-time answers. */
  readonly pattern_places?: PatternPlaces;
}

/** What was scored, with the personal data and the sensitive pattern of each text marked. */
export function Texts({ prompt, response, metrics, pattern_places: places }: TextsProps) {
  const of = { metrics: metrics ?? {}, places };
  return (
    <section className={styles['texts']} aria-label="Texts">
      <MarkedText title="Prompt" side="prompt" text={prompt} {...of} />
      {response === null ? null : <MarkedText title="Response" side="response" text={response} {...of} />}
    </section>
  );
}

interface MarkedTextProps {
  readonly title: string;
  readonly side: Side;
  readonly text: string;
  readonly metrics: Readonly<Record<string, unknown>>;
  readonly places: PatternPlaces | undefined;
}

function MarkedText({ title, side, text, metrics, places }: MarkedTextProps) {
  const pattern = patternOf(metrics, side);
  const entities = entitiesOf(metrics, side);
  const place = places?.[side];
  return (
    <div>
      <h2>{title}</h2>
      <p>
        {markedUp(text, marksOf(entities, place)).map((piece, index) =>
          piece.type === undefined ? (
            <span key={index}>{piece.text}</span>
          ) : (
            <mark key={index}>
              {piece.text}
              <small>{` ${wordsOf(piece.type)}`}</small>
            </mark>
          ),
        )}
      </p>
      {pattern === undefined ? null : (
        <p>
          <mark>
            Sensitive pattern<small>{` ${pattern}`}</small>
          </mark>{' '}
          <span className="muted">
            {place === undefined
              ? withoutPlace(hasMarkOf(pattern, entities), places !== undefined)
              : 'The first of this kind is marked above.'}
          </span>
        </p>
      )}
    </div>
  );
}

function withoutPlace(hasMark: boolean, isStored: boolean): string {
  if (hasMark) return 'What was recognised as this kind is marked above.';
  return isStored
    ? 'The text matches it; the place is not stored.'
    : 'The text matches it; the page of the result marks the place.';
}
