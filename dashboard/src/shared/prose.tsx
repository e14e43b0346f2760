import { Fragment } from 'react';

/** A sentence of the API, in which backticks mark literal text. */
export function Prose({ text }: { readonly text: string }) {
  // Reasons that are sentences are joined by semicolons.
  return text
    .replaceAll('.; ', '; ')
    .split('`')
    .map((piece, index, pieces) => {
      const isCode = index % 2 === 1 && index < pieces.length - 1;
      return isCode ? (
        <code key={index}>{piece}</code>
      ) : (
        <Fragment key={index}>{index % 2 === 1 ? `\`${piece}` : piece}</Fragment>
      );
    });
}
