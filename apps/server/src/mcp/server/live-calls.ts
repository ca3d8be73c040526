// The calls under way for MCP clients, found again by session and id, and so many for each person.
import { type Actor, type ToolCall, ToolError } from '@codelab/protocol';
import type { SharedSession } from '../../sessions/gateway.ts';
import { beginCall, type LiveCall } from './live-call.ts';

export type LiveCalls = {
  /** The one under way, or a new one: the same id with the same arguments never runs twice. */
  begin(
    session: SharedSession,
    call: Omit<ToolCall, 'session' | 'by'>,
    options: { by: Actor; isAgain: boolean },
  ): Promise<LiveCall>;
};

type Kept = { who: string; call: Promise<LiveCall> };

const mostForOne = 64;

export function createLiveCalls(onFault: (error: unknown) => void): LiveCalls {
  const kept = new Map<string, Kept>();
  return {
    async begin(session, call, { by, isAgain }) {
      const { who } = by;
      const key = JSON.stringify([session.id, call.id]);
      const before = kept.get(key);
      if (before !== undefined) return await before.call;
      if (kept.values().reduce((sum, one) => sum + Number(one.who === who), 0) >= mostForOne)
        throw new ToolError(
          'CONCURRENT_LIMIT_EXCEEDED',
          `${mostForOne} of your calls are under way or wait for a decision.`,
        );
      const begun = beginCall(session, call, { by, isAgain, onFault });
      kept.set(key, { who, call: begun });
      const forget = (): void => void kept.delete(key);
      begun.then(({ outcome }) => outcome).then(forget, forget);
      return await begun;
    },
  };
}
