/** The shell command for the same scoring; quotes in the texts are escaped. */
export function scoreCommand(
  origin: string,
  body: { readonly prompt: string; readonly response?: string },
): string {
  const json = JSON.stringify(body).replaceAll("'", "'\\''");
  return [
    `curl -sS ${origin}/api/v1/monitoring/metrics`,
    '-H "Authorization: Bearer $TELLTALE_API_KEY"',
    "-H 'Content-Type: application/json'",
    `-d '${json}'`,
  ].join(' \\\n  ');
}
