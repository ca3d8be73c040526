// `codelab approvals list`: what waits for a decision, wherever it was asked.
import '../shared.ts';
import { visibleLine } from '@codelab/protocol';
import { openLog } from '../audit/open-log.ts';
import { commonOptions, realRoot } from '../command-line/compose-options.ts';
import { defineCommand } from '../command-line/define-command.ts';
import { clockTime } from '../output/clock-time.ts';
import { columns } from '../output/columns.ts';
import { paintFor } from '../output/paint.ts';
import { riskStyle } from '../output/risk-style.ts';
import { writeText } from '../output/write-text.ts';
import { findWaiting, type Waiting } from '../waiting/find-waiting.ts';

const { workspace, json } = commonOptions;

export const approvalsList = defineCommand({
  words: '',
  takes: { min: 0, max: 0 },
  about:
    'Lists what waits for a decision in this workspace, the oldest first. No server is needed: it is read from the log.',
  options: { all: { type: 'boolean', summary: 'in all workspaces' }, workspace, json },
  async run({ options }) {
    await using log = openLog();
    const root = options.all ? undefined : realRoot(options.workspace);
    const waiting = await findWaiting(log, { root });
    if (options.json)
      writeText(1, `${JSON.stringify({ approvals: waiting.map(({ approval }) => approval) })}\n`);
    else writeText(1, listText(waiting));
    return 0;
  },
});

function listText(waiting: readonly Waiting[]): string {
  if (waiting.length === 0) return 'Nothing waits for a decision.\n';
  const paint = paintFor(1);
  const head = ['APPROVAL', 'RISK', 'UNTIL', 'SESSION', 'WHAT'].map((text) => paint('dim', text));
  const rows = waiting.map(({ session, approval }) => [
    paint('bold', approval.id),
    paint(riskStyle(approval.verdict.risk), approval.verdict.risk),
    clockTime(approval.deadline),
    session.id,
    visibleLine(approval.plan.summary),
  ]);
  return `${columns([head, ...rows]).join('\n')}\n`;
}
