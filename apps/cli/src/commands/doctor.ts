// `codelab doctor`: installed and missing parts, and how to get them.
import '../shared.ts';
import { resolve } from 'node:path';
import { visibleLine } from '@codelab/protocol';
import { defaultHome } from '@codelab/server';
import { commonOptions, defineCommand } from '../command-line/define-command.ts';
import { writeText } from '../command-line/process.ts';
import { checkAudit, checkLog } from '../doctor/check-audit.ts';
import { checkLimits } from '../doctor/check-limits.ts';
import { checkMachine } from '../doctor/check-machine.ts';
import { checkPrograms } from '../doctor/check-program.ts';
import { checkEnvironment, checkSandbox, checkTrace } from '../doctor/check-sandbox.ts';
import { checkConfig, checkInstructions, checkLanguageServers, checkMcp } from '../doctor/check-workspace.ts';
import type { DoctorFinding } from '../doctor/finding.ts';
import { type Paint, paintFor } from '../output/paint.ts';
import { columns } from '../output/text-width.ts';

const { workspace, json } = commonOptions;

export const doctor = defineCommand({
  words: '',
  takes: { min: 0, max: 0 },
  about: 'Checks what CodeLab needs and what it can use. Exit code 1 when something required is missing.',
  options: { workspace, json },
  async run({ options }) {
    const places = { workspace: resolve(options.workspace ?? '.'), home: defaultHome(), env: process.env };
    const [installed, ...found] = await Promise.all([
      checkPrograms(places.workspace),
      checkSandbox(),
      checkTrace(),
      checkEnvironment(places),
      checkMcp(places),
      checkInstructions(places),
    ]);
    const settings = await checkConfig(places);
    const findings = [
      ...checkMachine(places),
      ...settings,
      ...checkLog(places),
      checkAudit(places),
      ...(await checkLimits(places)),
      ...found,
      ...installed,
      ...(await checkLanguageServers(places)),
    ];
    const isHealthy = findings.every(({ status, isRequired }) => status === 'ok' || !isRequired);
    writeText(
      1,
      options.json ? `${JSON.stringify(jsonOf(findings, isHealthy))}\n` : reportText(findings, isHealthy),
    );
    return isHealthy ? 0 : 1;
  },
});

function jsonOf(findings: readonly DoctorFinding[], isHealthy: boolean): object {
  const checks = findings.map(({ name, status, isRequired, found, advice }) => ({
    name,
    status,
    required: isRequired,
    found,
    advice,
  }));
  return { ok: isHealthy, checks };
}

function reportText(findings: readonly DoctorFinding[], isHealthy: boolean): string {
  const paint = paintFor(1);
  const rows = findings.map((finding) => [
    `${mark(finding, paint)} ${finding.name}`,
    visibleLine(finding.found),
    paint('dim', visibleLine(finding.advice)),
  ]);
  const end = isHealthy
    ? paint('green', 'Everything required is here.')
    : paint('red', 'Something required is missing: see ✖ above.');
  return `${[...columns(rows), '', end].join('\n')}\n`;
}

function mark({ status, isRequired }: DoctorFinding, paint: Paint): string {
  if (status === 'ok') return paint('green', '✔');
  return isRequired ? paint('red', '✖') : paint('yellow', '–');
}
