import { isLocale } from './locale.js';

/**
 * When it loads, uPlot creates a number format for the browser's language. If that is a POSIX locale
 * (`en-US@posix`), this throws, and there would be no chart.
 */
if (!isLocale(navigator.language)) Object.defineProperty(navigator, 'language', { value: 'en-GB' });
