/** One dead letter, or all of one stage and reason. */
export type WhichLetters = { readonly id: string } | { readonly stage: string; readonly code: string };

export interface LetterCommand {
  readonly does: string;
  readonly command: string;
}

/** The placeholder for the reason that the decision records: what was corrected. */
const reason = '--reason "<what was fixed>"';

/** The commands with which an operator inspects dead letters, and sends them back, on the server. */
export function letterCommands(which: WhichLetters): readonly LetterCommand[] {
  if ('id' in which) {
    const id = asWord(which.id);
    return [
      { does: 'Show it', command: `telltale dead-letters show ${id}` },
      { does: 'Send it back', command: `telltale dead-letters replay ${id} ${reason}` },
    ];
  }
  const filter = `--stage ${asWord(which.stage)} --code ${asWord(which.code)}`;
  return [
    { does: 'List them', command: `telltale dead-letters list ${filter}` },
    { does: 'See what would go back', command: `telltale dead-letters replay ${filter} --dry-run` },
    { does: 'Send them back', command: `telltale dead-letters replay ${filter} ${reason}` },
  ];
}

/** Quotes a text as one word of a command. */
const asWord = (text: string): string =>
  /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
