import { entropy, looksDrawn, looksEncoded } from '../randomness.js';
import type { Rule } from '../view.js';
import {
  appSync,
  awsId,
  awsSecret,
  awsTokens,
  azure,
  elasticsearch,
  elasticsearchPair,
  google,
  isAwsId,
  isKeyPair,
  isPair,
  others,
  softLayer,
} from './cloud-key-forms.js';
import { startsOf } from './cloud-key-starts.js';
import { matchesAt, matchesOf } from './matches.js';

export const cloudKeys: Rule = {
  name: 'cloud-keys',
  find: (view) => {
    const starts = startsOf(view.units);
    const ids = matchesAt(view, awsId, starts.awsId, ({ 0: id }) => isAwsId(id));
    const secrets =
      ids.length === 0
        ? []
        : matchesOf(view, awsSecret, ({ 0: text }) => looksEncoded(text) && entropy(text) > 4);
    return [
      ...ids,
      ...secrets,
      ...matchesAt(view, elasticsearch, starts.elasticsearch, ({ 0: text }) => isKeyPair(text)),
      ...matchesAt(view, elasticsearchPair, starts.elasticsearchPair, ({ groups }) =>
        isPair(groups?.['id'] ?? '', groups?.['key'] ?? ''),
      ),
      ...matchesAt(
        view,
        appSync,
        starts.appSync,
        ({ 0: key }) => view.plain.includes('appsync') || looksDrawn(key.slice(4)),
      ),
      ...matchesAt(view, awsTokens, starts.awsTokens),
      ...matchesAt(view, google, starts.google),
      ...matchesAt(view, azure, starts.azure),
      ...matchesAt(view, others, starts.others),
      ...matchesOf(view, softLayer),
    ];
  },
};
