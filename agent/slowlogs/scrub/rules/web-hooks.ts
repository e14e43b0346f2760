import type { Units } from '../units.js';
import type { Rule } from '../view.js';
import { Endings } from './endings.js';
import { matchesAt } from './matches.js';

/**
 * Addresses that are credentials themselves: whoever knows one may post to it. All stand behind a letter and a slash,
 * which are read first: where there is none nothing is looked back for.
 */
const hooks =
  /\/(?<=[a-z]\/)(?<secret>(?<=hooks\.slack(?:-gov)?\.com\/)(?:services|workflows|triggers)\/[A-Za-z0-9+/_-]{8,}|(?<=discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/)\d{5,}\/[A-Za-z0-9_-]{10,}|(?<=\.webhook\.office\.com\/)webhookb?2?\/[^\s"'<>]{20,}|(?<=hooks\.zapier\.com\/hooks\/)catch\/[\w/]{6,}|(?<=api\.telegram\.org\/)bot[^\s"'<>/]{10,}|(?<=chat\.googleapis\.com\/v1\/spaces\/)[^\s"'<>]{10,}|(?<=outlook\.office(?:365)?\.com\/webhook\/)[^\s"'<>]{20,}|(?<=maker\.ifttt\.com\/)(?:trigger|use)\/[^\s"'<>]{8,}|(?<=logic\.azure\.com(?::\d{1,5})?\/workflows\/)[^\s"'<>]{20,}|(?<=open\.(?:larksuite|feishu)\.c(?:om|n)\/open-apis\/bot\/(?:v2\/)?hook\/)[\w-]{16,}|(?<=[\w-]\.tines\.(?:com|io)\/webhook\/)[\w/-]{20,}|(?<=hook\.[a-z]{2}\d?\.make\.com\/)\w{16,}|(?<=events\.pagerduty\.com\/(?:v2\/)?integration\/)[A-Za-z0-9]{32}|(?<=http-intake\.logs\.(?:\w{1,8}\.)?datadoghq\.(?:com|eu)\/v1\/input\/)[a-f0-9]{32}|(?<=\/hooks\/)(?:[a-z0-9]{26}|[A-Za-z0-9]{17,24}\/[A-Za-z0-9]{40,64})(?![A-Za-z0-9/]))/y;

/** What those addresses go on with up to the slash, as far as it is the same: the expression is not asked about others. */
const endings = new Endings([
  ...['slack', 'slack-gov', 'office', 'ifttt', 'make'].map((host) => `${host}.com`),
  ...['hooks', '.org', '/spaces', 'hook', '/workflows', '/integration', '/input'],
]);
const slash = 47;

export const webHooks: Rule = {
  name: 'web-hooks',
  find: (view) => matchesAt(view, hooks, slashesOf(view.units)),
};

function slashesOf(units: Units): number[] {
  const slashes: number[] = [];
  for (let at = 0; at < units.length; at += 1)
    if (units.at(at) === slash && endings.startOf(units, at) !== -1) slashes.push(at);
  return slashes;
}
