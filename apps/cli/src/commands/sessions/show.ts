// `codelab sessions show`: one session, its pending approvals first, then its calls.
import '../../shared.ts';
import { type ApprovalRequest, type SessionSummary, visibleLine } from '@codelab/protocol';
import { type CallRecord, callRecords } from '../../audit/call-records.ts';
import { countPendingApprovals, findSessions } from '../../audit/find-sessions.ts';
import { openLog } from '../../audit/open-log.ts';
import { timelineText } from '../../audit/timeline-text.ts';
import { commonOptions, defineCommand } from '../../command-line/define-command.ts';
import { writeText } from '../../command-line/process.ts';
import { paintFor } from '../../output/paint.ts';
import { columns, screenWidth } from '../../output/text-width.ts';
import { dayTime } from '../../output/units.ts';

const { workspace, json } = commonOptions;

type Shown = { session: SessionSummary; calls: CallRecord[]; pending: ApprovalRequest[] };

export const sessionsShow = defineCommand({
  words: 'ID',
  takes: { min: 1, max: 1 },
  about: 'Shows a session: workspace, times, pending approvals and calls.',
  options: { workspace, json },
  async run({ words: [id], options }) {
    await using log = await openLog();
    const [session] = await findSessions(log, { id });
    if (session === undefined) return 1;
    const events = await log.read(session.id);
    const details = { session, calls: callRecords(events), pending: countPendingApprovals(events) };
    writeText(1, options.json ? `${JSON.stringify(jsonOf(details))}\n` : showText(details));
    return 0;
  },
});

function jsonOf({ session, calls, pending }: Shown): object {
  const { id, workspace, openedAt, lastAt, head } = session;
  const times = { opened_at: new Date(openedAt).toISOString(), last_at: new Date(lastAt).toISOString() };
  return { id, workspace, ...times, entries: head.seq, calls, pending_approvals: pending };
}

function showText({ session, calls, pending }: Shown): string {
  const paint = paintFor(1);
  const label = (text: string): string => paint('dim', text);
  return `${[
    ...columns([
      [label('session'), paint('bold', session.id)],
      [label('workspace'), visibleLine(session.workspace)],
      [label('opened'), dayTime(session.openedAt)],
      [label('entries'), String(session.head.seq)],
      ...pending.map((approval) => [
        label('waiting'),
        paint(
          'yellow',
          `${approval.id}  ${visibleLine(approval.plan.summary)}${approval.deadline === undefined ? '' : `  until ${dayTime(approval.deadline)}`}`,
        ),
      ]),
    ]),
    '',
    ...timelineText(calls, { paint, columns: screenWidth() }),
  ].join('\n')}\n`;
}
