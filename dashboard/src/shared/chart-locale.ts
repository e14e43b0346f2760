import { isLocale } from './locale.js';

/**
 * When it loads, uPlot makes a format for the browser's language. Where that language is POSIX (`en-US@posix`), this
 * throws, and there would be no chart.
 */
if (!isLocale(navigator.language)) Object.defineProperty(navigator, 'language', { value: 'en-GB' });
