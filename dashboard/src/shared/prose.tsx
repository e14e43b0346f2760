import { Fragment } from 'react';

/** A sentence of the API, in which what stands between backticks is typed or read as it stands. */
export function Prose({ text }: { readonly text: string }) {
  // Reasons that are sentences are joined by semicolons.
  return text
    .replaceAll('.; ', '; ')
    .split('`')
    .map((piece, place, pieces) => {
      const isCode = place % 2 === 1 && place < pieces.length - 1;
      return isCode ? (
        <code key={place}>{piece}</code>
      ) : (
        <Fragment key={place}>{place % 2 === 1 ? `\`${piece}` : piece}</Fragment>
      );
    });
}
