// `codelab sessions list`: the sessions of this workspace, or of all, the newest first.
import '../shared.ts';
import type { SessionLog, SessionSummary } from '@codelab/protocol';
import { visibleLine } from '@codelab/protocol';
import { findSessions } from '../audit/find-sessions.ts';
import { openLog } from '../audit/open-log.ts';
import { waitingApprovals } from '../audit/waiting-approvals.ts';
import { commonOptions, realRoot } from '../command-line/compose-options.ts';
import { defineCommand } from '../command-line/define-command.ts';
import { dayTime } from '../output/clock-time.ts';
import { columns } from '../output/columns.ts';
import { paintFor } from '../output/paint.ts';
import { writeText } from '../output/write-text.ts';

const { workspace, json } = commonOptions;
const shownAtMost = 50;

export const sessionsList = defineCommand({
  words: '',
  takes: { min: 0, max: 0 },
  about: `Lists the latest ${shownAtMost} sessions of this workspace, the newest first, with how many approvals wait in each.`,
  options: { all: { type: 'boolean', summary: 'all sessions of all workspaces' }, workspace, json },
  async run({ options }) {
    const root = options.all ? undefined : realRoot(options.workspace);
    await using log = openLog();
    const found = await findSessions(log, { root });
    const shown = options.all ? found : found.slice(0, shownAtMost);
    const sessions = await Promise.all(shown.map((session) => describe(log, session)));
    writeText(1, options.json ? `${JSON.stringify({ sessions })}\n` : listText(sessions, found.length));
    return 0;
  },
});

type Described = Awaited<ReturnType<typeof describe>>;

async function describe(log: SessionLog, { id, workspace, openedAt, lastAt, head }: SessionSummary) {
  const pending = waitingApprovals(await log.read(id)).length;
  const times = { opened_at: new Date(openedAt).toISOString(), last_at: new Date(lastAt).toISOString() };
  return { id, workspace, ...times, entries: head.seq, pending_approvals: pending };
}

function listText(sessions: readonly Described[], total: number): string {
  if (sessions.length === 0) return 'No sessions here yet. `--all` lists those of other workspaces.\n';
  const paint = paintFor(1);
  const rows = sessions.map(({ id, last_at, entries, pending_approvals, workspace }) => [
    paint('bold', id),
    dayTime(Date.parse(last_at)),
    String(entries),
    pending_approvals > 0 ? paint('yellow', `${pending_approvals} waiting`) : '–',
    visibleLine(workspace),
  ]);
  const head = ['SESSION', 'LAST', 'ENTRIES', 'APPROVALS', 'WORKSPACE'].map((text) => paint('dim', text));
  const rest =
    total > sessions.length
      ? [`${total - sessions.length} older ones are not shown; \`--all\` shows all.`]
      : [];
  return `${[...columns([head, ...rows]), ...rest].join('\n')}\n`;
}
