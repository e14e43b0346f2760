/** A family of tokens: how they begin, and what they go on with. */
export interface TokenForm {
  readonly vendor: string;
  readonly prefixes: readonly string[];
  /** Sticky: what may follow the prefix. */
  readonly body: RegExp;
  /** Fewest and most characters of the body. */
  readonly least: number;
  readonly most: number;
}

/** Bodies are read so far only: many that begin and none that ends well must not take the square of the time. */
const word = /[A-Za-z0-9]{0,2048}/y;
const wide = /[A-Za-z0-9_-]{0,2048}/y;
const dotted = /[A-Za-z0-9_.+/=-]{0,2048}/y;
const lower = /[a-z0-9]{0,2048}/y;
const hex = /[A-Fa-f0-9]{0,2048}/y;
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/y;

const of = (vendor: string, prefixes: string, body: RegExp, least: number, most = Infinity): TokenForm => ({
  vendor,
  prefixes: prefixes.split(' '),
  body,
  least,
  most,
});

/** From the vendors' documentation of their formats, by what they are for. */
export const tokenForms: readonly TokenForm[] = [
  // Source code, builds, packages
  of('GitHub', 'ghp_ gho_ ghu_ ghs_ ghr_', word, 30),
  of('GitHub', 'github_pat_', wide, 50),
  of('GitLab', 'glpat- gldt- glft- glsoat- glrt- glrtr- glcbt- glffct- glwt-', dotted, 20),
  of('GitLab', 'glptt-', wide, 40, 40),
  of('GitLab', 'glagent-', wide, 50),
  of('GitLab', 'gloas-', wide, 64, 64),
  of('GitLab', 'glimt-', wide, 25, 25),
  of('GitLab', 'GR1348941', wide, 20, 50),
  of('GitLab', '_gitlab_session=', wide, 32),
  of('Atlassian', 'ATATT3 ATCTT3 ATBB ATTA ATSTT', dotted, 24),
  of('npm', 'npm_', word, 10),
  of('PyPI', 'pypi-AgEIcHlwaS5vcmc pypi-AgENdGVzdC5weXBpLm9yZw', wide, 85),
  of('RubyGems', 'rubygems_', hex, 48),
  of('NuGet', 'oy2', lower, 43, 43),
  of('crates.io', 'cio', word, 32, 32),
  of('Clojars', 'CLOJARS_', word, 60),
  of('Docker', 'dckr_pat_ dckr_oat_', wide, 20),
  of('Artifactory', 'AKC', word, 10),
  of('Artifactory', 'cmVmdGtuO', word, 40),
  of('SonarQube', 'sqp_ squ_ sqa_', word, 40, 40),
  of('Sourcegraph', 'sgp_', /(?:(?:[A-Fa-f0-9]{16}|local)_)?[A-Fa-f0-9]{40}(?![A-Za-z0-9])/y, 40),
  of('Sourcegraph', 'slk_', hex, 64),
  of('Buildkite', 'bkua_ bkct_', word, 40),
  of('CircleCI', 'CCIPAT_ CCIPRJ_', wide, 40),
  of('Octopus Deploy', 'API-', /[A-Z0-9]{0,2048}/y, 25, 27),
  of('Pulumi', 'pul-', hex, 40, 40),
  of('Infracost', 'ico-', word, 32, 32),
  of('Prefect', 'pnu_ pnb_', word, 36, 36),
  of('Postman', 'PMAK-', /[A-Fa-f0-9]{24}-[A-Fa-f0-9]{34}/y, 59),
  of('Doppler', 'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.', dotted, 40),
  of('HashiCorp Vault', 'hvs. hvb. hvr.', wide, 24),
  of('1Password', 'ops_eyJ', dotted, 200),
  of('Sentry', 'sntrys_', dotted, 80),
  of('Sentry', 'sntryu_ sntrya_ sntryi_', hex, 64, 64),
  of('Snyk', 'snyk_uat. snyk_sat.', dotted, 24),
  of('Harness', 'pat. sat.', /[A-Za-z0-9_-]{22}\.[a-f0-9]{24}\.[A-Za-z0-9]{20}/y, 68),
  of('StackHawk', 'hawk.', /[A-Za-z0-9_-]{20}\.[A-Za-z0-9_-]{20}/y, 41),
  of('Settlemint', 'sm_aat_ sm_pat_ sm_sat_', word, 16),

  // Clouds and hosting
  of('Heroku', 'HRKU-', wide, 30),
  of('Fly.io', 'fo1_ fm1a_ fm1r_ fm2_', dotted, 40),
  of('Render', 'rnd_', word, 28),
  of('Netlify', 'nfp_ nfc_ nfo_ nfb_', word, 36),
  of('Supabase', 'sbp_', hex, 40),
  of('Supabase', 'sb_secret_', wide, 24),
  of('PlanetScale', 'pscale_tkn_ pscale_pw_ pscale_oauth_', dotted, 32),
  of('Neon', 'napi_', word, 40),
  of('MongoDB Atlas', 'mdb_sa_sk_', wide, 30),
  of('Databricks', 'dapi', hex, 32, 32),
  of('Scalingo', 'tk-us-', wide, 48),
  of('Tailscale', 'tskey-', wide, 24),
  of('OpenShift', 'sha256~', wide, 43, 43),
  of('ClickHouse', '4b1d', word, 38, 38),
  of('Elastic', 'essu_ essa_', dotted, 30),
  of('Cloudflare', 'cfut_ cfat_', wide, 40),
  of('Defined Networking', 'dnkey-', wide, 60),
  of('LaunchDarkly', 'sdk- mob- api-', uuid, 36),

  // Observability
  of('Grafana', 'glc_', dotted, 32),
  of('Grafana', 'glsa_', /[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}/y, 41),
  of('New Relic', 'NRAK- NRJS- NRII- NRIQ- NRAL- NRRA-', wide, 19),
  of('Dynatrace', 'dt0c01. dt0s01. dt0s02. dt0s16.', /[A-Z0-9]{20,30}\.[A-Z0-9]{60,70}/y, 80),
  of('Honeycomb', 'hcaik_ hcxik_ hcamk_', word, 40),
  of('Datadog', 'ddp_ dda_', word, 32),
  of('Logfire', 'pylf_', dotted, 30),

  // Chat, mail
  of('Slack', 'xox', /[bpasro]-(?=[A-Za-z-]{0,8}\d)[A-Za-z0-9-]{0,512}/y, 22),
  of('Slack', 'xox', /e[.-](?=[A-Za-z.-]{0,12}\d)[A-Za-z0-9.-]{0,512}/y, 26),
  of('Slack', 'xapp- xwfp-', /(?=[A-Za-z.-]{0,12}\d)[A-Za-z0-9.-]{0,512}/y, 24),
  of('SendGrid', 'SG.', /[\w-]{20,24}\.[\w-]{39,50}(?![\w-])/y, 60),
  of('Mailgun', 'key-', /[a-f0-9]{0,2048}/y, 32, 32),
  of('Brevo', 'xkeysib- xsmtpsib-', wide, 64),
  of('Nylas', 'nyk_', word, 30),

  // Payments and shops
  of('Stripe', 'sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ sk_org_', word, 10),
  of('Stripe', 'whsec_', dotted, 24),
  of('Square', 'sq0atp- sq0csp- sq0idp- sq0acp-', wide, 22),
  of('Square', 'EAAA', wide, 60, 60),
  of('Braintree', 'access_token$', /[a-z0-9$]{0,2048}/y, 40),
  of('Shopify', 'shpat_ shpca_ shppa_ shpss_ shptka_ shpua_ shprt_', hex, 32),
  of('Plaid', 'access-sandbox- access-development- access-production-', uuid, 36),
  of('Razorpay', 'rzp_live_ rzp_test_', word, 14),
  of('Flutterwave', 'FLWSECK_TEST- FLWSECK- FLWPUBK_TEST- FLWPUBK-', wide, 32),
  of('EasyPost', 'EZAK EZTK', word, 54, 54),
  of('Duffel', 'duffel_live_ duffel_test_', wide, 43),
  of('Shippo', 'shippo_live_ shippo_test_', hex, 40),
  of('GoCardless', 'live_', wide, 40, 44),
  of('Lob', 'live_ test_ live_pub_ test_pub_', hex, 31, 35),
  of('Adyen', 'AQE', /[A-Za-z0-9+/=._-]{0,2048}/y, 100),

  // Language models
  of('Anthropic', 'sk-ant-api03- sk-ant-admin01- sk-ant-oat01- sk-ant-ort01- sk-ant-sid01-', wide, 90),
  of('OpenAI', 'sk-', /[A-Za-z0-9_-]{0,128}T3BlbkFJ[A-Za-z0-9_-]{0,512}/y, 40),
  of('OpenAI and those like it', 'sk-proj- sk-svcacct- sk-admin- sk-or-v1- sk-lf- sk-', word, 32),
  of('Hugging Face', 'hf_ api_org_', /[A-Za-z]{0,2048}/y, 34, 34),
  of('Groq', 'gsk_', word, 50),
  of('Perplexity', 'pplx-', word, 48),
  of('Replicate', 'r8_', word, 37),
  of('xAI', 'xai-', word, 70),
  of('LangSmith', 'lsv2_pt_ lsv2_sk_', wide, 40),
  of('Pinecone', 'pcsk_', wide, 50),
  of('NVIDIA', 'nvapi-', wide, 60),
  of('Tavily', 'tvly-', wide, 28),

  // Work and documents
  of('Notion', 'ntn_', word, 44, 50),
  of('Notion', 'secret_', word, 43, 43),
  of('Linear', 'lin_api_ lin_oauth_', word, 40),
  of('Figma', 'figd_ figo_ figoh_ figor_ figdr_ figu_', wide, 40),
  of('Contentful', 'CFPAT-', wide, 43),
  of('Frame.io', 'fio-u-', wide, 64),
  of('ReadMe', 'rdme_', word, 70),
  of('Typeform', 'tfp_', dotted, 59),
  of('Adobe', 'p8e-', word, 32),
  of('42', 's-s4t2ud- s-s4t2af-', hex, 64),
  of('Facebook', 'EAAM EAAC EAAG EAAB EAAD EAAJ', word, 100),
  of('Instagram', 'IGQV IGQW', wide, 100),
  of('Twitter', 'AAAAAAAAAAAAAAAAAAAAA', /[A-Za-z0-9%]{0,256}/y, 80),
  of('Dropbox', 'sl.', wide, 130),
  of('Airtable', 'pat', /[A-Za-z0-9]{14}\.[a-f0-9]{64}/y, 79),
  of('MaxMind', 'mmk_', word, 30),
  of('Mapbox', 'sk.eyJ tk.eyJ', dotted, 40),
  of('Lichess', 'lip_', word, 20),
  of('WakaTime', 'waka_', uuid, 36),
  of('Ubidots', 'BBFF- BBUS-', word, 30),
  of('Ory', 'ory_at_ ory_rt_ ory_ac_ ory_apikey_ ory_pat_', dotted, 30),
  of('Retool', 'retool_', wide, 24),
  of('Rootly', 'rootly_', hex, 60),
  of('Atlassian', 'BBDC-', dotted, 40),
  of('Confluent', 'cflt', dotted, 60, 64),
  of('DigitalOcean Spaces', 'DO00', /[A-Z0-9]{0,64}/y, 14, 20),
  of('Discord', 'mfa.', wide, 60),
  of('Google', 'ya29.c. ya29.a0', wide, 20),
  of('Langfuse', 'sk-lf-', wide, 30),
  of('Mergify', 'mka_ mergify_application_key_', word, 30),
  of('OpenRouter', 'sk-or-', wide, 40),
  of('OpenAI', 'sess-', word, 40, 40),
  of('PostHog', 'phx_ phs_', word, 32),
  of('Resend', 're_', /[A-Za-z0-9]{6,12}_[A-Za-z0-9]{20,32}/y, 27),
  of('Samsara', 'samsara_api_', word, 28),
  of('Stytch', 'secret-live- secret-test-', dotted, 36),
  of('Vercel', 'vcp_ vci_ vca_ vcr_ vck_', word, 24),
  of('Weights & Biases', 'wandb_v1_', wide, 40),
  of('Endor Labs', 'endr+', word, 16),
];
