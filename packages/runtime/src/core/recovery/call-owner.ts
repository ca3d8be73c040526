// Which process runs a call: one claims it before it has effects, others wait for its outcome, and the calls of a process that is gone are
// ended as unknown. Nothing is run again by itself.
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

/** What makes two calls with one id the same call. */
function askedOf({ tool, args }: ToolCall): string {
  return digestJson([tool, args]);
}

/** Until whoever runs it has recorded how it ended, or is found to be gone. */
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

/** Calls of a reply that were asked about together run in the order the model wanted them, whichever was decided first. */
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

/** Writes the start of an effect to disk, unless another process has taken the call. `check` sees the session as it is at that entry. */
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

// After a process died in the middle: tidies up what it left, and ends its calls as what they are: unknown.
// Nothing is run again by itself; the outcome says what is on the disk now. Whatever goes wrong here never keeps a program from starting.
type Running = Extract<CallState, { state: 'running' }>;

/** What recovery did, and what it could not do, in sentences for a person. */
type Recovery = { settled: number; notices: string[] };

/** Settles every call of this workspace whose process is gone, or is found to be later. `isShared`: each session when it is taken. */
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

/** The same for one session, which this process is alone to use from now on. */
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

// A process that can't be seen from here had a heartbeat a moment ago. Whether there will be another one is known soon.
function recoverLater(host: Host): void {
  const timer = setTimeout(() => host.later(recover(host).then(() => undefined)), silenceMs);
  timer.unref();
  host.closing.addEventListener('abort', () => clearTimeout(timer), { once: true });
}

/** A person says that whoever ran the calls of a session is gone. Refused for a process that is seen to run. */
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

/** A client carries it out and may still say how it ended: whoever serves the session waits for that, as long as the call may take. */
function isLeftToClient(host: Host, session: LiveSession, { call, startedAt }: Running): boolean {
  if (!session.isElsewhere) return false;
  return startedAt + (call.timeoutMs ?? host.limits(call.dialect).runMs) > Date.now();
}
