import { endOfMeaning } from './credential-keys.js';
import { LetterTrie } from './letter-trie.js';
import { dotBefore, lastWordStart, nextWordStart, placeAt } from './name-letters.js';

/**
 * Services whose keys have no form of their own: a random value assigned to a name with one of them is taken for a key.
 * Those that the published scanners of secrets name, but for names that are words of everyday.
 */
const vendors = `
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
`;

/** What such a name may end with that says it is no key. */
const noKey =
  'name url uri host region version bucket path file type email domain uuid at created ' +
  'updated time timestamp count arn ' +
  'ref branch sha commit tag repo repository owner workflow job actor';
/** What the last part of a path may end with that is a key, below the part that names the service: `heroku.api`. */
const ofKeys = 'api pat access login hook webhook';

const names = new LetterTrie();
for (const vendor of vendors.trim().split(/\s+/)) names.add(vendor, 1);
const lastWords = new LetterTrie();
const [saysNoKey, saysKey] = [1, 2];
for (const word of noKey.split(' ')) lastWords.add(word, saysNoKey);
for (const word of ofKeys.split(' ')) lastWords.add(word, saysKey);

const longest = 120;

/**
 * Whether the name that was read last (name-letters.ts) holds the name of such a service, from the beginning of a word on.
 * A path that only begins with it, `aws.cloudtrail.event_id`, is of what the service logs.
 */
export function namesVendor(length: number): boolean {
  if (length > longest) return false;
  for (let at = nextWordStart(0, length); at < length; at = nextWordStart(at + 1, length))
    if (isVendorAt(at, length)) return isOfKey(at, length);
  return false;
}

/** Whether a name is of a key, which names the service at a place. */
function isOfKey(vendor: number, length: number): boolean {
  const end = endOfMeaning(length);
  if (lastWordSays(length, length) === saysNoKey || lastWordSays(end, length) === saysNoKey) return false;
  const lastPart = dotBefore(end) + 1;
  if (vendor >= lastPart || lastWordSays(end, length) === saysKey) return true;
  for (let at = nextWordStart(lastPart, end); at < end; at = nextWordStart(at + 1, end))
    if (isVendorAt(at, end)) return true;
  return false;
}

function isVendorAt(from: number, length: number): boolean {
  let node = names.root;
  for (let at = from; at < length; at += 1) {
    const place = placeAt(at);
    if (place < 0) continue;
    node = names.next(node, place);
    if (node === names.none) return false;
    if (names.markOf(node) !== 0) return true;
  }
  return false;
}

function lastWordSays(end: number, length: number): number {
  const start = lastWordStart(end, length);
  let node = start === -1 ? lastWords.none : lastWords.root;
  for (let at = start; node !== lastWords.none && at < end; at += 1) {
    const place = placeAt(at);
    if (place < 0) break;
    node = lastWords.next(node, place);
  }
  return node === lastWords.none ? 0 : lastWords.markOf(node);
}
