import type { AddCommand } from '../command.js';
import type { Finding, Verdict } from '../doctor/check.js';
import { examine } from '../doctor/doctor.js';

/** `telltale doctor`: runs all checks; prints each verdict and remedy. Exits with 1 if there is a problem. */
export const addDoctor: AddCommand = (program) => {
  program
    .command('doctor')
    .description(
      'check everything that the pipeline needs, and say what to do; exit code 1 if there is a problem',
    )
    .option('--json', 'print JSON')
    .action(async ({ json = false }: { readonly json?: boolean }) => {
      const findings = await examine(process.env);
      console.log(json ? JSON.stringify({ checks: findings }) : doctorText(findings));
      if (findings.some(({ verdict }) => verdict === 'problem')) process.exitCode = 1;
    });
};

const worst: readonly Verdict[] = ['problem', 'warning', 'unknown', 'good'];

/** Worst first. */
function doctorText(findings: readonly Finding[]): string {
  const ordered = [...findings].sort((a, b) => worst.indexOf(a.verdict) - worst.indexOf(b.verdict));
  const lines = ordered.flatMap(({ check, verdict, detail, cure }) => [
    `${verdict.padEnd('problem'.length)}  ${check}: ${detail}`,
    ...(cure === null ? [] : [`         → ${cure}`]),
  ]);
  const counts = worst.map((verdict) => {
    const count = findings.filter((one) => one.verdict === verdict).length;
    const plural = count !== 1 && (verdict === 'problem' || verdict === 'warning');
    return `${count} ${verdict}${plural ? 's' : ''}`;
  });
  return [...lines, '', counts.join(', ')].join('\n');
}
