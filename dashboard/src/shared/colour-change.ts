/**
 * Calls `redraw` whenever the page changes its colours, by the theme or with the system: a canvas keeps those that it was
 * drawn in. Returns what ends it.
 */
export function onColourChange(redraw: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const theme = new MutationObserver(redraw);
  theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  system.addEventListener('change', redraw);
  return () => {
    theme.disconnect();
    system.removeEventListener('change', redraw);
  };
}
