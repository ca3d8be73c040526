// `codelab sessions list`: the sessions of this workspace, or of all, newest first.
import '../../shared.ts';
import { type SessionEvent, type SessionLog, type SessionSummary, visibleLine } from '@codelab/protocol';
import { defaultHome, isInProject } from '@codelab/server';
import { countPendingApprovals, shortId, worktreeIn } from '../../audit/find-sessions.ts';
import { openLog } from '../../audit/open-log.ts';
import { commonOptions, defineCommand, realRoot } from '../../command-line/define-command.ts';
import { writeText } from '../../command-line/process.ts';
import { paintFor } from '../../output/paint.ts';
import { columns, cutToWidth, screenWidth } from '../../output/text-width.ts';
import { dayTime } from '../../output/units.ts';

const { workspace, json } = commonOptions;
const shownAtMost = 50;
const longestTitle = 120;

export const sessionsList = defineCommand({
  words: '',
  takes: { min: 0, max: 0 },
  about: `Lists the latest ${shownAtMost} sessions of this workspace, newest first, with the number of pending approvals.
Sessions in git worktrees of the workspace are listed with their branch.`,
  options: { all: { type: 'boolean', summary: 'sessions of all workspaces' }, workspace, json },
  async run({ options }) {
    const root = options.all ? undefined : realRoot(options.workspace);
    await using log = await openLog();
    const all = await log.sessions();
    const isHere = ({ workspace }: SessionSummary): boolean =>
      root === undefined || isInProject(defaultHome(), root, workspace);
    const local = all.filter(isHere);
    const shownSessions = options.all ? local : local.slice(0, shownAtMost);
    const sessions = await Promise.all(shownSessions.map((session) => describe(log, session)));
    const columns = screenWidth();
    writeText(
      1,
      options.json
        ? `${JSON.stringify({ sessions })}\n`
        : listText(sessions, { all, hiddenCount: local.length - shownSessions.length, columns }),
    );
    return 0;
  },
});

type Described = Awaited<ReturnType<typeof describe>>;

async function describe(log: SessionLog, { id, workspace, openedAt, lastAt, head }: SessionSummary) {
  const events = await log.read(id);
  const pending = countPendingApprovals(events).length;
  const times = { opened_at: new Date(openedAt).toISOString(), last_at: new Date(lastAt).toISOString() };
  const branch = worktreeIn(events[0])?.branch ?? null;
  const counts = { entries: head.seq, pending_approvals: pending };
  return { id, title: titleOf(events), workspace, branch, ...times, ...counts };
}

/** The session's name, else the beginning of its first turn. */
function titleOf(events: readonly SessionEvent[]): string {
  let firstMessage = '';
  let givenTitle: string | undefined;
  for (const { body } of events) {
    if (body.type === 'session.opened' || body.type === 'session.titled')
      givenTitle = body.title ?? givenTitle;
    if (body.type === 'turn.started' && body.agent === undefined && firstMessage === '')
      firstMessage = body.text;
  }
  return (givenTitle ?? firstMessage).slice(0, longestTitle);
}

type Listing = { all: readonly SessionSummary[]; hiddenCount: number; columns: number };

function listText(sessions: readonly Described[], { all, hiddenCount, columns: width }: Listing): string {
  if (sessions.length === 0) return 'No sessions here yet. `--all` lists those of other workspaces.\n';
  const paint = paintFor(1);
  // A worktree is identified by its branch.
  const inFolders = sessions.filter(({ branch }) => branch === null);
  const isOfMany = new Set(inFolders.map(({ workspace }) => workspace)).size > 1;
  const hasBranches = inFolders.length < sessions.length;
  const rows = sessions.map(({ id, title, last_at, entries, pending_approvals, workspace, branch }) => [
    paint('bold', shortId(id, all)),
    dayTime(Date.parse(last_at)),
    String(entries),
    pending_approvals > 0 ? paint('yellow', `${pending_approvals} waiting`) : '–',
    ...(isOfMany ? [visibleLine(workspace)] : []),
    ...(hasBranches ? [visibleLine(branch ?? '–')] : []),
    title === '' ? '(calls only)' : visibleLine(title),
  ]);
  const extraTitles = [...(isOfMany ? ['WORKSPACE'] : []), ...(hasBranches ? ['BRANCH'] : [])];
  const titles = ['SESSION', 'LAST', 'ENTRIES', 'APPROVALS', ...extraTitles, 'TITLE'];
  const head = titles.map((text) => paint('dim', text));
  const rest = hiddenCount > 0 ? [`${hiddenCount} older sessions are not shown. \`--all\` lists them.`] : [];
  return `${[...columns([head, ...rows]).map((line) => cutToWidth(line, width)), ...rest].join('\n')}\n`;
}
