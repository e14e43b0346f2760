import { isLocale } from './locale.js';

/**
 * As it loads, uPlot makes a format of the browser's language. On machines whose language is that of POSIX
 * (`en-US@posix`) this throws, and there would be no chart.
 */
if (!isLocale(navigator.language)) Object.defineProperty(navigator, 'language', { value: 'en-GB' });
