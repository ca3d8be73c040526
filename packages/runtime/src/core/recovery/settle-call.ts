// Ends the call of a dead process: the outcome says path by path what is on the disk, and records the effects so that they can be undone.
import { type CallState, type Effect, type EndedBadly, isLossNote, ToolError } from '@codelab/protocol';
import { type AfterCrash, afterCrash, crashText } from '../../held-back/after-crash.ts';
import { keepVersions } from '../../review/keep-versions.ts';
import type { RecoveredEffects, Tool } from '../../tool/define-tool.ts';
import { takenBackIn, withoutMark } from '../../undo/taken-back.ts';
import { noteSettled } from '../../workspace/commit/commit-lock.ts';
import { recoverChanges } from '../../workspace/commit/recover-changes.ts';
import { journalsOf, removeJournal } from '../../workspace/commit/redo-journal.ts';
import type { Host } from '../host.ts';
import { endedBadly, finishCall, finishCalls } from '../run-and-record.ts';
import type { LiveSession } from '../session/live-session.ts';

type Running = Extract<CallState, { state: 'running' }>;

const mostNamed = 10;

/** The journal is removed only once the end is recorded. */
export async function settleUnknown(host: Host, session: LiveSession, state: Running): Promise<void> {
  const { id: callId, tool, session: id } = state.call;
  const { slot, startedAt, intents } = state;
  const { workspace, home } = host;
  const { files, sets } = await host.lock.hold(() => {
    noteSettled(home, slot);
    return recoverChanges({ workspace, home, slot, session: id, callId, intents });
  });
  const standing = new Set(files.map((file) => file.found));
  const leftovers = await leftByCommand(host, session, state);
  const found = session.isElsewhere ? undefined : await changedByCommand(host, state, leftovers);
  const effects = sets.flat();
  const takenBack = takenBackIn(effects);
  const steps = sets.map(({ length }) => length);
  const lost = found?.notes.filter(isLossNote) ?? [];
  const outcome: EndedBadly = {
    status: 'failed',
    callId,
    tool,
    startedAt,
    durationMs: Math.max(0, Date.now() - startedAt),
    effects: [...effects.map(withoutMark), ...(found?.effects ?? [])],
    error: {
      code: 'OUTCOME_UNKNOWN',
      message: session.isElsewhere
        ? 'The client did not report how this call ended. Check the files before you repeat it.'
        : messageFor(host.tools.get(tool), intents, standing) +
          changedText(found?.effects ?? []) +
          lost.map((note) => ` ${note}`).join('') +
          crashText(leftovers, callId),
      details: {
        files,
        // Of an undo or redo: what it has reversed, for the undo or redo that follows.
        ...(takenBack.length > 0 && { taken_back: takenBack, steps }),
        ...(leftovers.held.length > 0 && { held_back: leftovers.held }),
        ...(leftovers.appeared.length > 0 && { appeared: leftovers.appeared }),
        ...(found?.notRecorded && { not_recorded: found.notRecorded }),
        ...(lost.length > 0 && { notes: lost }),
      },
    },
  };
  await finishCall(session, { call: state.call, outcome });
  found?.forget();
  if (found !== undefined) keepVersions(found.effects, { home, workspace, later: host.later, session: id });
  for (const { name } of journalsOf(home, slot)) removeJournal(home, name);
  await endCallsOf(session, callId);
}

/** Only a command may leave files that it never announced. A failed search for them must not keep the call from ending. */
async function leftByCommand(
  { tools, workspace, home }: Host,
  session: LiveSession,
  { call, slot, startedAt, intents }: Running,
): Promise<AfterCrash> {
  const isCommand = tools.get(call.tool)?.kind === 'execute' && intents.length === 0;
  if (!isCommand || session.isElsewhere) return { held: [], appeared: [] };
  return await afterCrash({ root: workspace.root, home, slot, startedAt }).catch(() => ({
    held: [],
    appeared: [],
  }));
}

/** The changes of a command, which announces none. A failure to find them must not keep the call from ending. */
async function changedByCommand(
  { tools, workspace, home, log, lock, later, closing }: Host,
  { call, slot, intents }: Running,
  { held }: AfterCrash,
): Promise<RecoveredEffects | undefined> {
  const recoverTool = intents.length === 0 ? tools.get(call.tool)?.recover : undefined;
  const dead = { workspace, home, slot, session: call.session, callId: call.id, log, lock, later, closing };
  return await recoverTool?.({ ...dead, held: new Set(held.map(({ path }) => path)) }).catch(() => undefined);
}

function changedText(effects: readonly Effect[]): string {
  const paths = [...new Set(effects.filter(({ op }) => op !== 'mkdir').map(({ path }) => path))];
  if (paths.length === 0) return '';
  const named = paths.slice(0, mostNamed).join(', ');
  const overflowNote = paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : '';
  return ` It had changed ${named}${overflowNote}; undo takes back what is surely its doing.`;
}

/** Ends the calls that a sub-agent was still waiting for: nothing is left that could run them. */
async function endCallsOf(session: LiveSession, agent: string): Promise<void> {
  const error = new ToolError('CANCELLED', 'The sub-agent that made this call is gone.');
  await finishCalls(session, () =>
    [...session.openCalls.values()]
      .filter(({ call, state }) => call.agent === agent && state !== 'running')
      .map(({ call }) => ({ call, outcome: endedBadly({ call, startedAt: Date.now() }, error) })),
  );
}

function messageFor(tool: Tool | undefined, intents: readonly Effect[], found: ReadonlySet<string>): string {
  if (tool?.startsAgents)
    return 'CodeLab ended while this sub-agent worked. What its calls did stands, and can be undone with the turn; it is not started again.';
  // Only a command starts without announcing its changes.
  if (intents.length === 0)
    return 'CodeLab ended while this command ran, and what was left of it was stopped. Look at the files before going on; it is not run again.';
  if (found.size !== 1 || found.has('other'))
    return 'The process ended while this call ran. Look at the files before going on; it is not run again.';
  if (found.has('new'))
    return 'The process ended before the outcome was recorded. The change is complete on the disk; it is not run again.';
  return 'The process ended while this call ran. Nothing was changed; it is not run again.';
}
