import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const tokens = readFileSync('dashboard/src/tokens.css', 'utf8');

/** The light and the dark colour of a token. */
function coloursOf(name: string): readonly [string, string] {
  const [, light, dark] = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(tokens) ?? [];
  assert.ok(light !== undefined && dark !== undefined, name);
  return [light, dark];
}

/** WCAG 2.2, relative luminance. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((index) => {
    const part = parseInt(colour.slice(index, index + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

describe('the colours of the dashboard', () => {
  const texts = ['text', 'muted', 'accent', 'ok', 'warn', 'bad', 'unknown'];
  const backgrounds = ['bg', 'surface', 'sunken', 'accent-soft'];
  for (const [index, theme] of ['light', 'dark'].entries())
    it(`can be read on every background: at least 4.5 to 1 (WCAG AA), ${theme}`, () => {
      const pairs = [
        ...texts.flatMap((text) => backgrounds.map((background) => [text, background] as const)),
        ['on-accent', 'accent'] as const,
        ...[1, 2, 3, 4, 5, 6].map((line) => [`series-${line}`, 'surface'] as const),
      ];
      const faint = pairs
        .map(
          ([text, on]) =>
            [text, on, contrast(coloursOf(text)[index] ?? '', coloursOf(on)[index] ?? '')] as const,
        )
        .filter(([, , ratio]) => ratio < 4.5);
      assert.deepEqual(faint, []);
    });

  it('are used undimmed for every text: only heat map cells, which have no text, are dimmed', () => {
    const dimmed = readdirSync('dashboard/src', { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.css'))
      .filter((file) => /opacity:/.test(readFileSync(join('dashboard/src', file), 'utf8')));
    assert.deepEqual(dimmed, [join('pages', 'traces', 'heat-map.module.css')]);
  });
});
