// Who is at work in the sessions of a host: the session's own agent, and the sub-agents under way. A sub-agent is set to work by a call,
// and a call knows only its session.
import type { Agent, Conversation, Model } from '@codelab/agent';
import type { Host } from '@codelab/runtime';

export type AtWork = {
  agent: Agent;
  talk: Conversation;
  /** For a profile that wants a model of its own; without it the present one is used. */
  openModel?(name: string): Promise<Model>;
};

const desks = new WeakMap<Host, Map<string, AtWork>>();

/** `id` is the call that started a sub-agent. */
export function findAtWork(host: Host, session: string, id?: string): AtWork | undefined {
  return desks.get(host)?.get(key(session, id));
}

/** Returns how to take it away again. */
export function setAtWork(host: Host, one: AtWork): () => void {
  const desk = desks.get(host) ?? new Map<string, AtWork>();
  const place = key(one.agent.journal.session, one.agent.id);
  desks.set(host, desk.set(place, one));
  return () => {
    if (desk.get(place) === one) desk.delete(place);
  };
}

function key(session: string, id: string | undefined): string {
  return JSON.stringify([session, id ?? null]);
}
