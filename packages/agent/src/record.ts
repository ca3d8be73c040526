// Writes into the log of a session what an agent said or did, and into its conversation what came of it.
import type { EventBody } from '@codelab/protocol';
import type { Agent } from './agent.ts';
import type { Conversation } from './conversation.ts';

export async function record(agent: Agent, talk: Conversation, ...bodies: EventBody[]): Promise<void> {
  for (const event of await agent.log.record(bodies)) talk.apply(event);
}

/** Whose event it is: a sub-agent's bear the call that started it. */
export function from({ id }: Agent): { agent?: string } {
  return id === undefined ? {} : { agent: id };
}
