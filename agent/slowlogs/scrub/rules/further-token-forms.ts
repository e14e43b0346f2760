import { dotted, hex, loose, lower, of, uuid, wide, word, type TokenForm } from './token-form.js';

/** Those that GitHub's secret scanning and the published scanners name besides. */
export const furtherTokenForms: readonly TokenForm[] = [
  // Clouds, networks, hardware
  of('Canva', 'cnvca', wide, 45, 60),
  of('Cfx.re', 'cfxk_', /[A-Za-z0-9]{20}_[A-Za-z0-9]{5,6}/y, 26),
  of('Docker Swarm', 'SWMTKN-1- SWMKEY-1-', dotted, 40),
  of('JD Cloud', 'JDC_', word, 28),
  of('LogicMonitor', 'lmb_ lma_ lmv_', dotted, 40),
  of('Netlify', 'nfp_ nfc_ nfo_ nfb_', wide, 36),
  of('Portainer', 'ptr_', dotted, 20),
  of('SaladCloud', 'salad_cloud_', /[A-Za-z0-9]{1,7}_[A-Za-z0-9]{7,235}/y, 9),
  of('Supabase', 'sbp_', lower, 40),
  of('Volcengine', 'AKLT AKTP', wide, 40, 60),
  of('Zuplo', 'zpka_', wide, 41),

  // Work with code
  of('Bitrise', 'bitpat_', wide, 40),
  of('Chief Tools', 'ctp_', word, 36),
  of('Cursor', 'key_', hex, 64, 64),
  of('DevCycle', 'dvc_server_ dvc_client_ dvc_mobile_', wide, 24),
  of('Doppler', 'dp.st.', dotted, 43),
  of('Endor Labs', 'endr+', wide, 16),
  of('GitLab', 'glcbt- glft- glimt-', dotted, 20),
  of('Hop', 'ptk_', wide, 30),
  of('Mergify', 'mka_', wide, 30),
  of('Octopus Deploy', 'API-', /[A-Z0-9]{0,2048}/y, 25, 31),
  of('Unkey', 'unkey_', word, 16),

  // Data, search, observability
  of('Artifactory', 'cmVmd', word, 59, 59),
  of('Defined Networking', 'dnkey-', loose, 60),
  of('Dynatrace', 'dt0c01. dt0s01.', /[A-Za-z0-9]{20,30}\.[A-Za-z0-9]{60,70}/y, 80),
  of('Grafana', 'glsa_', wide, 41, 41),
  of('Nightfall', 'NF-', /(?=[A-Za-z]{0,20}\d)[A-Za-z0-9]{32}(?![A-Za-z0-9])/y, 32, 32),
  of('PostHog', 'phx_ phs_', wide, 32),
  of('Tinybird', 'p.eyJ', dotted, 60),

  // Payments, shops, travel
  of('Checkout.com', 'sk_', /[a-z2-7]{26}[a-z2-7*#$=]/y, 27, 27),
  of('Duffel', 'duffel_live_ duffel_test_', loose, 43),
  of('Flexport', 'shltm_', wide, 30),
  of('Fleetbase', 'flb_live_ flb_test_', word, 20),
  of('Flutterwave', 'FLWSECK_TEST- FLWSECK-', word, 12, 12),
  of('Foursquare', 'fsq3', dotted, 40),
  of('GoCardless', 'live_', loose, 40, 44),
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
  of('Robinhood', 'rh-api-', uuid, 36),
  of('Shopee', 'shp_', hex, 64),
  of('Square', 'EAAA', /(?=[A-Za-z_-]{0,20}\d)[A-Za-z0-9_-]{22,60}(?![A-Za-z0-9_+/=-])/y, 22, 60),

  // Mail, chat, voice, media
  of('Dropbox', 'sl.', /(?:u\.)?[A-Za-z0-9_=-]{0,2048}/y, 120),
  of('ElevenLabs', 'sk_', hex, 48, 48),
  of('Frame.io', 'fio-u-', loose, 64),
  of('Intercom', 'dG9rO', dotted, 40),
  of('Mandrill', 'md-', /(?=[A-Za-z_-]{0,14}\d)[A-Za-z0-9_-]{22}(?![A-Za-z0-9_-])/y, 22, 22),
  of('MessageBird', 'live_ test_', /(?=[A-Za-z]{0,14}\d)[A-Za-z0-9]{25}(?![A-Za-z0-9_])/y, 25, 25),
  of('SendGrid', 'SG.', /[A-Za-z0-9_=.-]{66}(?![A-Za-z0-9_-])/y, 66, 66),
  of('Slack', 'xoxa- xoxr-', /(?:\d-)?(?=[A-Za-z]{0,20}\d)[A-Za-z0-9]{8,64}/y, 8),
  of('Voiceflow', 'VF.DM. VF.WS.', dotted, 24),

  // Language models
  of('Replicate', 'r8_', wide, 37, 40),
  of('xAI', 'xai-', wide, 70),
];
