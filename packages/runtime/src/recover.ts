// After a process died in the middle: clears what it left lying about, and ends its calls as what they are: unknown.
// Nothing is run again by itself; the outcome says what is on the disk now.
import { type CallState, type Effect, type EndedBadly, ToolError } from '@codelab/protocol';
import type { Tool } from './define-tool.ts';
import { endedBadly } from './ending.ts';
import type { Host } from './host.ts';
import type { LiveSession } from './live-session.ts';
import { reapOrphans } from './process/reap-orphans.ts';
import { isAlive } from './workspace/process-identity.ts';
import { recoverChanges } from './workspace/recover-changes.ts';
import { settleJournals } from './workspace/settle-journals.ts';

type Running = Extract<CallState, { state: 'running' }>;

/** Settles every call of this workspace whose process is gone. Returns how many there were. */
export async function recover(host: Host): Promise<number> {
  const root = host.workspace.root.real;
  await reapOrphans(host.home);
  let settled = 0;
  for (const { session: id, callId } of await host.log.unfinished(root)) {
    const session = await host.session(id);
    await session.catchUp();
    const state = session.openCalls.get(callId);
    if (state?.state !== 'running' || isAlive(state.owner) || isLeftToClient(host, session, state)) continue;
    await settleUnknown(host, session, state);
    settled++;
  }
  settleJournals(host.workspace, host.home);
  return settled;
}

/** A client carries it out and may still say how it ended: whoever serves the session waits for that, as long as the call may take. */
export function isLeftToClient(host: Host, session: LiveSession, { call, startedAt }: Running): boolean {
  if (!session.isElsewhere) return false;
  return startedAt + (call.timeoutMs ?? host.limits(call.dialect).runMs) > Date.now();
}

export async function settleUnknown(host: Host, session: LiveSession, state: Running): Promise<void> {
  const { id: callId, tool, session: id } = state.call;
  const { slot, startedAt, intents } = state;
  const files = recoverChanges(host.workspace, {
    home: host.home,
    session: id,
    callId,
    slot,
    startedAt,
    intents,
  });
  const found = new Set(files.map((file) => file.found));
  const outcome: EndedBadly = {
    status: 'failed',
    callId,
    tool,
    startedAt: state.startedAt,
    durationMs: Date.now() - state.startedAt,
    effects: found.size === 1 && found.has('new') ? intents.map((intent) => kept(intent, slot)) : [],
    error: {
      code: 'OUTCOME_UNKNOWN',
      message: session.isElsewhere
        ? 'The client that carries this out has not said how it ended. Look at the files before repeating it.'
        : messageFor(host.tools.get(tool), intents, found),
      details: { files },
    },
  };
  await session.commit(() => (session.finished(callId) ? [] : [{ type: 'call.finished', callId, outcome }]));
  await endCallsOf(session, callId);
}

/** Calls that a sub-agent was still waiting for: nobody is left who would carry them out. */
async function endCallsOf(session: LiveSession, agent: string): Promise<void> {
  const error = new ToolError('CANCELLED', 'The sub-agent that made this call is gone.');
  await session.commit(() =>
    [...session.openCalls.values()]
      .filter(({ call, state }) => call.agent === agent && state !== 'running')
      .map(({ call }) => {
        const outcome = endedBadly({ call, startedAt: Date.now() }, error);
        return { type: 'call.finished', callId: call.id, outcome };
      }),
  );
}

function messageFor(tool: Tool | undefined, intents: readonly Effect[], found: ReadonlySet<string>): string {
  if (tool?.startsAgents)
    return 'CodeLab ended while this sub-agent worked. What its calls did stands, and can be undone with the turn; it is not started again.';
  // Only a command starts without saying what it will change.
  if (intents.length === 0)
    return 'CodeLab ended while this command ran, and what was left of it was stopped. Look at the files before going on; it is not run again.';
  if (found.size !== 1 || found.has('other'))
    return 'The process ended while this call ran. Look at the files before going on; it is not run again.';
  if (found.has('new'))
    return 'The process ended before the outcome was recorded. The change is complete on the disk; it is not run again.';
  return 'The process ended while this call ran. Nothing was changed; it is not run again.';
}

function kept({ temp: _, ...effect }: Effect, slot: string): Effect {
  return effect.trashId === undefined ? effect : { ...effect, trashId: `${slot}/${effect.trashId}` };
}
