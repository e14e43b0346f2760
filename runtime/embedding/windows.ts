/** The model was trained on at most 256 word pieces, two of which are the marks around a text. */
const windowPieces = 254;
/**
 * About 25,000 word pieces. A longer text is read only at both ends, so that none occupies a worker for long.
 */
export const mostWindows = 200;

/**
 * Cuts a text's word pieces into windows. A text that fits is one window, as the reference reads it. A longer text has
 * windows of at most half that size, in which a sentence that stands out is diluted less. They are of nearly equal
 * size, because a short last window would weigh as much as a full one. An empty text is one empty window.
 */
export function windowsOf<Piece>(pieces: readonly Piece[], most = windowPieces): (readonly Piece[])[] {
  if (pieces.length <= most) return [pieces];
  const half = Math.floor(most / 2);
  const read = bothEnds(pieces, half * mostWindows);
  const count = Math.ceil(read.length / half);
  return Array.from({ length: count }, (_, index) =>
    read.slice(Math.round((index * read.length) / count), Math.round(((index + 1) * read.length) / count)),
  );
}

function bothEnds<Piece>(pieces: readonly Piece[], most: number): readonly Piece[] {
  if (pieces.length <= most) return pieces;
  const half = most / 2;
  return [...pieces.slice(0, half), ...pieces.slice(pieces.length - half)];
}
