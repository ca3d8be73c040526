// Ids for the calls of one reply: the provider's own, unless it is missing, unfit or was used in the conversation before.
import { isCallId } from '@codelab/protocol';
import type { ModelRequest } from '../model.ts';

export function callIds({ messages }: ModelRequest): (id: string) => string {
  let used: Set<string> | undefined;
  return (id) => {
    used ??= usedIds(messages);
    let chosen = id;
    while (!isCallId(chosen) || used.has(chosen)) chosen = randomId();
    used.add(chosen);
    return chosen;
  };
}

function usedIds(messages: ModelRequest['messages']): Set<string> {
  const used = new Set<string>();
  for (const message of messages) {
    if (message.role === 'assistant') for (const { id } of message.reply.calls) used.add(id);
  }
  return used;
}

function randomId(): string {
  return `call_${Date.now().toString(36)}${Math.random().toString(36).slice(2, 12)}`;
}
