// `codelab audit verify`: proves every link of the record, or names the first entry that is broken.
import '../shared.ts';
import { type Damage, ToolError, visibleLine } from '@codelab/protocol';
import { findSessions } from '../audit/find-sessions.ts';
import { openLog } from '../audit/open-log.ts';
import { commonOptions } from '../command-line/common-options.ts';
import { defineCommand } from '../command-line/define-command.ts';
import { paintFor } from '../output/paint.ts';
import { writeText } from '../output/write-text.ts';

const { workspace, json } = commonOptions;

type Report = { ok: true; sessions: number; entries: number } | ({ ok: false } & Damage);

export const auditVerify = defineCommand({
  words: '[SESSION]',
  takes: { min: 0, max: 1 },
  about: `Checks the whole record, or one session: every entry's hash, that none is missing, and every text kept apart.
Exit code 1 names the first broken entry.`,
  options: { workspace, json },
  async run({ words: [id], options }) {
    const report = await verify(id);
    writeText(1, options.json ? `${JSON.stringify(report)}\n` : reportText(report));
    return report.ok ? 0 : 1;
  },
});

async function verify(id: string | undefined): Promise<Report> {
  try {
    await using log = openLog();
    const damage = log.verify(id);
    if (damage !== undefined) return { ok: false, ...damage };
    const sessions = await findSessions(log, { id });
    const entries = sessions.reduce((sum, { head }) => sum + head.seq, 0);
    return { ok: true, sessions: sessions.length, entries };
  } catch (error) {
    if (!(error instanceof ToolError && error.code === 'LOG_DAMAGED')) throw error;
    return { ok: false, session: id ?? '', seq: 0, problem: error.message };
  }
}

function reportText(report: Report): string {
  const paint = paintFor(1);
  if (report.ok)
    return `${paint('green', '✔ whole')}  ${report.entries} entries in ${report.sessions} sessions, every hash fits\n`;
  const where = report.seq > 0 ? `session ${visibleLine(report.session)}, entry ${report.seq}: ` : '';
  return `${paint('red', '✖ broken')}  ${where}${visibleLine(report.problem)}\n`;
}
