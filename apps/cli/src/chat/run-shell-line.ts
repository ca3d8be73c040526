// `!command`: the user's own command. Typing it is consent, recorded under the user's name; a deny rule still applies. A line from a pipe
// is judged like every call. The model learns of the command afterwards. `!!`: the latest command that failed because of the sandbox, run
// outside it. It needs approval like every call outside the sandbox.
import { type AgentSignal, outsideCall, type ToolCall } from '@codelab/protocol';
import { randomId, runCall, runConsented } from '@codelab/runtime';
import { followCall, ownCallNote } from '@codelab/server/agent';
import { person, type TerminalChat } from './chat.ts';

type Running = { signal: AbortSignal; isTyped: boolean; showSignal(signal: AgentSignal): void };

export async function runShellLine(chat: TerminalChat, command: string, running: Running): Promise<void> {
  await runOwnCall(chat, { tool: 'run_command', args: { command } }, running, running.isTyped);
}

/** False when no command of the session failed because of the sandbox. */
export async function runUnsandboxed(chat: TerminalChat, running: Running): Promise<boolean> {
  const heldCall = await lastHeld(chat);
  if (heldCall !== undefined) await runOwnCall(chat, heldCall, running, false);
  return heldCall !== undefined;
}

type Wanted = Pick<ToolCall, 'tool' | 'args'>;

async function lastHeld({ agent }: TerminalChat): Promise<Wanted | undefined> {
  const calls = new Map<string, ToolCall>();
  let found: Wanted | undefined;
  for (const { body } of await agent.log.read()) {
    if (body.type === 'call.received') calls.set(body.call.id, body.call);
    const call = body.type === 'call.finished' ? calls.get(body.callId) : undefined;
    if (call !== undefined && body.type === 'call.finished') found = outsideCall(call, body.outcome) ?? found;
  }
  return found;
}

async function runOwnCall(
  chat: TerminalChat,
  request: Wanted,
  { signal, showSignal, isTyped }: Running,
  isConsented: boolean,
): Promise<void> {
  const { agent, session, conversation, host } = chat;
  const by = person();
  const call: ToolCall = {
    id: `own_${randomId()}`,
    session,
    ...request,
    dialect: 'codelab',
    // The changes of the command belong to the turn that reports it, and are undone with that turn.
    turn: conversation.turn + 1,
    by,
    // The user who typed the command is here to answer.
    ...(isTyped && { attended: true as const }),
  };
  showSignal({ type: 'call', call });
  const following = followCall(host, call, () =>
    isConsented ? runConsented(host, call, by, signal) : runCall(host, call, signal),
  );
  let step = await following.next();
  for (; !step.done; step = await following.next()) {
    const event = step.value;
    if (event.type === 'progress') showSignal({ ...event, callId: call.id });
    else if (!isConsented && event.type !== 'outcome') showSignal(event);
  }
  const text = agent.host.tell(step.value);
  showSignal({ type: 'outcome', call, outcome: step.value, text });
  await chat.note(ownCallNote(call, text));
}
