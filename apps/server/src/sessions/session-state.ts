// The state of a session that the gateway keeps beside the log: read once, then updated.
import type { AgentSignal, AgentStatus, SessionEvent, TurnEnd } from '@codelab/protocol';
import { defaultProfile, type Host, type LiveSession } from '@codelab/runtime';
import { logPages } from '../log/entries.ts';
import type { Subscribers } from './subscriptions/subscription.ts';

/** `isSwitched`: the next turn has another role than the log says. */
export type State = {
  isOpen: boolean;
  isMoved: boolean;
  isSwitched: boolean;
  status: AgentStatus;
  /** The streamed part of a reply that is not in the log yet. */
  reply?: Said | undefined;
} & Latest;

type Said = { text: string; reasoning: string };

/** `turn` is the number of the latest one. */
type Latest = {
  profile: string;
  seq: number;
  turn: number;
  isTurnOpen: boolean;
  /** How the latest turn ended. */
  end?: TurnEnd;
};

export async function openState(host: Host, id: string): Promise<State> {
  return { isOpen: true, isMoved: false, isSwitched: false, status: 'idle', ...(await latest(host, id)) };
}

/** Applies the signal of an agent to the state and passes it on. */
export function applySignal(
  { state, subscribers }: { state: State; subscribers: Subscribers },
  signal: AgentSignal,
): void {
  if (signal.type === 'status') state.status = signal.status;
  state.reply = replyAfter(state.reply, signal);
  // The host itself reports progress, for the calls of peers as well.
  if (signal.type !== 'progress') subscribers.tell({ type: 'signal', signal });
}

/** Tells the subscribers what becomes known of the session; returns how to stop. */
export function follow(
  host: Host,
  live: LiveSession,
  { state, subscribers }: { state: State; subscribers: Subscribers },
): (() => void)[] {
  return [
    live.watch((event) => {
      state.seq = Math.max(state.seq, event.seq);
      state.isTurnOpen = isTurnOpenAfter(event, state.isTurnOpen);
      if (event.body.type === 'turn.ended' && event.body.agent === undefined) state.end = event.body.end;
      if (event.body.type === 'turn.started') {
        state.isSwitched = false;
        state.turn = event.body.turn;
      }
      subscribers.tell({ type: 'event', event });
    }),
    host.progress.watch(live.id, (call, progress) =>
      subscribers.tell({ type: 'signal', signal: { type: 'progress', callId: call.id, progress } }),
    ),
  ];
}

async function latest({ log }: Host, id: string): Promise<Latest> {
  const found: Latest = { profile: defaultProfile, seq: 0, turn: 0, isTurnOpen: false };
  for await (const page of logPages(log, id))
    for (const event of page) {
      const { seq, body } = event;
      found.seq = seq;
      found.isTurnOpen = isTurnOpenAfter(event, found.isTurnOpen);
      if (body.type === 'turn.ended' && body.agent === undefined) found.end = body.end;
      if (body.type !== 'turn.started' || body.agent !== undefined) continue;
      found.profile = body.profile;
      found.turn = body.turn;
    }
  return found;
}

// Sub-agents work within the turn of the agent above them.
function isTurnOpenAfter({ body }: SessionEvent, isOpen: boolean): boolean {
  if (body.type === 'turn.started' && body.agent === undefined) return true;
  return body.type === 'turn.ended' && body.agent === undefined ? false : isOpen;
}

const silent: Said = { text: '', reasoning: '' };

function replyAfter(before: Said | undefined, signal: AgentSignal): Said | undefined {
  const { text, reasoning } = before ?? silent;
  switch (signal.type) {
    case 'text':
      return { text: text + signal.delta, reasoning };
    case 'reasoning':
      return { text, reasoning: reasoning + signal.delta };
    case 'retry':
      return signal.discards ? undefined : before;
    case 'reply':
    case 'ended':
      return undefined;
    default:
      return before;
  }
}
