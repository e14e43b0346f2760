export type Theme = 'system' | 'light' | 'dark';

const name = 'telltale-theme';

export function storedTheme(): Theme {
  const stored = localStorage.getItem(name);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** Applies the theme, and stores it for the next visit. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') {
    localStorage.removeItem(name);
    delete document.documentElement.dataset['theme'];
    return;
  }
  localStorage.setItem(name, theme);
  document.documentElement.dataset['theme'] = theme;
}
