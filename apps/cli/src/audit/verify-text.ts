// The result of `audit verify`: complete or broken, the extent of the seals' proof, and each anchor.
import { join } from 'node:path';
import { type Damage, ToolError, visibleLine } from '@codelab/protocol';
import { damageAdvice } from '@codelab/runtime';
import { type AnchorCheck, defaultHome, logFile, type Proof } from '@codelab/server';
import type { Paint } from '../output/paint.ts';
import { countOf, dayTime } from '../output/units.ts';

export type VerifyReport = ({ ok: true; sessions: number; entries: number } | ({ ok: false } & Damage)) & {
  /** Absent when the entries are broken already. */
  proof?: Proof;
  anchors?: AnchorCheck[];
};

export function verifyText(report: VerifyReport, paint: Paint): string {
  const { proof, anchors = [] } = report;
  const lines = [
    headline(report, paint),
    ...(report.ok || report.advice === undefined ? [] : [`  ${visibleLine(report.advice)}`]),
    ...(proof === undefined ? [] : proofText(proof, paint)),
    ...anchors.map((anchor) => anchorText(anchor, paint)),
  ];
  return `${lines.join('\n')}\n`;
}

function headline(report: VerifyReport, paint: Paint): string {
  if (report.ok)
    return `${paint('green', '✔ complete')}  ${countOf(report.entries, 'entry', 'entries')} in ${countOf(report.sessions, 'session')}, every hash matches`;
  const position = report.seq > 0 ? `session ${visibleLine(report.session)}, entry ${report.seq}: ` : '';
  return `${paint('red', '✖ broken')}  ${position}${visibleLine(report.problem)}`;
}

function proofText({ key, seals, sealed_at, deletions, entries, not_proven }: Proof, paint: Paint): string[] {
  const isSealed = sealed_at !== null && entries.proven > 0;
  const deleted = deletions === 0 ? '' : `, ${countOf(deletions, 'signed deletion')}`;
  const by = key === null ? '' : `, key ${key}`;
  const sealed = isSealed
    ? `${paint('green', '✔ sealed')} ${countOf(entries.proven, 'entry', 'entries')}, ${countOf(seals, 'seal')}, the last of ${dayTime(sealed_at)}${deleted}${by}`
    : `${paint('yellow', '– unsigned')}  no entry is proven by a seal${by}`;
  return [sealed, ...not_proven.map((text) => `${paint('yellow', '– not proven')}  ${visibleLine(text)}`)];
}

function anchorText({ anchor, status, seal, problem }: AnchorCheck, paint: Paint): string {
  const name = visibleLine(anchor);
  const problemText = problem === undefined ? '' : `: ${visibleLine(problem)}`;
  const upTo = seal === null ? 'no seal yet' : `up to seal ${seal}`;
  if (status === 'matches') return `${paint('green', '✔ anchored')}  ${name}, ${upTo}${problemText}`;
  if (status === 'differs') return `${paint('red', '✖ anchor')}  ${name}${problemText}`;
  return `${paint('yellow', '– not compared')}  ${name}, ${upTo}${problemText}`;
}

/** For a damage that SQLite meets before anything can be verified. */
export function damageReport({ message }: Error): VerifyReport {
  const advice = damageAdvice(logFile(process.env.CODELAB_LOG) ?? join(defaultHome(), 'sessions.db'));
  return { ok: false, session: '', seq: 0, problem: `The database can't be read: ${message}`, advice };
}

/** For a state folder that can't be read or locked. */
export function notVerified({ message }: ToolError): ToolError {
  const text = `The record could not be verified, which does not mean that it is broken. ${message} A copy of the state folder can be verified, too, with CODELAB_HOME=COPY.`;
  return new ToolError('IO_ERROR', text);
}
