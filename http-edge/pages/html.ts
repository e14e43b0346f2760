/** Escapes text for HTML, in an attribute too. */
export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** Paragraphs, with `code` in backquotes: the little Markdown that the document's descriptions use. */
export function paragraphs(text: string): string {
  return text
    .split('\n\n')
    .map((paragraph) => `<p>${inline(paragraph)}</p>`)
    .join('');
}

export function inline(text: string): string {
  return escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

const style = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 2rem 1.25rem 6rem; font: 16px/1.55 system-ui, sans-serif; }
h1 { font-size: 1.9rem; margin: 0 0 .5rem; } h2 { margin-top: 3rem; border-bottom: 1px solid var(--line); }
code, pre { font: .875em/1.5 ui-monospace, monospace; } a { color: inherit; }
pre { overflow-x: auto; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem; }
details { border: 1px solid var(--line); border-radius: .5rem; margin: .5rem 0; padding: 0 1rem; }
summary { cursor: pointer; padding: .6rem 0; display: flex; gap: .75rem; align-items: baseline; flex-wrap: wrap; }
summary b { min-width: 4rem; font: 600 .8rem ui-monospace, monospace; } summary span { opacity: .7; }
table { border-collapse: collapse; width: 100%; font-size: .925rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .75rem .3rem 0; border-top: 1px solid var(--line); }
`;

/** A whole page that loads nothing, from here or from elsewhere. */
export function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(title)}</title><style>${style}</style></head><body>${body}</body></html>`;
}

export const htmlMediaType = 'text/html; charset=utf-8';

/** Allows the page's own style and nothing else: a script in a text that the page shows could not run. */
export const pageHeaders: readonly string[] = [
  'content-security-policy',
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options',
  'nosniff',
  'referrer-policy',
  'no-referrer',
];
