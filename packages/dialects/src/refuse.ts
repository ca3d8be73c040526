// The answer to a call that went no further than its reading.
import type { Failure, ToolError } from '@codelab/protocol';
import type { AskedCall, Message } from './dialect.ts';

export function refuse(
  asked: Pick<AskedCall, 'id' | 'wire'>,
  { code, message, details }: ToolError,
): Message {
  const error: Failure = details === undefined ? { code, message } : { code, message, details };
  const ended = {
    callId: asked.id,
    tool: asked.wire.tool,
    startedAt: Date.now(),
    durationMs: 0,
    effects: [],
  };
  return { type: 'result', asked, outcome: { ...ended, status: 'failed', error } };
}
