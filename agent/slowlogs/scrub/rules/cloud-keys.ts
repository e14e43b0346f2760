import { looksDrawn } from '../randomness.js';
import type { Rule } from '../view.js';
import { awsIds, awsSecrets } from './aws-keys.js';
import {
  appSync,
  awsTokens,
  azure,
  elasticsearch,
  elasticsearchPair,
  google,
  isKeyPair,
  isPair,
  others,
  softLayer,
  softLayerHost,
} from './cloud-key-forms.js';
import { startsOf } from './cloud-key-starts.js';
import { matchesAt, matchesOf } from './matches.js';

export const cloudKeys: Rule = {
  name: 'cloud-keys',
  find: (view) => {
    const starts = startsOf(view.units);
    const ids = awsIds(view, starts.awsId);
    const secrets = ids.length === 0 ? [] : awsSecrets(view);
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
      ...(view.plain.includes(softLayerHost) ? matchesOf(view, softLayer) : []),
    ];
  },
};
