// Which process runs a call: one claims it before it has effects, others wait for its outcome, and the calls of a process that is gone are
// ended as unknown. Nothing is run again by itself.
import {
  type CallState,
  type Effect,
  type EndedBadly,
  type EventBody,
  type Outcome,
  type ToolCall,
  ToolError,
} from '@codelab/protocol';
import { type AfterCrash, afterCrash, crashText } from '../held-back/after-crash.ts';
import { isAlive, isSeenAlive, silenceMs } from '../platform/process-identity.ts';
import { reapOrphans } from '../process/children.ts';
import type { Tool } from '../tool/define-tool.ts';
import { recoverChanges } from '../workspace/recover-changes.ts';
import { journalNames, journalsOf, noteSettled, removeJournal } from '../workspace/redo-journal.ts';
import type { CallRun } from './call-run.ts';
import { endedBadly, finishCall, finishCalls } from './finish-call.ts';
import type { Host } from './host.ts';
import { askedOf, type LiveSession } from './live-session.ts';

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
  if ((await session.asked(call.id)) !== askedOf({ call })) {
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

/** Until whoever runs it has recorded how it ended, or is found to be gone. */
async function waitForOwner(
  host: Host,
  session: LiveSession,
  running: Running,
  signal: AbortSignal,
): Promise<void> {
  const { id } = running.call;
  while (session.finished(id) === undefined) {
    if (!isLeftToClient(host, session, running) && !isAlive(running.owner, host.home)) {
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

/** Settles every call of this workspace whose process is gone, and again later those whose process may be about to be missed. */
export async function recover(host: Host): Promise<Recovery> {
  const recovery: Recovery = { settled: 0, notices: [] };
  const note = (what: string, error: unknown): void => {
    const why = error instanceof Error ? error.message : String(error);
    recovery.notices.push(`${what} could not be recovered: ${why} It is tried again at the next start.`);
  };
  await reapOrphans(host.home).catch((error: unknown) =>
    note('Processes that an ended CodeLab left running', error),
  );
  let isDoubtful = false;
  for (const { session: id, callId } of await host.log.unfinished(host.workspace.root.real)) {
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
  if (journalNames(host.home).length > 0) {
    const { retireJournals } = await import('./retire-journals.ts');
    await retireJournals(host, (name, error) => note(`The journal ${name}`, error));
  }
  if (isDoubtful) recoverLater(host);
  return recovery;
}

async function settleIfDead(
  host: Host,
  id: string,
  callId: string,
): Promise<'settled' | 'alive' | 'doubtful'> {
  const session = await host.session(id);
  await session.catchUp();
  const state = session.openCalls.get(callId);
  if (state?.state !== 'running' || isLeftToClient(host, session, state)) return 'alive';
  if (isAlive(state.owner, host.home)) return isSeenAlive(state.owner) ? 'alive' : 'doubtful';
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

/** Ends a call whose process is gone, as unknown, with what is on the disk. The journal goes only when that is recorded. */
async function settleUnknown(host: Host, session: LiveSession, state: Running): Promise<void> {
  const { id: callId, tool, session: id } = state.call;
  const { slot, startedAt, intents } = state;
  const { workspace, home } = host;
  const { files, effects } = await host.lock.hold(() => {
    noteSettled(home, slot);
    return recoverChanges({ workspace, home, slot, session: id, callId, intents });
  });
  const found = new Set(files.map((file) => file.found));
  const left = await leftByCommand(host, session, state);
  const outcome: EndedBadly = {
    status: 'failed',
    callId,
    tool,
    startedAt,
    durationMs: Math.max(0, Date.now() - startedAt),
    effects,
    error: {
      code: 'OUTCOME_UNKNOWN',
      message: session.isElsewhere
        ? 'The client that carries this out has not said how it ended. Look at the files before repeating it.'
        : messageFor(host.tools.get(tool), intents, found) + crashText(left, callId),
      details: {
        files,
        ...(left.held.length > 0 && { held_back: left.held }),
        ...(left.appeared.length > 0 && { appeared: left.appeared }),
      },
    },
  };
  await finishCall(session, { call: state.call, outcome });
  for (const { name } of journalsOf(home, slot)) removeJournal(home, name);
  await endCallsOf(session, callId);
}

/** Only a command may leave what nobody has named before. That it could not be looked for must not keep its call from being ended. */
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

/** Calls that a sub-agent was still waiting for: nobody is left who would carry them out. */
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
  // Only a command starts without saying what it will change.
  if (intents.length === 0)
    return 'CodeLab ended while this command ran, and what was left of it was stopped. Look at the files before going on; it is not run again.';
  if (found.size !== 1 || found.has('other'))
    return 'The process ended while this call ran. Look at the files before going on; it is not run again.';
  if (found.has('new'))
    return 'The process ended before the outcome was recorded. The change is complete on the disk; it is not run again.';
  return 'The process ended while this call ran. Nothing was changed; it is not run again.';
}
