import { isOpaque } from '../identifiers.js';
import { looksEncoded, looksRandom } from '../randomness.js';

/*
 * Expressions are sticky: they are run only where what they begin with was read. None of it stands right behind the
 * characters that it looks back for.
 */

/** Session tokens, keys of Bedrock, Marketplace Web Service and AppSync. */
export const awsTokens =
  /(?<![A-Za-z0-9])(?:(?:FwoGZXIvYXdz|IQoJb3JpZ2luX2Vj|FQoGZXIvYXdz)[A-Za-z0-9+/=_-]{10,}|ABSK[A-Za-z0-9+/]{109,269}(?![A-Za-z0-9+/])={0,2}|bedrock-api-key-[A-Za-z0-9+/=_-]{10,}|amzn\.(?:mws|sp)\.[0-9a-f-]{20,}|amzn1\.oa2-cs\.v1\.[0-9a-f]{20,})/y;
export const awsTokenPrefixes =
  'FwoGZXIvYXdz IQoJb3JpZ2luX2Vj FQoGZXIvYXdz ABSK bedrock-api-key- amzn.mws. amzn.sp. amzn1.oa2-cs.v1.';

/** Keys of AppSync: where no address of it stands beside them, they must look random. */
export const appSync = /(?<![A-Za-z0-9])da2-[a-z0-9]{26}(?![A-Za-z0-9])/y;
export const appSyncPrefix = 'da2-';

/** Google Cloud: API keys, which nothing else is like, right behind other letters too; OAuth tokens, client secrets, HMAC ids. */
export const google =
  /AIzaSy[A-Za-z0-9_-]{30,}|(?<![A-Za-z0-9])(?:\d{12}-[a-z0-9]{32}\.apps\.googleusercontent\.com|ya29\.[A-Za-z0-9_-]{10,}|GOCSPX-[A-Za-z0-9_-]{16,}|1\/\/0[A-Za-z0-9_-]{20,}|GOOG[A-Z0-9]{16,}|AQ\.Ab8[A-Za-z0-9_-]{20,})/y;
export const googleAnywhere = 'AIzaSy';
export const googlePrefixes = 'ya29. GOCSPX- 1//0 GOOG AQ.Ab8';
/** Digits before the hyphen of a client. */
export const googleDigits = 12;

/** Azure: client secrets of Entra ID, keys that carry the mark of their service, tokens of Azure DevOps. */
export const azure =
  /(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{30,}|(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{30,120}(?:AzSe|AzFu|AzCa|AIoT|ACDb|APIM|\+ASt|\+AMC|\+AEh|\+ARm|\+ACR|JQQJ99|AZDO)[A-Za-z0-9+/_-]{4,}={0,2}/y;
/** Where the mark of a client secret stands in it, `Q~`. */
export const entraMarkAt = 4;
/** The fewest before the mark of a service, the mark, and behind it. */
export const azureKeyAtLeast = 30 + 4 + 4;

/** Alibaba, Tencent, Baidu, Yandex, Oracle, DigitalOcean, Scaleway, Cloudflare. */
export const others =
  /(?<![A-Za-z0-9])(?:LTAI[A-Za-z0-9]{12,}|STS\.[A-Za-z0-9]{20,64}(?![A-Za-z0-9])|bce-v3\/ALTAK-?[A-Za-z0-9]{16,40}\/[a-f0-9]{40}|AQAAAA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_+/=-])|(?:dict|trnsl|pdct)\.1\.1\.\d{8}T\d{6}Z\.[a-f0-9]{16}\.[a-f0-9]{40}|AKID[A-Za-z0-9]{13,}|ALTAK[A-Za-z0-9]{16,}|AQVN[A-Za-z0-9_-]{30,}|t1\.[A-Za-z0-9_-]{10,}={0,2}\.[A-Za-z0-9_-]{60,}={0,2}|YC[A-Za-z0-9_-]{38}|y[0-3]_[A-Za-z0-9_-]{40,}|do[oprs]_v1_[a-f0-9]{20,}|SCW[A-Z0-9]{17}|v1\.0-[a-f0-9]{24}-[a-f0-9]{100,})/y;
export const otherPrefixes =
  'LTAI STS. bce-v3/ALTAK AQAAAA dict.1.1. trnsl.1.1. pdct.1.1. AKID ALTAK AQVN t1. YC y0_ y1_ y2_ y3_ doo_v1_ dop_v1_ dor_v1_ dos_v1_ SCW v1.0-';

/** IBM: keys in addresses of SoftLayer. */
export const softLayerHost = 'api.softlayer.com/';
export const softLayer = /api\.softlayer\.com\/[\w./]{1,40}\/(?<secret>[a-f0-9]{32,80})(?![a-f0-9])/g;

/** An API key of Elasticsearch as it is sent: base64 of an id of 20 characters, a colon and a secret of 22. */
export const elasticsearch = /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{58}(?:==)?(?![A-Za-z0-9+/=])/y;
export const elasticsearchLength = 58;
export const isKeyPair = (text: string): boolean =>
  /^[\w-]{20}:[\w-]{22}$/.test(Buffer.from(text, 'base64').toString('latin1'));
/** The two as they are, one behind the other. */
export const elasticsearchPair = /(?<![\w-])(?<id>[\w-]{20}):(?<key>[\w-]{22})(?![\w-])/y;
export const elasticsearchIdLength = 20;
export const elasticsearchKeyLength = 22;
export const isPair = (id: string, key: string): boolean =>
  (isOpaque(id) || looksEncoded(id)) && looksRandom(key, 22);
