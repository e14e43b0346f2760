import { isOpaque } from '../identifiers.js';
import { entropy, looksDrawn, looksEncoded, looksRandom } from '../randomness.js';
import type { Rule } from '../view.js';
import { matchesOf } from './matches.js';

/** Ids of keys, users, roles and sessions of Amazon Web Services: a prefix of four letters, then base 32. Small letters may stand before. */
const awsId =
  /(?<![A-Z0-9])(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AIPA|ANPA|ANVA|APKA|AROA|ASCA)[A-Z0-9]{12,}/g;
/** Secret keys of AWS have no form but their length; beside an id of AWS, a text of that length is one. */
const awsSecret = /(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])/g;
/** Session tokens, keys of Bedrock, Marketplace Web Service and AppSync. */
const awsTokens =
  /(?<![A-Za-z0-9])(?:(?:FwoGZXIvYXdz|IQoJb3JpZ2luX2Vj|FQoGZXIvYXdz)[A-Za-z0-9+/=_-]{10,}|ABSK[A-Za-z0-9+/]{109,269}(?![A-Za-z0-9+/])={0,2}|bedrock-api-key-[A-Za-z0-9+/=_-]{10,}|amzn\.(?:mws|sp)\.[0-9a-f-]{20,}|amzn1\.oa2-cs\.v1\.[0-9a-f]{20,})/g;

/** Keys of AppSync: where no address of it stands beside them, they must look random. */
const appSync = /(?<![A-Za-z0-9])da2-[a-z0-9]{26}(?![A-Za-z0-9])/g;

/** Google Cloud: API keys, which nothing else is like, right behind other letters too; OAuth tokens, client secrets, HMAC ids. */
const google =
  /AIzaSy[A-Za-z0-9_-]{30,}|(?<![A-Za-z0-9])(?:\d{12}-[a-z0-9]{32}\.apps\.googleusercontent\.com|ya29\.[A-Za-z0-9_-]{10,}|GOCSPX-[A-Za-z0-9_-]{16,}|1\/\/0[A-Za-z0-9_-]{20,}|GOOG[A-Z0-9]{16,}|AQ\.Ab8[A-Za-z0-9_-]{20,})/g;

/** Azure: client secrets of Entra ID, keys that carry the mark of their service, tokens of Azure DevOps. */
const azure =
  /(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{30,}|(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{30,120}(?:AzSe|AzFu|AzCa|AIoT|ACDb|APIM|\+ASt|\+AMC|\+AEh|\+ARm|\+ACR|JQQJ99|AZDO)[A-Za-z0-9+/_-]{4,}={0,2}/g;

/** Alibaba, Tencent, Baidu, Yandex, Oracle, DigitalOcean, Scaleway, Cloudflare. */
const others =
  /(?<![A-Za-z0-9])(?:LTAI[A-Za-z0-9]{12,}|STS\.[A-Za-z0-9]{20,64}(?![A-Za-z0-9])|bce-v3\/ALTAK-?[A-Za-z0-9]{16,40}\/[a-f0-9]{40}|AQAAAA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_+/=-])|(?:dict|trnsl|pdct)\.1\.1\.\d{8}T\d{6}Z\.[a-f0-9]{16}\.[a-f0-9]{40}|AKID[A-Za-z0-9]{13,}|ALTAK[A-Za-z0-9]{16,}|AQVN[A-Za-z0-9_-]{30,}|t1\.[A-Za-z0-9_-]{10,}={0,2}\.[A-Za-z0-9_-]{60,}={0,2}|YC[A-Za-z0-9_-]{38}|y[0-3]_[A-Za-z0-9_-]{40,}|do[oprs]_v1_[a-f0-9]{20,}|SCW[A-Z0-9]{17}|v1\.0-[a-f0-9]{24}-[a-f0-9]{100,})/g;

/** IBM: keys in addresses of SoftLayer. */
const softLayer = /api\.softlayer\.com\/[\w./]{1,40}\/(?<secret>[a-f0-9]{32,80})(?![a-f0-9])/g;

/** An API key of Elasticsearch as it is sent: base64 of an id of 20 characters, a colon and a secret of 22. */
const elasticsearch = /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{58}(?:==)?(?![A-Za-z0-9+/=])/g;
const isKeyPair = (text: string): boolean =>
  /^[\w-]{20}:[\w-]{22}$/.test(Buffer.from(text, 'base64').toString('latin1'));
/** The two as they are, one behind the other. */
const elasticsearchPair = /(?<![\w-])(?<id>[\w-]{20}):(?<key>[\w-]{22})(?![\w-])/g;
const isPair = (id: string, key: string): boolean =>
  (isOpaque(id) || looksEncoded(id)) && looksRandom(key, 22);

export const cloudKeys: Rule = {
  name: 'cloud-keys',
  find: (view) => {
    const ids = matchesOf(view, awsId, ({ 0: id }) => /\d/.test(id) || /^.{4}(.)\1+$/.test(id));
    const secrets =
      ids.length === 0
        ? []
        : matchesOf(view, awsSecret, ({ 0: text }) => looksEncoded(text) && entropy(text) > 4);
    return [
      ...ids,
      ...secrets,
      ...matchesOf(view, elasticsearch, ({ 0: text }) => isKeyPair(text)),
      ...(view.plain.includes(':')
        ? matchesOf(view, elasticsearchPair, ({ groups }) =>
            isPair(groups?.['id'] ?? '', groups?.['key'] ?? ''),
          )
        : []),
      ...matchesOf(view, appSync, ({ 0: key }) => view.plain.includes('appsync') || looksDrawn(key.slice(4))),
      ...[awsTokens, google, azure, others, softLayer].flatMap((form) => matchesOf(view, form)),
    ];
  },
};
