// Ids for the calls of one reply: the provider's own, unless it is missing, invalid or was used in the conversation before.
import { createHash } from 'node:crypto';
import { isCallId } from '@codelab/protocol';
import type { ModelRequest } from '../../model.ts';

/** `id` as it arrived: some servers send a number, or null. */
export function callIds({ messages }: ModelRequest): (id: unknown) => string {
  let used: Set<string> | undefined;
  return (id) => {
    used ??= usedIds(messages);
    let callId = typeof id === 'string' || typeof id === 'number' ? String(id) : '';
    while (!isCallId(callId) || used.has(callId)) callId = randomId();
    used.add(callId);
    return callId;
  };
}

/** Ids as a wire accepts them: an id that is too long or has other characters is replaced by a hash, the same every time. */
export function wireId(
  id: string,
  { maxLength, isExact = false }: { maxLength: number; isExact?: boolean },
): string {
  const isFit = isExact
    ? /^[a-zA-Z0-9]+$/.test(id) && id.length === maxLength
    : /^[\w-]+$/.test(id) && id.length <= maxLength;
  if (isFit) return id;
  const hash = createHash('sha256').update(id).digest('hex');
  return isExact
    ? hash.slice(0, maxLength)
    : `${id.replace(/[^\w-]/g, '_').slice(0, maxLength - 9)}_${hash.slice(0, 8)}`;
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
