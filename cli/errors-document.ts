import { errorTemplates } from '../runtime/errors.js';
import { problemKinds } from '../runtime/http/problem.js';

/** docs/errors.md: all problems that a client can get as an answer, and all errors for operators. */
export function errorsDocument(): string {
  const problems = Object.entries(problemKinds).map(
    ([name, { status, title, cause, cure }]) => `### ${name}

${String(status)} ${title}. ${cause}

**Cure.** ${cure}`,
  );
  const errors = Object.entries(errorTemplates).map(
    ([code, template]) => `| \`${code}\` | ${template.replaceAll('\n', ' ').replaceAll('|', '\\|')} |`,
  );
  return `# Errors

\`npm run generate\` writes this page from \`runtime/http/problem.ts\` and \`runtime/errors.ts\`.

## Problems: what a client is answered

An error body is [RFC 9457](https://www.rfc-editor.org/rfc/rfc9457) \`application/problem+json\`. Its \`type\` is
\`urn:telltale:problem:<name>\`, its \`detail\` says what was wrong with this request, and \`request_id\` finds the request in the log.

${problems.join('\n\n')}

## Errors: what an operator reads

A process that can't start, and a log line that reports an error, carry a stable code. Words in braces are filled in.

| code | message |
| --- | --- |
${errors.join('\n')}
`;
}
