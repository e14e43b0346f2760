import { entropy } from './randomness.js';
import { finding, type Finding } from './replacements.js';

interface TokenForm {
  readonly vendor: string;
  readonly source: string;
}

const word = '[A-Za-z0-9]';
const wide = '[A-Za-z0-9_-]';
/** URL-safe base64, padding included. */
const loose = '[A-Za-z0-9_=-]';
const dotted = '[A-Za-z0-9_.+/=-]';
const lower = '[a-z0-9]';
const hex = '[A-Fa-f0-9]';
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;
const longest = 2_048;

/** The alphabet of a body, or, where it has several parts, an expression for it. */
function of(vendor: string, prefixes: string, body: string | RegExp, least = 0, most?: number): TokenForm {
  const starts = prefixes.split(' ').map((prefix) => prefix.replace(/[.$+]/g, '\\$&'));
  const goesOn =
    typeof body !== 'string'
      ? body.source
      : `${body}{${least},${most ?? longest}}${most === undefined ? '' : '(?![A-Za-z0-9])'}`;
  return { vendor, source: `(?:${starts.join('|')})${goesOn}` };
}

/**
 * From the documentation of the vendors, and from published scanners. None follows a letter or a digit immediately.
 */
const prefixed: readonly TokenForm[] = [
  // Source code, builds, packages
  of('GitHub', 'ghp_ gho_ ghu_ ghs_ ghr_', word, 30),
  of('GitHub', 'github_pat_', wide, 50),
  of('GitLab', 'glpat- gldt- glft- glimt- glsoat- glrt- glrtr- glcbt- glffct- glwt-', dotted, 20),
  of('GitLab', 'glptt-', wide, 40, 40),
  of('GitLab', 'glagent-', wide, 50),
  of('GitLab', 'gloas-', wide, 64, 64),
  of('GitLab', 'GR1348941', wide, 20, 50),
  of('GitLab', '_gitlab_session=', wide, 32),
  of('Atlassian', 'ATATT3 ATCTT3 ATBB ATTA ATSTT', dotted, 24),
  of('npm', 'npm_', word, 10),
  of('PyPI', 'pypi-AgEIcHlwaS5vcmc pypi-AgENdGVzdC5weXBpLm9yZw', wide, 70),
  of('RubyGems', 'rubygems_', hex, 48),
  of('NuGet', 'oy2', lower, 43, 43),
  of('crates.io', 'cio', word, 32, 32),
  of('Clojars', 'CLOJARS_', word, 60),
  of('Docker', 'dckr_pat_ dckr_oat_', wide, 20),
  of('Artifactory', 'AKC', word, 10),
  of('Artifactory', 'cmVmdGtuO', word, 40),
  of('SonarQube', 'sqp_ squ_ sqa_', word, 40, 40),
  of('Sourcegraph', 'sgp_', /(?:(?:[A-Fa-f0-9]{16}|local)_)?[A-Fa-f0-9]{40}(?![A-Za-z0-9])/),
  of('Sourcegraph', 'slk_', hex, 64),
  of('Buildkite', 'bkua_ bkct_', word, 40),
  of('CircleCI', 'CCIPAT_ CCIPRJ_', wide, 40),
  of('Octopus Deploy', 'API-', '[A-Z0-9]', 25, 31),
  of('Pulumi', 'pul-', hex, 40, 40),
  of('Infracost', 'ico-', word, 32, 32),
  of('Prefect', 'pnu_ pnb_', word, 36, 36),
  of('Postman', 'PMAK-', /[A-Fa-f0-9]{24}-[A-Fa-f0-9]{34}/),
  of('Doppler', 'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.', dotted, 40),
  of('HashiCorp Vault', 'hvs. hvb. hvr.', wide, 24),
  of('1Password', 'ops_eyJ', dotted, 200),
  of('Sentry', 'sntrys_', dotted, 80),
  of('Sentry', 'sntryu_ sntrya_ sntryi_', hex, 64, 64),
  of('Snyk', 'snyk_uat. snyk_sat.', dotted, 24),
  of('Harness', 'pat. sat.', /[A-Za-z0-9_-]{22}\.[a-f0-9]{24}\.[A-Za-z0-9]{20}/),
  of('StackHawk', 'hawk.', /[A-Za-z0-9_-]{20}\.[A-Za-z0-9_-]{20}/),
  of('Settlemint', 'sm_aat_ sm_pat_ sm_sat_', word, 16),
  of('Mergify', 'mka_ mergify_application_key_', wide, 30),
  of('Endor Labs', 'endr+', wide, 16),
  of('DeepSource', 'dsp_', word, 32),
  of('Infisical', 'st.', /[a-f0-9-]{24,36}\.[a-f0-9]{32}\.[a-f0-9]{32}/),
  of('Veracode', 'vera01ei- vera01es-', hex, 32),
  of('Bitrise', 'bitpat_', wide, 40),
  of('Chief Tools', 'ctp_', word, 36),
  of('Cursor', 'key_', hex, 64, 64),
  of('DevCycle', 'dvc_server_ dvc_client_ dvc_mobile_', wide, 24),
  of('Hop', 'ptk_', wide, 30),
  of('Unkey', 'unkey_', word, 16), // Clouds, networks, devices
  of('Heroku', 'HRKU-', wide, 30),
  of('Fly.io', 'fo1_ fm1a_ fm1r_ fm2_', dotted, 40),
  of('Render', 'rnd_', word, 28),
  of('Netlify', 'nfp_ nfc_ nfo_ nfb_', wide, 36),
  of('Supabase', 'sbp_', word, 40),
  of('Supabase', 'sb_secret_', wide, 24),
  of('PlanetScale', 'pscale_tkn_ pscale_pw_ pscale_oauth_', dotted, 32),
  of('Neon', 'napi_', word, 40),
  of('MongoDB Atlas', 'mdb_sa_sk_', wide, 30),
  of('Databricks', 'dapi dkea dose', hex, 32, 32),
  of('Scalingo', 'tk-us-', wide, 48),
  of('Tailscale', 'tskey-', wide, 24),
  of('OpenShift', 'sha256~', wide, 43, 43),
  of('ClickHouse', '4b1d', word, 38, 38),
  of('Elastic', 'essu_ essa_', dotted, 30), // base64 of 00 01 00 01 and `elastic/`, the only namespace of service accounts
  of('Elasticsearch', 'AAEAAWVsYXN0aWMv', '[A-Za-z0-9+/=_-]', 16),
  of('Cloudflare', 'cfut_ cfat_', wide, 40),
  of('Defined Networking', 'dnkey-', loose, 60),
  of('LaunchDarkly', 'sdk- mob- api-', uuid),
  of('Ubidots', 'BBFF- BBUS-', word, 30),
  of('Ory', 'ory_at_ ory_rt_ ory_ac_ ory_apikey_ ory_pat_', dotted, 30),
  of('Confluent', 'cflt', dotted, 60, 64),
  of('DigitalOcean Spaces', 'DO00', /[A-Z0-9]{0,64}/),
  of('Google', 'ya29.c. ya29.a0', wide, 20),
  of('Samsara', 'samsara_api_', word, 28),
  of('Stytch', 'secret-live- secret-test-', dotted, 36),
  of('Vercel', 'vcp_ vci_ vca_ vcr_ vck_', word, 24),
  of('Adafruit IO', 'aio_', word, 28),
  of('Aiven', 'AVNS_', wide, 16),
  of('Apify', 'apify_api_ apify_proxy_', word, 30),
  of(
    'Authress',
    'sc_ ext_ scauth_ authress_',
    /[a-z0-9]{5,30}\.[a-z0-9]{4,6}\.acc[_-][a-z0-9-]{10,32}\.[A-Za-z0-9+/_=-]{30,120}/,
  ),
  of('CockroachDB', 'CCDB1_', wide, 40),
  of('DataStax', 'AstraCS:', /[A-Za-z]{20,30}:[a-f0-9]{64}/),
  of('Exoscale', 'EXO', /[a-f0-9]{24,32}/),
  of(
    'PASETO',
    'v1.local. v2.local. v3.local. v4.local. v1.public. v2.public. v3.public. v4.public.',
    dotted,
    40,
  ),
  of('RunPod', 'rpa_', word, 40),
  of('UpCloud', 'ucat_', word, 24),
  of('Xata', 'xau_', word, 24),
  of('Canva', 'cnvca', wide, 45, 60),
  of('Cfx.re', 'cfxk_', /[A-Za-z0-9]{20}_[A-Za-z0-9]{5,6}/),
  of('Docker Swarm', 'SWMTKN-1- SWMKEY-1-', dotted, 40),
  of('JD Cloud', 'JDC_', word, 28),
  of('LogicMonitor', 'lmb_ lma_ lmv_', dotted, 40),
  of('Portainer', 'ptr_', dotted, 20),
  of('SaladCloud', 'salad_cloud_', /[A-Za-z0-9]{1,7}_[A-Za-z0-9]{7,235}/),
  of('Volcengine', 'AKLT AKTP', wide, 40, 60),
  of('Zuplo', 'zpka_', wide, 41), // Observability, data, search
  of('Telltale', 'tt_', /[a-z2-7]{12}_[A-Za-z0-9_-]{20,100}/),
  of('Grafana', 'glc_', dotted, 32),
  of('Grafana', 'glsa_', wide, 41),
  of('New Relic', 'NRAK- NRJS- NRII- NRIQ- NRAL- NRRA-', wide, 19),
  of('Dynatrace', 'dt0c01. dt0s01. dt0s02. dt0s16.', /[A-Za-z0-9]{20,30}\.[A-Za-z0-9]{60,70}/),
  of('Honeycomb', 'hcaik_ hcxik_ hcamk_', word, 40),
  of('Datadog', 'ddp_ dda_', word, 32),
  of('Logfire', 'pylf_', dotted, 30),
  of('WakaTime', 'waka_', uuid),
  of('Rootly', 'rootly_', hex, 60),
  of('PostHog', 'phx_ phs_', wide, 32),
  of('Axiom', 'xaat- xapt-', uuid),
  of('Honeybadger', 'hbp_ hbu_', word, 30),
  of('Statsig', 'secret-', word, 43),
  of('Artifactory', 'cmVmd', word, 59, 59),
  of('Nightfall', 'NF-', /(?=[A-Za-z]{0,20}\d)[A-Za-z0-9]{32}(?![A-Za-z0-9])/),
  of('Tinybird', 'p.eyJ', dotted, 60),
  // Chat, mail, voice, media
  of('Slack', 'xox', /[bpasrocd]-(?=[A-Za-z-]{0,8}\d)[A-Za-z0-9-]{20,512}/),
  of('Slack', 'xox', /e[.-](?=[A-Za-z.-]{0,12}\d)[A-Za-z0-9.-]{24,512}/),
  of('Slack', 'xapp- xwfp-', /(?=[A-Za-z.-]{0,12}\d)[A-Za-z0-9.-]{24,512}/),
  of('Slack', 'xoxa- xoxr-', /(?:\d-)?(?=[A-Za-z]{0,20}\d)[A-Za-z0-9]{8,64}/),
  of('SendGrid', 'SG.', /[\w-]{20,24}\.[\w-]{39,50}(?![\w-])/),
  of('SendGrid', 'SG.', /[A-Za-z0-9_=.-]{66}(?![A-Za-z0-9_-])/),
  of('Mailgun', 'key- pubkey-', '[a-f0-9]', 32, 32),
  of('MailerSend', 'mlsn.', hex, 64, 64),
  of('Brevo', 'xkeysib- xsmtpsib-', wide, 64),
  of('Nylas', 'nyk_', word, 30),
  of('Frame.io', 'fio-u-', loose, 64),
  of('Facebook', 'EAAM EAAC EAAG EAAB EAAD EAAJ', word, 100),
  of('Instagram', 'IGQV IGQW', wide, 100),
  of('Twitter', 'AAAAAAAAAAAAAAAAAAAAA', '[A-Za-z0-9%/+=_-]', 80),
  of('Discord', 'mfa.', wide, 60),
  of('Resend', 're_', /[A-Za-z0-9]{6,12}_[A-Za-z0-9]{20,32}/),
  of('ImageKit', 'private_', /[A-Za-z0-9+/]{27}=/),
  of('Intercom', 'dG9rO', dotted, 40),
  of('Klaviyo', 'pk_', /[a-f0-9]{34}(?![A-Za-z0-9])/),
  of('LinkedIn', 'WPL_AP0. WPL_AP1.', dotted, 16),
  of('Matrix', 'syt_', wide, 30),
  of('OneSignal', 'os_v2_app_ os_v2_org_', word, 40),
  of('Pinterest', 'pina_', word, 60),
  of('PubNub', 'sec-c-', dotted, 36),
  of('Telnyx', 'KEY0', /[A-F0-9]{24,36}_[A-Za-z0-9]{16,24}/),
  of('ElevenLabs', 'sk_', hex, 48, 48),
  of('Mandrill', 'md-', /(?=[A-Za-z_-]{0,14}\d)[A-Za-z0-9_-]{22}(?![A-Za-z0-9_-])/),
  of('MessageBird', 'live_ test_', /(?=[A-Za-z]{0,14}\d)[A-Za-z0-9]{25}(?![A-Za-z0-9_])/),
  of('Voiceflow', 'VF.DM. VF.WS.', dotted, 24), // Payments, shops, travel
  of('Stripe', 'sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ sk_org_', word, 10),
  of('Stripe', 'whsec_', dotted, 24),
  of('Square', 'sq0atp- sq0csp- sq0idp- sq0acp-', wide, 22),
  of('Square', 'EAAA', wide, 60, 60),
  of('Square', 'sandbox-sq0atb- sandbox-sq0csb- sandbox-sq0idb-', wide, 22),
  of('Square', 'EAAA', /(?=[A-Za-z_-]{0,20}\d)[A-Za-z0-9_-]{22,60}(?![A-Za-z0-9_+/=-])/),
  of('Braintree', 'access_token$', '[a-z0-9$]', 40),
  of('Shopify', 'shpat_ shpca_ shppa_ shpss_ shptka_ shpua_ shprt_', hex, 32),
  of('Plaid', 'access-sandbox- access-development- access-production-', uuid),
  of('Razorpay', 'rzp_live_ rzp_test_', word, 14),
  of('Flutterwave', 'FLWSECK_TEST- FLWSECK- FLWPUBK_TEST- FLWPUBK-', wide, 32),
  of('Flutterwave', 'FLWSECK_TEST- FLWSECK-', word, 12, 12),
  of('EasyPost', 'EZAK EZTK', word, 54, 54),
  of('Duffel', 'duffel_live_ duffel_test_', loose, 43),
  of('Shippo', 'shippo_live_ shippo_test_', hex, 40),
  of('GoCardless', 'live_', wide, 40, 44),
  of('Lob', 'live_ test_ live_pub_ test_pub_', hex, 31, 35),
  of('Adyen', 'AQE', dotted, 100),
  of('Checkout.com', 'sk_sbox_', wide, 24),
  of('Checkout.com', 'sk_', /[a-z2-7]{26}[a-z2-7*#$=]/),
  of('MercadoPago', 'APP_USR-', wide, 36),
  of('Mollie', 'live_ test_', /(?=[A-Za-z]{0,12}\d)[A-Za-z0-9]{30}(?![A-Za-z0-9])/),
  of('Paddle', 'pdl_live_apikey_ pdl_sdbx_apikey_', wide, 40),
  of('PayPal', 'A21AA', wide, 80),
  of('SumUp', 'sup_sk_', word, 20),
  of('WooCommerce', 'ck_ cs_', /[a-f0-9]{40}(?![A-Za-z0-9])/),
  of('eBay', 'PRD- SBX-', /[a-f0-9]{12}(?:-[a-f0-9]{4}){3,4}/),
  of('Flexport', 'shltm_', wide, 30),
  of('Fleetbase', 'flb_live_ flb_test_', word, 20),
  of('Foursquare', 'fsq3', dotted, 40),
  of('Midtrans', 'Mid-server- SB-Mid-server-', wide, 20),
  of('OneChronos', 'obx_', wide, 36),
  of('Orbit', 'obu_', hex, 64),
  of('Persona', 'persona_production_ persona_sandbox_', wide, 20),
  of(
    'Polar',
    'polar_pat_ polar_oat_ polar_at_u_ polar_at_o_ polar_rt_u_ polar_rt_o_ polar_cs_ polar_whs_',
    word,
    30,
  ),
  of('Robinhood', 'rh-api-', uuid),
  of('Shopee', 'shp_', hex, 64), // Language models
  of('Anthropic', 'sk-ant-api03- sk-ant-admin01- sk-ant-oat01- sk-ant-ort01- sk-ant-sid01-', wide, 90),
  of('OpenAI', 'sk-', /[A-Za-z0-9_-]{0,128}T3BlbkFJ[A-Za-z0-9_-]{0,512}/),
  of('OpenAI', 'sess-', word, 40, 40),
  of('OpenAI and those like it', 'sk-proj- sk-svcacct- sk-admin- sk-or-v1- sk-lf- sk-', word, 32),
  of('Hugging Face', 'hf_ api_org_', word, 30),
  of('Groq', 'gsk_', word, 50),
  of('Perplexity', 'pplx-', word, 48),
  of('Replicate', 'r8_', wide, 37),
  of('xAI', 'xai-', word, 70),
  of('LangSmith', 'lsv2_pt_ lsv2_sk_', wide, 40),
  of('Pinecone', 'pcsk_', wide, 50),
  of('NVIDIA', 'nvapi-', wide, 60),
  of('Tavily', 'tvly-', wide, 28),
  of('Langfuse', 'sk-lf-', wide, 30),
  of('OpenRouter', 'sk-or-', wide, 40),
  of('Weights & Biases', 'wandb_v1_', wide, 40),
  of('Brave', 'BSA', wide, 28, 28),
  of('Cerebras', 'csk-', word, 40),
  of('Firecrawl', 'fc-', /[a-f0-9]{32}/),
  of('Fireworks', 'fw_', word, 22, 26),
  of('Friendli', 'flp_', word, 40),
  of('Helicone', 'sk-helicone- pk-helicone-', wide, 20),
  of('Humanloop', 'hl_sk_', word, 40),
  of('Jina', 'jina_', wide, 40),
  of('LlamaCloud', 'llx-', word, 40),
  of('Runway', 'key_', hex, 128, 128),
  of('Together', 'tgp_v1_', wide, 40),
  of('Voyage', 'pa-', /(?=[A-Za-z_-]{0,20}\d)[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/, 43), // Work, documents, people
  of('Notion', 'ntn_', word, 44, 50),
  of('Notion', 'secret_', word, 43, 43),
  of('Linear', 'lin_api_ lin_oauth_', word, 40),
  of('Figma', 'figd_ figo_ figoh_ figor_ figdr_ figu_', wide, 40),
  of('Contentful', 'CFPAT-', wide, 43),
  of('ReadMe', 'rdme_', word, 70),
  of('Typeform', 'tfp_', dotted, 59),
  of('Adobe', 'p8e-', word, 32),
  of('42', 's-s4t2ud- s-s4t2af-', hex, 64),
  of('Dropbox', 'sl.', /(?:u\.)?[A-Za-z0-9_=-]{118,2048}/),
  of('Airtable', 'pat', /[A-Za-z0-9]{14}\.[a-f0-9]{64}/),
  of('Mapbox', 'sk.eyJ tk.eyJ', dotted, 40),
  of('Lichess', 'lip_', word, 20),
  of('Retool', 'retool_', wide, 24),
  of('Atlassian', 'BBDC-', dotted, 40),
  of('ClickUp', 'pk_', /\d{4,12}_[A-Z0-9]{32}/),
  of('Close', 'api_', /[A-Za-z0-9]{22}\.[A-Za-z0-9]{22}/),
  of('HubSpot', 'pat-na1- pat-na2- pat-eu1- pat-ap1-', uuid),
];

/** These are unmistakable: they may follow other letters immediately. */
const anywhere: readonly TokenForm[] = [
  { vendor: 'Google', source: 'AIzaSy[A-Za-z0-9_-]{30,}' },
  { vendor: 'Slack', source: 'xox[abeoprs]-\\d{9,16}-[A-Za-z0-9-]{16,512}' },
  { vendor: 'Telltale', source: 'tt_[a-z2-7]{12}_[A-Za-z0-9_-]{20,100}' },
];

const sourceOf = (forms: readonly TokenForm[]): string => forms.map(({ source }) => source).join('|');
/** A token takes the rest of its word. */
const all = new RegExp(
  `(?:(?<![A-Za-z0-9])(?:${sourceOf(prefixed)})|${sourceOf(anywhere)})[A-Za-z0-9_-]{0,200}`,
  'g',
);

/** Documentation repeats one character in place of a token. */
const isPlaceholder = (token: string): boolean => token.length >= 16 && entropy(token.slice(-64)) < 1.5;

/** Tokens whose beginning identifies their vendor, as the vendors document it. */
export function prefixedTokens(text: string): readonly Finding[] {
  const found: Finding[] = [];
  for (const { 0: token, index } of text.matchAll(all))
    if (!isPlaceholder(token))
      found.push(finding(`token of ${vendorOf(token)}`, index, index + token.length));
  return found;
}

const vendorOf = (token: string): string =>
  [...prefixed, ...anywhere].find(({ source }) => new RegExp(`^(?:${source})`).test(token))?.vendor ?? 'none';
