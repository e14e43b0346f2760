import type { Rule } from '../view.js';
import { matchesOf } from './matches.js';

/** Tokens without a prefix to look up, known by how they are put together. */
const shapes: readonly RegExp[] = [
  // Discord: the digits of an id in base64, a time, a signature
  /(?<![A-Za-z0-9_-])[A-Za-z0-9]{0,2}?[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}[^\s"'<>,;&]{0,40}/g,
  // Telegram
  /(?<![A-Za-z0-9])(?:bot)?\d{6,12}:[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/g,
  // HashiCorp Vault before 1.10
  /(?<![A-Za-z0-9])[sbr]\.(?=[A-Za-z]*\d)[A-Za-z0-9]{24}(?![A-Za-z0-9])/g,
  // Mailchimp, Mailgun
  /(?<![A-Za-z0-9])[0-9a-f]{32}-us\d{1,2}(?!\d)/g,
  /(?<![A-Za-z0-9])[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![A-Za-z0-9-])/g,
  // 1Password: the secret key of an account
  /(?<![A-Za-z0-9])A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}/g,
  // Facebook: an app and its secret
  /(?<![A-Za-z0-9])\d{13,16}\|[A-Za-z0-9_-]{24,}/g,
  // Terraform
  /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,}/gi,
  // Artifactory
  /(?<![A-Za-z0-9])AP[0-9A-F](?=[A-Za-z]*[a-z0-9])[A-Za-z0-9]{10,}/g,
  // Asana
  /(?<![A-Za-z0-9])[012]\/\d{13,20}(?:\/\d{13,20})?:[a-f0-9]{32}/g,
  // Kubernetes: the token of a new node
  /(?<![A-Za-z0-9.-])(?=[a-z]*\d)[a-z0-9]{6}\.(?=[a-z]*\d)[a-z0-9]{16}(?![A-Za-z0-9.-])/g,
  // Jenkins
  /(?<![A-Za-z0-9])11[0-9a-f]{32}(?![A-Za-z0-9])/g,
  // Twilio
  /(?<![A-Za-z0-9])(?:AC|SK)[0-9a-z]{32}(?![A-Za-z0-9])/g,
];

export const tokenShapes: Rule = {
  name: 'token-shapes',
  find: (view) => shapes.flatMap((shape) => matchesOf(view, shape)),
};
