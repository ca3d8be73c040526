// After a process died in the middle: clears what it left lying about, and ends its calls as what they are: unknown.
// Nothing is run again by itself; the outcome says what is on the disk now.
import type { CallState, Effect, EndedBadly } from '@codelab/protocol';
import type { Host } from './host.ts';
import type { LiveSession } from './live-session.ts';
import { isAlive } from './workspace/process-identity.ts';
import { recoverChanges } from './workspace/recover-changes.ts';
import { settleJournals } from './workspace/settle-journals.ts';

type Running = Extract<CallState, { state: 'running' }>;

/** Settles every call of this workspace whose process is gone. Returns how many there were. */
export async function recover(host: Host): Promise<number> {
  const root = host.workspace.root.real;
  let settled = 0;
  for (const { session: id, callId } of await host.log.unfinished(root)) {
    const session = await host.session(id);
    await session.catchUp();
    const state = session.openCalls.get(callId);
    if (state?.state !== 'running' || isAlive(state.owner)) continue;
    await settleUnknown(host, session, state);
    settled++;
  }
  settleJournals(host.workspace, host.home);
  return settled;
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
  const message =
    found.size !== 1 || found.has('other')
      ? 'The process ended while this call ran. Look at the files before going on; it is not run again.'
      : found.has('new')
        ? 'The process ended before the outcome was recorded. The change is complete on the disk; it is not run again.'
        : 'The process ended while this call ran. Nothing was changed; it is not run again.';
  const outcome: EndedBadly = {
    status: 'failed',
    callId,
    tool,
    startedAt: state.startedAt,
    durationMs: Date.now() - state.startedAt,
    effects: found.size === 1 && found.has('new') ? intents.map((intent) => kept(intent, slot)) : [],
    error: { code: 'OUTCOME_UNKNOWN', message, details: { files } },
  };
  await session.commit(() => (session.finished(callId) ? [] : [{ type: 'call.finished', callId, outcome }]));
}

function kept({ temp: _, ...effect }: Effect, slot: string): Effect {
  return effect.trashId === undefined ? effect : { ...effect, trashId: `${slot}/${effect.trashId}` };
}
