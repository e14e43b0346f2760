/** The words with which {@link ./names.ts} reads names. Names are compared without case and separators. */

const words = (list: string): readonly string[] => list.trim().split(/\s+/);

/** Endings of names that identify a credential. Accents are removed first. */
export const endings = words(`
  password passwords passwd passwort passphrase passcode userpass dbpass storepass keypass pwd secret secrets token
  tokens jwt apikey apikeys accesskey accesskeys secretkey privatekey encryptionkey signingkey
  masterkey accountkey sharedkey sharedaccesskey storagekey servicekey authkey adminkey appkey
  applicationkey hmackey sshkey rsakey pgpkey gpgkey deploykey clientkey consumerkey subscriptionkey
  sessionkey cryptokey aeskey symmetrickey rootkey serverkey functionskey integrationkey ingestkey
  ingestionkey licensekey licencekey managementkey decryptionkey authorization authentication
  credential credentials connectionstring connstring connstr sharedaccesssignature amzsignature
  sessionid sessid csrf xsrf cookie cookies bearer mnemonic seedphrase otpseed recoverycode recoverycodes
  backupcode backupcodes securityanswer privkey keyphrase accountsas webhookurl kennwort motdepasse
  contrasena contrasea parola wachtwoord googsignature haso rootpw bindpw userpw adminpw dbpw newpass
  oldpass rootpass adminpass mypass bindpass ldappass smtppass mailpass ftppass sqlpass loginpass
  samlresponse samlassertion clientassertion codeverifier authorizationcode authcode verificationcode
  otpcode totpcode mfacode tfacode cardsecuritycode smscode logincode resetcode passkey oauthverifier
  ntlmhash requirepass masterauth heslo lozinka salasana jelszo jelsz adgangskode passord losenord lsenord
`);

/** Words that identify a credential alone or as a name's last word, but are part of many other words. */
export const lastWords: ReadonlySet<string> = new Set(
  words(`
  pass pw auth cred creds pin otp totp cvv cvc sig sid psk sas dsn apitoken passw pswd pword senha
  haslo jwk nthash lmhash
`),
);

/** Names with these words might be a credential's: alone, as the last word, or as an ending. */
export const doubtfulWords: ReadonlySet<string> = new Set(words('key keys session signature clave'));
export const doubtfulEndings = words('accessid keyid');

/** Words after a name that do not change its meaning. */
export const qualifiers: ReadonlySet<string> = new Set(
  words(`
  value values text string str raw plain plaintext cleartext hash hashed digest encoded encrypted enc
  data new old current previous confirm confirmation again repeat header keyword param env prod
  production dev test staging live equals ignore case contains matches starts ends with base b
  to lower upper compare lowercase uppercase exact untouched ngram v json pem der jwk binary bin hex
  base64 b64 md md5 sha sha1 sha256 sha512 bcrypt scrypt argon argon2 argon2id pbkdf pbkdf2
`),
);

/**
 * Names that can contain credentials, `credentials.github`, but also mean much else: they only count at the
 * beginning of a path.
 */
export const commonHolders: ReadonlySet<string> = new Set(
  words('auth authentication authorization pass pin otp totp sig sid dsn'),
);

/** A path under a credential that ends in one of these words is no credential: `token.type`. */
export const ofCredentials: ReadonlySet<string> = new Set(
  words(`
  name names type kind count total size length bytes max min num number limit used usage remaining cost
  prompt completion input output cached status state method action provider issuer iss sub aud jti exp
  iat nbf alg algorithm policy strategy strength scheme scope scopes claims role roles realm domain host
  hostname port path file filename url uri endpoint location region namespace version id ids uuid guid
  at time timestamp date expiry expires expiration expired created updated modified changed rotated
  revoked ttl age lifetime duration enabled disabled required valid invalid active success failure
  failed result outcome reason category description language position offset attempts username level symbol
  exception error errors service owner address contract filter manager handler controller factory impl utils
  com org net io local internal svc
  txt log md csv xml yml yaml toml conf cfg ini html js ts jsx tsx py java kt go rb php rs cs cpp sql sh
`),
);

/** A path from a sign-in or a place that ends in one of these is no credential: `auth.user`, `pin.lat`. */
export const ofCommonHolders: ReadonlySet<string> = new Set(
  words(`
  user tenant client app application device country org organization group team lat lon lng
`),
);

/** Words before `token`, `key` and `pass` that change their meaning. */
const beforeTokens = words(
  'max min total num number count prompt completion input output cached unique special stop',
);
const beforeToken = words('next page continuation cursor');
const beforeKey = words(
  'routing grouping partition primary foreign sort cache object message translation issue binding shard dedup idempotency',
);
export const harmlessNames: ReadonlySet<string> = new Set([
  ...words('boarding ski mountain season day lift bus travel low high band').map((word) => `${word}pass`),
  ...beforeTokens.flatMap((word) => [`${word}token`, `${word}tokens`]),
  ...beforeToken.map((word) => `${word}token`),
  ...beforeKey.map((word) => `${word}key`),
  'publickey',
  'publicapikey',
]);

/**
 * Services whose keys have no form of their own: a random value assigned to a name with one of them counts as a key.
 * These are the services in published scanners of secrets, except for names that are ordinary words.
 */
export const vendors = words(`
  abstractapi abuseipdb abyssale accuweather adafruit adafruitio adobe aeroworkflow aftership airbrake
  airtable aiven alchemy alegra algolia algorithmia alibaba alienvault amadeus ambee amplitude anthropic
  apacta apiflash apify apilayer appcenter appcues appfollow appoptics appsync appveyor artifactory
  asana assemblyai atera atlassian auth0 autodesk autoklose avaza aviationstack aws axonaut aylien
  ayrshare azure azuredevops backblaze bannerbear baremetrics beamer beebole besnappy besttime billomat
  bitbucket bitcoinaverage bitfinex bitly bitmex bitrise bittrex blazemeter blitapp bombbomb boostnote
  borgbase braintree brandfetch browserstack bscscan bugherd bugsnag buildkite bulksms buttercms
  calendarific calendly calorieninja campayn cannyio caspio censys chartmogul chatfule checklyhq
  checkmarx checvio circleci clarifai clearbit clickhelp clicksend clickup clientary clockify
  clockworksms clojars cloudant cloudconvert cloudelements cloudflare cloudimage cloudinary cloudsmith
  cloudways cloverly codacy codeclimate codecov codemagic codequiry cohere coinapi coinbase coinlayer
  coinlib coinmarketcap commercejs companyhub confluence confluent contentful contentstack contribsys
  convertkit convier couchbase coveralls crowdin cryptocompare currencycloud currencyfreaks
  currencylayer currencyscoop currentsapi customerguru customerio dailyco dareboost databricks datadog
  datagov debounce deepai deepgram deepl deepseek delighted demio deputy detectify detectlanguage dfuse
  diffbot diggernaut digitalocean digitalriver discord dnscheck dockerhub docparser documo docusign
  doppler dotmailer dovico dronahq droneci dropbox dwolla dynalist dynatrace dyspatch eagleeyenetworks
  easyinsight easypost ecostruxure edamam edenai eightxeight elasticapm elasticcloud elevenlabs
  endorlabs etherscan ethplorer etsy eventbrite everhour exchangerate exportsdk extractorapi facebook
  facepp fakejson fastforex fastly fibery figma figmapersonal fileio finage financialmodelingprep
  finicity finnhub firebase fixerio fleetbase flickr flightapi flightlabs flightstats floatapp flowdock
  flowflu flutterwave fmfw formbucket formcraft formio formsite foursquare frameio freshbooks freshdesk
  freshservice fullcontact fullstory fusebill fxmarket gcp geckoboard geminiapi gengo geoapify geocodify
  geocodio geoipifi getemail getgeo getgist getresponse getsandbox ghostinspector gitea gitguardian
  github gitlab gitter glassnode gocanvas gocardless goodday grafana graphcms graphhopper groovehq groq
  growthbook guardianapi gumroad gyazo happyscribe hashicorp hellosign helpcrunch helpscout heroku
  hetzner holidayapi honeybadger honeycomb html2pdf hubspot huggingface hunterio hypertrack iconfinder
  iexcloud imagekit imagga infracost infura insightly instabot instamojo intercom interseller intrinio
  invoiceocean ionic ip2location ipdata ipgeolocation ipify ipinfo ipinfodb ipquality ipstack jenkinsapi
  jfrog jira jotform jsonbin jumpcloud jumpseller karmacrm keenio keycloak kickbox klaviyo klipfolio
  knapsackpro kraken kucoin kylas langfuse languagelayer lastfm launchdarkly leadfeeder lemlist
  lemonsqueezy lendflow lessannoyingcrm lexigram linearapi linemessaging linenotify linkedin linkpreview
  linode liveagent livestorm loadmill localizely locationiq loggly loginradius logz lokalise looker
  loyverse macaddress madkudu magicbell mailboxlayer mailchimp mailerlite mailersend mailgun mailjet
  mailmodo mailsac mandrill mapbox mapquest marketstack mattermost mavenlink maxmind meaningcloud
  mediastack meistertask memberstack meraki mercadopago mesibo messagebird messari metaapi metrilo
  mindmeister mistral mixmax mixpanel mockaroo mongodb monkeylearn moonclerk moosend mrticktock
  myfreshworks myintervals nasdaq nethunt netlify neutrinoapi newrelic newsapi newscatcher newyorktimes
  nexmo nftport ngrok nicereply nightfall notionapi nozbeteams npmtoken numverify nutritionix nvapi
  nylas nytimes oanda okta onbuka onelogin onepagecrm onesignal onfleet onwaterio oopspam openai
  opencage opencagedata opengraphr openuv openvpn openweather opsgenie optimizely outplay owlbot
  packagecloud paddle pagerduty paperform paralleldots parsehub parseur parspec partnerstack passbase
  pastebin paydirt paymo paymongo paypal paystack pdflayer pdfshift peopledatalabs pepipost perplexity
  phantombuster pinata pinecone pingdom pipedream pipedrive pivotaltracker pixabay plaid planetscale
  plivo pollsapi poloniex polygonscan portainer posthog postman postmark powrbot prefect printful
  privacycom privateai prodpad productboard prospectcrm protocolsio proxycrawl publer pulumi pushbullet
  pusher pushover qase qualaroo qubole quickmetrics rabbitmq railwayapp rapidapi rawg razorpay readmeapi
  reallysimplesystems rebrandly redislabs registryopen rentman repairshopr replicate replyio
  requestfinance restpackio rewardful ringcentral ritekit rocketreach rollbar roninapp rownd runrunit
  saladcloud salesblink salescookie salesflare salesforce salesmate satismeter saucelabs scaleway
  scalingo schweizapi scraperapi scraperbox scrapersite scrapestack scrapfly scrapingant scrapingbee
  screenshotapi screenshotlayer scrutinizerci securitytrails segmentapi segmentio segmentwrite sellfy
  sendbird sendgrid sendinblue sentry serpapi serpstack servicenow sheety sherpadesk shipday shipengine
  shippo shodan shopify shotstack shutterstock sidekiq signable signalwire signaturit signupgenius
  sigopt simfin simplesat simplybook simvoly sinch siteleaf skrappio skybiometry slackapi slackbot
  slacktoken smartsheet smartystreets smooch snipcart snowflakepassword snyk softlayer sonar sourcegraph
  sparkpost spectralops speechtext speechtextai splunk splunkobserv spoonacular sportradar sportsmonk
  spotify spotinst squarespace squareup sslmate statsig statuscake statuspage stitchdata stockdata
  storecove stormboard stormglass storyblok storychief strava stripe stytch sumo sumologic supabase
  surveyanyplace surveybot surveysparrow survicate swiftype tailscale tallyfy tatumio taxjar teamgate
  teamviewer teamworkcrm technicalanalysis tefter telegr telegram teletype telnyx terraformcloud
  testingbot textmagic theoddsapi thinkific thousandeyes ticketmaster ticktick tiingo timecamp
  timezoneapi tineswebhook tmetric todoist toggltrack tomorrowio tomtom tradier translinkapi
  travelpayouts travis travisci trello truenas trufflehog twelvedata twilio twitch twitter twitterapi
  tyntec typeform ubidots uclassify unplugg unsplash upcdatabase uplead uploadcare uptimerobot upwave
  uservoice vagrantcloud vault veevavault venafi vercel verimail veriphone versioneye viewneo virustotal
  visualcrossing voiceflow voicegain vonage vouchery vpnapi vultr vyte walkscore wandb weatherbit
  weatherstack webex webflow webscraping weightsandbiases wepay whoxy wistia workable workato workstack
  worldcoinindex worldweather wrike xero yandex yelp youneedabudget youtrack youtube zapier
  zapierwebhook zendesk zendeskapi zenkit zenrows zenscrape zenserp zeplin zerobounce zerotier zipbooks
  zipcodeapi zoho zohocrm zonkafeedback zoom zulipchat
`);

/** Endings of such a name which mean that it is no key. */
export const noVendorKey: ReadonlySet<string> = new Set(
  words(`
  name url uri host region version bucket path file type email domain uuid at created updated time timestamp
  count arn ref branch sha commit tag repo repository owner workflow job actor
`),
);
/** Last parts of a path that mean a key below the name of a service: `heroku.api`. */
export const vendorKey: ReadonlySet<string> = new Set(words('api pat access login hook webhook'));
