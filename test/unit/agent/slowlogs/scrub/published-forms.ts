import fc from 'fast-check';
import { entropy } from '../../../../../agent/slowlogs/scrub/randomness.js';

const small = 'abcdefghijklmnopqrstuvwxyz';
const digits = '0123456789';
const hex = `${digits}abcdef`;
const lower = digits + small;
const upper = digits + small.toUpperCase();
const word = lower + small.toUpperCase();
const base32 = `${small.toUpperCase()}234567`;
const base58 = word.replace(/[0OIl]/g, '');

/**
 * The forms of services' tokens, from published scanners: each part has a prefix, an alphabet and a number of
 * characters.
 */
const forms: readonly (readonly (readonly [prefix: string, alphabet: string, length: number])[])[] = [
  [['ghp_', word, 36]], [['github_pat_', word, 22], ['_', word, 59]], [['glpat-1', word, 20]], [['glagent-', word, 50]],
  [['AKIA3', upper, 15]], [['AKIAA', base32, 15]], [['LTAI', word, 20]], [['AIzaSy', word, 33]], [['GOCSPX-', word, 28]], [['ya29.', word, 80]],
  [['dop_v1_', hex, 64]], [['dapi', hex, 32]], [['hvs.', word, 92]], [['4b1d', word, 38]], [['v1.0-', hex, 24], ['-', hex, 146]],
  [['xoxb-1', digits, 11], ['-', digits, 12], ['-', word, 24]], [['xapp-1-A1', upper, 10], ['-', digits, 13], ['-', hex, 64]],
  [['sk_live_', word, 24]], [['whsec_', word, 32]], [['shpat_', hex, 32]], [['sq0csp-', word, 43]], [['EZAK', word, 54]],
  [['duffel_test_', word, 43]], [['FLWSECK_TEST-', hex, 12]], [['rdme_', lower, 70]], [['live_', word, 40]], [['pk_1234567_', upper, 32]],
  [['sk-ant-api03-', word, 95]], [['sk-', word, 20], ['T3BlbkFJ', word, 20]], [['gsk_', word, 52]], [['pplx-', word, 48]], [['hf_', word, 34]],
  [['r8_', word, 37]], [['xai-', word, 80]], [['sk_', hex, 48]], [['key_', hex, 64]], [['nvapi-', word, 64]], [['lsv2_pt_', hex, 32], ['_', hex, 10]],
  [['SG.', word, 22], ['.', word, 43]], [['key-', hex, 32]], [['xkeysib-', hex, 64], ['-', word, 16]], [['', hex, 32], ['-us', digits, 2]],
  [['npm_', word, 36]], [['pypi-AgEIcHlwaS5vcmc', word, 100]], [['rubygems_', hex, 48]], [['oy2', lower, 43]], [['cio', word, 32]],
  [['PMAK-', hex, 24], ['-', hex, 34]], [['pul-', hex, 40]], [['sntryu_', hex, 64]], [['glsa_', word, 32], ['_', hex, 8]], [['glc_', word, 60]],
  [['dt0c01.', lower, 24], ['.', lower, 64]], [['NRAK-', upper, 27]], [['lin_api_', word, 40]], [['figd_', word, 40]], [['ntn_', digits, 11], ['', word, 35]],
  [['CFPAT-', word, 43]], [['ATATT3', word, 186]], [['pat', word, 14], ['.', hex, 64]], [['fio-u-', word, 64]], [['dckr_pat_', word, 27]],
  [['SWMTKN-1-', lower, 50], ['-', lower, 25]], [['tskey-auth-', word, 14], ['-', word, 30]], [['nfp_', word, 36]], [['sbp_', lower, 40]], [['ptr_', word, 40]],
  [['fm2_', word, 120]], [['HRKU-AA', word, 58]], [['pscale_tkn_', word, 43]], [['cfut_', word, 40]], [['zpka_', hex, 32], ['_', hex, 8]], [['bitpat_', word, 60]],
  [['phx_', word, 43]], [['cfxk_', word, 20], ['_', word, 6]], [['shp_', hex, 64]], [['obu_', hex, 64]], [['polar_pat_', word, 43]], [['dvc_server_', hex, 32]],
  [['', hex, 24], [':', hex, 64]], [['1000.', hex, 32], ['.', hex, 32]], [['t-', hex, 24], ['-', hex, 24]], [['', word, 64], ['_P0A1_7d444840-9dc0-11d1-b245-', hex, 12]],
  [['', word, 11], ['AAAAAAAAAA', word, 43]], [['00D5', word, 11], ['!', word, 96]], [['na1.', word, 100]], [['prod:happy-otter-', digits, 3], ['|', word, 64]],
  [['trnsl.1.1.20260102T030405Z.', hex, 16], ['.', hex, 40]], [['bce-v3/ALTAK-', word, 21], ['/', hex, 40]], [['STS.N1', word, 28]], [['VF.DM.', hex, 24], ['.', word, 16]],
  [['Mid-server-', word, 24]], [['AKLT', word, 43]], [['fsq3', word, 44]], [['JDC_', upper, 28]], [['Iv1.', hex, 16]], [['cnvca', word, 51]],
  [['SU', base32, 56]], [['S', base32, 55]], [['5K', base58, 49]], [['L', base58, 51]], [['MDAxY2xvY2F0aW9uI', word, 90]],
  [['tt_', 'abcdefghijklmnopqrstuvwxyz234567', 12], ['_', word, 43]], [['AAEAAWVsYXN0aWMv', word, 40]], [['EAA', word, 170]],
]; // prettier-ignore

const drawn = (alphabet: string, length: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...Array.from(alphabet)), { minLength: length, maxLength: length })
    .map((characters) => characters.join(''))
    // As in random tokens, no character occurs eight times in a row.
    .filter((text) => length < 12 || (entropy(text) >= 2.5 && !/(.)\1{7}/.test(text)));

/** A token of any of these services. */
export const publishedToken: fc.Arbitrary<string> = fc.oneof(
  ...forms.map((parts) =>
    fc
      .tuple(...parts.map(([, alphabet, length]) => drawn(alphabet, length)))
      .map((bodies) => parts.map(([prefix], index) => prefix + (bodies[index] ?? '')).join('')),
  ),
);
