/**
 * Calls `redraw` whenever the theme or the system changes the page's colours: a canvas keeps the colours with
 * which it was drawn. Returns the function that ends this.
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
