// Which process runs a call: one process claims it before it has effects, others wait for its outcome, and the calls of a dead process end
// as unknown. Calls are never run again automatically.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type CallState,
  type EventBody,
  type Outcome,
  type ToolCall,
  ToolError,
  Unanswered,
} from '@codelab/protocol';
import { digestJson } from '../../platform/digest.ts';
import { isSeenAlive, silenceMs } from '../../platform/system.ts';
import { childrenFolder, reapOrphans } from '../../process/children.ts';
import { journalFolder, journalNames } from '../../workspace/commit/redo-journal.ts';
import type { CallRun } from '../call-run.ts';
import type { Host } from '../host.ts';
import type { LiveSession } from '../session/live-session.ts';
import { settleUnknown } from './settle-call.ts';

const lookEveryMs = 5000;

export async function joinEarlier(
  host: Host,
  session: LiveSession,
  call: ToolCall,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  await session.catchUp();
  const open = session.openCalls.get(call.id);
  if (open === undefined && session.finished(call.id) === undefined) return undefined;
  const earlier = await session.received(call.id);
  if (earlier === undefined || askedOf(earlier.call) !== askedOf(call)) {
    throw new ToolError(
      'DUPLICATE_CALL',
      `The call id ${JSON.stringify(call.id)} was used before with other arguments. Use a new one.`,
    );
  }
  if (open?.state === 'running') {
    await waitForOwner(host, session, open, signal);
  }
  return await session.outcome(call.id);
}

/** Two calls with one id are the same call when these agree. */
function askedOf({ tool, args }: ToolCall): string {
  return digestJson([tool, args]);
}

/** Waits until the owner has recorded the outcome, or is found dead. */
async function waitForOwner(
  host: Host,
  session: LiveSession,
  running: Running,
  signal: AbortSignal,
): Promise<void> {
  const { id } = running.call;
  while (session.finished(id) === undefined) {
    if (!isLeftToClient(host, session, running) && !host.isAlive(running.owner)) {
      await settleUnknown(host, session, running);
      return;
    }
    const look = AbortSignal.timeout(lookEveryMs);
    await session
      .waitFor(() => session.finished(id), AbortSignal.any([signal, look]))
      .catch((error: unknown) => {
        if (!look.aborted || signal.aborted) throw error;
      });
  }
}

/** Calls of a reply that were asked about together run in the model's order, whatever the order of the decisions. */
export async function waitForEarlier({ call: { group }, session, signal }: CallRun): Promise<void> {
  if (group === undefined || group.index === 1) return;
  const areDone = (): true | undefined => {
    const earlier = [...session.openCalls.values()].filter(
      ({ call }) => call.group?.id === group.id && call.group.index < group.index,
    );
    if (earlier.some(({ state }) => state === 'unanswered')) throw new Unanswered();
    return earlier.length === 0 ? true : undefined;
  };
  await session.waitFor(areDone, signal);
}

/** Records the start of an effect durably, unless another process has taken the call. `check` gets the session's state at that entry. */
export async function claimCall(run: CallRun, started: EventBody, check: () => void): Promise<boolean> {
  const { session, call, unrecorded } = run;
  const build = (): EventBody[] => {
    if (isTaken(session, call.id)) return [];
    check();
    return [...unrecorded, started];
  };
  const written = await session.commit(build, { durable: true, about: call.id });
  run.unrecorded = [];
  return written.length > 0;
}

function isTaken(session: LiveSession, callId: string): boolean {
  return session.finished(callId) !== undefined || session.openCalls.get(callId)?.state === 'running';
}

/** The outcome of a call that another process has claimed. */
export async function outcomeOfOther({ host, session, call, signal }: CallRun): Promise<Outcome> {
  const outcome = await joinEarlier(host, session, call, signal);
  if (outcome === undefined)
    throw new ToolError('INTERNAL', 'The call was taken by another process and is gone.');
  return outcome;
}

// After a process died: cleans up what it left, and ends its calls with an unknown outcome that says what is on the disk now. Calls are
// never run again automatically. A failure here never keeps a program from starting.
type Running = Extract<CallState, { state: 'running' }>;

/** The results and failures of recovery, in sentences for a person. */
type Recovery = { settled: number; notices: string[] };

/** Settles every call of this workspace whose process is dead or is found dead later. `isShared`: claims each session first. */
export async function recover(host: Host, { isShared = false } = {}): Promise<Recovery> {
  const recovery: Recovery = { settled: 0, notices: [] };
  const note = (what: string, error: unknown): void => {
    const why = (error instanceof Error ? error.message : String(error)).replace(/(?<![.!?])$/, '.');
    recovery.notices.push(`${what} could not be recovered: ${why} It is tried again at the next start.`);
  };
  if (existsSync(join(host.home, childrenFolder)))
    await reapOrphans(host.home).catch((error: unknown) =>
      note('Processes that an ended CodeLab left running', error),
    );
  let isDoubtful = false;
  const unfinished = isShared ? [] : await host.log.unfinished(host.workspace.root.real);
  for (const { session: id, callId } of unfinished) {
    try {
      const fate = await settleIfDead(host, id, callId);
      if (fate === 'doubtful') isDoubtful = true;
      if (fate !== 'settled') continue;
      recovery.settled++;
      recovery.notices.push(
        `The call ${callId} of session ${id} was interrupted; \`codelab audit show ${id}\` says what became of it.`,
      );
    } catch (error) {
      note(`The interrupted call ${callId} of session ${id}`, error);
    }
  }
  // Most starts find no journal.
  if (existsSync(join(host.home, journalFolder)) && journalNames(host.home).length > 0) {
    const { retireJournals } = await import('./retire-journals.ts');
    await retireJournals(host, (name, error) => note(`The journal ${name}`, error));
  }
  if (isDoubtful) recoverLater(host);
  return recovery;
}

/** The same for one session, which from now on only this process uses. */
export async function recoverSession(host: Host, id: string): Promise<void> {
  for (const callId of [...(await host.session(id)).openCalls.keys()]) await settleIfDead(host, id, callId);
}

type Fate = 'settled' | 'alive' | 'doubtful';

async function settleIfDead(host: Host, id: string, callId: string): Promise<Fate> {
  const session = await host.session(id);
  await session.catchUp();
  const state = session.openCalls.get(callId);
  if (state?.state !== 'running' || isLeftToClient(host, session, state)) return 'alive';
  if (host.isAlive(state.owner)) return isSeenAlive(state.owner) ? 'alive' : 'doubtful';
  await settleUnknown(host, session, state);
  return 'settled';
}

// A process that can't be inspected from here had a recent heartbeat. The next one, or its absence, decides.
function recoverLater(host: Host): void {
  const timer = setTimeout(() => host.later(recover(host).then(() => undefined)), silenceMs);
  timer.unref();
  host.closing.addEventListener('abort', () => clearTimeout(timer), { once: true });
}

/** Ends the calls of a session on a person's word that their owner is dead. Refused while the owner is seen to run. */
export async function declareDead(host: Host, id: string): Promise<string[]> {
  const session = await host.session(id);
  await session.catchUp();
  const running = [...session.openCalls.values()].filter((state) => state.state === 'running');
  for (const { call, owner } of running)
    if (isSeenAlive(owner))
      throw new ToolError(
        'STALE',
        `The call ${call.id} is run by process ${owner.pid}, which is alive. End that process first.`,
      );
  for (const state of running) await settleUnknown(host, session, state);
  return running.map(({ call }) => call.id);
}

/** A client runs the call and may still report its outcome, so the server of the session waits as long as the call may take. */
function isLeftToClient(host: Host, session: LiveSession, { call, startedAt }: Running): boolean {
  if (!session.isElsewhere) return false;
  return startedAt + (call.timeoutMs ?? host.limits(call.dialect).runMs) > Date.now();
}
