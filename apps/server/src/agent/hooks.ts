// Hooks: configured commands that run before and after the calls of agents, and after their turns. Each is a `run_command` call like any
// other: judged, approved, sandboxed, bounded and recorded. A hook before a call refuses the call when it fails or can't run.
import { cutText, type HostEvent, type TurnResult } from '@codelab/agent';
import {
  type AgentSignal,
  type Outcome,
  type SessionEvent,
  type ToolCall,
  ToolError,
} from '@codelab/protocol';
import { buildProfile, type Host, onlyBuildProfile, randomId, runCall, showsTool } from '@codelab/runtime';
import type { CallHook, Hooks, TurnHook } from '../config/hooks.ts';
import { followCall } from './follow-call.ts';

export type CallHooks = {
  /** Why the call must not be made; undefined when every hook lets it pass. `names` are the names of the tool. */
  before(call: ToolCall, names: readonly string[], signal: AbortSignal): Followed<ToolError | undefined>;
  /** The text about failed hooks for the model; empty when none failed. */
  after(call: ToolCall, names: readonly string[], outcome: Outcome, signal: AbortSignal): Followed<string>;
};

/** Questions about the hooks themselves come as events. */
type Followed<T> = AsyncGenerator<HostEvent, T>;
type Event = 'before_call' | 'after_call' | 'turn_end';
type HookCall = Pick<ToolCall, 'session' | 'turn' | 'attended'> & {
  event: Event;
  callId: string;
  input: object;
};

const defaultSeconds = 10;
const maxSaid = 4000;
const maxInput = 1024 * 1024;
const maxCutText = 10_000;
/** The name under which calls of hooks are recorded. */
const who = 'hook';

export type OpenHooks = {
  ofCalls: { hooks?: CallHooks; notes?: Map<string, string> };
  afterTurn(result: TurnResult): Promise<TurnResult>;
};

/** The hooks for the turns of a session; `events` is its log. */
export function openHooks(
  hooks: Hooks,
  { host, session, ...listening }: Listening & { host: Host; session: string },
  events: readonly SessionEvent[],
): OpenHooks {
  return {
    ofCalls: { hooks: createCallHooks(host, hooks), notes: hookNotes(events) },
    async afterTurn(result) {
      await runTurnHooks(hooks.turn_end ?? [], { host, session, result }, listening);
      return result;
    },
  };
}

function createCallHooks(host: Host, hooks: Hooks): CallHooks {
  return {
    async *before(call, names, signal) {
      const hookCall: HookCall = {
        ...call,
        event: 'before_call',
        callId: call.id,
        input: callInput(host, call),
      };
      for (const hook of matching(hooks.before_call, names)) {
        const problem = problemIn(yield* runHook(host, hook, hookCall, signal));
        if (problem === undefined) continue;
        const message = `The hook \`${hook.command}\` refused this call. ${problem}`;
        return new ToolError('PERMISSION_DENIED', message, { hook: hook.command });
      }
      return undefined;
    },
    async *after(call, names, outcome, signal) {
      const input = { ...callInput(host, call), outcome: outcomeInput(outcome) };
      const hookCall: HookCall = { ...call, event: 'after_call', callId: call.id, input };
      const notes: string[] = [];
      for (const hook of matching(hooks.after_call, names)) {
        if (signal.aborted) break;
        notes.push(noteOf(hook.command, yield* runHook(host, hook, hookCall, signal)));
      }
      return notes.join('');
    },
  };
}

type Ended = { host: Host; session: string; result: TurnResult };
type Listening = { emit(signal: AgentSignal): void; notice?: ((text: string) => void) | undefined };

/** Runs after a turn, unless the turn was cancelled, which should end it, or waits for an answer. */
async function runTurnHooks(
  hooks: readonly TurnHook[],
  { host, session, result }: Ended,
  { emit, notice }: Listening,
): Promise<void> {
  const { turn, end, text, message } = result;
  if (end === 'cancelled' || end === 'unanswered') return;
  const changed = [...new Set((await host.log.read(session)).flatMap((event) => changedIn(event, turn)))];
  const turnInput = { end, text, ...(message !== undefined && { message }), changed_paths: changed };
  const input = { session, turn, workspace: host.workspace.root.real, ...turnInput };
  for (const hook of hooks) {
    const work = runHook(
      host,
      hook,
      { session, turn, event: 'turn_end', callId: `turn ${turn}`, input },
      host.closing,
    );
    let step = await work.next();
    for (; !step.done; step = await work.next())
      if (step.value.type === 'approval' || step.value.type === 'decided') emit(step.value);
    const problem = problemIn(step.value);
    if (problem !== undefined)
      notice?.(`The hook \`${hook.command}\` failed at the end of the turn. ${problem}`);
  }
}

/** The recorded notes about hooks after calls. */
function hookNotes(events: readonly SessionEvent[]): Map<string, string> {
  const notes = new Map<string, string>();
  const hookCalls = new Map<string, { callId: string; command: string }>();
  for (const { body } of events) {
    if (body.type === 'call.received' && body.call.by?.who === who) {
      const { by, id, args } = body.call;
      const [, callId] = /^after_call (.*)$/s.exec(by.via) ?? [];
      if (callId !== undefined) hookCalls.set(id, { callId, command: String(args.command) });
    }
    if (body.type !== 'call.finished') continue;
    const hook = hookCalls.get(body.callId);
    if (hook !== undefined)
      notes.set(hook.callId, `${notes.get(hook.callId) ?? ''}${noteOf(hook.command, body.outcome)}`);
  }
  return notes;
}

async function* runHook(
  host: Host,
  { command, timeout_seconds = defaultSeconds, network = false }: TurnHook,
  { session, turn, attended, event, callId, input }: HookCall,
  signal: AbortSignal,
): Followed<Outcome> {
  const call: ToolCall = {
    id: `hook_${randomId()}`,
    session,
    tool: 'run_command',
    args: { command, timeout_ms: timeout_seconds * 1000, network, input: bounded({ event, ...input }) },
    dialect: 'codelab',
    ...(turn !== undefined && { turn }),
    ...(attended && { attended }),
    by: { who, via: `${event} ${callId}` },
  };
  // A hook is the user's own, so tools that the agent's role hides are available to it.
  const outcome = yield* onlyQuestions(
    followCall(host, call, () => runCall({ ...host, profiles: onlyBuildProfile }, call, signal)),
  );
  signal.throwIfAborted();
  return outcome;
}

/** The output of a hook is not progress of its call. */
async function* onlyQuestions(events: Followed<Outcome>): Followed<Outcome> {
  let step = await events.next();
  for (; !step.done; step = await events.next()) if (step.value.type !== 'progress') yield step.value;
  return step.value;
}

function matching(hooks: readonly CallHook[] | undefined, names: readonly string[]): CallHook[] {
  return (hooks ?? []).filter(
    ({ tools }) =>
      tools === undefined ||
      names.some((name) => showsTool([{ ...buildProfile, tools }], { name, kind: 'read' })),
  );
}

/** Undefined when the hook ran and ended with exit code 0. */
function problemIn(outcome: Outcome): string | undefined {
  if (outcome.status !== 'completed') return `It was not run: ${outcome.error.message}`;
  const { exit_code: code, timed_out: isLate, stdout, stderr } = outcome.data;
  if (isLate === true) return 'It did not end in time and was stopped.';
  if (code === 0) return undefined;
  const output = String(stderr ?? '').trim() || String(stdout ?? '').trim();
  return output === '' ? `It ended with exit code ${String(code)}.` : cutText(output, maxSaid);
}

function noteOf(command: string, outcome: Outcome): string {
  const problem = problemIn(outcome);
  return problem === undefined ? '' : `\n\nThe hook \`${command}\` failed after this call. ${problem}`;
}

function callInput(host: Host, { id, session, turn, tool, args, profile, agent }: ToolCall): object {
  const workspace = host.workspace.root.real;
  return { session, turn, workspace, profile, agent, call: { id, tool, args } };
}

function outcomeInput(outcome: Outcome): object {
  const changed_paths = [...new Set(outcome.effects.map(({ path }) => path))];
  if (outcome.status === 'completed') return { status: outcome.status, changed_paths };
  const { code, message } = outcome.error;
  return { status: outcome.status, changed_paths, error: { code, message } };
}

function changedIn({ body }: SessionEvent, turn: number): string[] {
  if (body.type !== 'call.finished' || body.turn !== turn) return [];
  return body.outcome.effects.map(({ path }) => path);
}

/** Long texts are cut when the total would be too long; `truncated` says so. */
function bounded(input: object): string {
  const json = JSON.stringify(input);
  if (json.length <= maxInput) return json;
  const cut = JSON.stringify({ ...input, truncated: true }, (_key, value: unknown) =>
    typeof value === 'string' ? cutText(value, maxCutText) : value,
  );
  return cut.length <= maxInput ? cut : JSON.stringify({ truncated: true });
}
