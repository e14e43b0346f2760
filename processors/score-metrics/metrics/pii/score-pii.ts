import { asPiiResult } from './pii-result.js';
import { cleanMode, recognizePii, type RecognitionOptions } from './recognize.js';
import { recognizeAsReference } from './reference/recognize.js';

/** The personal data found in a text: the API's array as a string, and how many objects are in it. */
export interface PiiScore {
  readonly result: string;
  readonly entitiesCount: number;
}

export interface PiiSettings extends RecognitionOptions {
  /** `langkit`: the reference's raw list, whatever the other settings say. */
  readonly mode: 'clean' | 'langkit';
}

export const defaultPiiSettings: PiiSettings = { mode: 'clean', ...cleanMode };

/** The version of the recognizers and their scores; changes whenever a result for any text may change. */
export function piiVersion({ mode, threshold, resolveOverlaps }: PiiSettings): string {
  return mode === 'langkit'
    ? 'pii-langkit-0.0.35/1'
    : `pii-clean/4;threshold=${threshold};overlaps=${resolveOverlaps ? 'best' : 'all'}`;
}

/** Depends on a text alone: the same text gives the same score on every machine. */
export function piiScorer(settings: PiiSettings = defaultPiiSettings): (text: string) => PiiScore {
  const recognize = settings.mode === 'langkit' ? recognizeAsReference : cleanly(settings);
  return (text) => {
    const spans = recognize(text);
    return { result: asPiiResult(text, spans), entitiesCount: spans.length };
  };
}

function cleanly(options: RecognitionOptions): typeof recognizeAsReference {
  return (text) => recognizePii(text, options);
}
