// The MCP sessions that are held: so many for each person, none of them for ever. One that nobody uses is dropped after a while, and of too
// many the one unused for longest; its client is told that it is gone, and greets again.
import { ToolError } from '@codelab/protocol';
import type { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { Caller } from './caller.ts';
import type { UsedIds } from './used-ids.ts';

export type Kept = {
  /** As the latest request has it. */
  caller: Caller;
  transport: WebStandardStreamableHTTPServerTransport;
  usedIds: UsedIds;
  close(): Promise<void>;
  usedAt: number;
  /** Requests and streams that are open. */
  open: number;
};

export type KeepLimits = { idleMs?: number; mostForOne?: number };

export type KeptSessions = {
  readonly count: number;
  keep(id: string, one: Kept): void;
  find(id: string, subject: string): Kept | undefined;
  /** It is in use until the signal aborts. */
  use(one: Kept, signal: AbortSignal): void;
  makeRoom(subject: string): void;
  forget(id: string): void;
  close(): Promise<void>;
};

const defaultIdleMs = 30 * 60_000;
const defaultMost = 64;

export function createKeptSessions(
  { idleMs = defaultIdleMs, mostForOne = defaultMost }: KeepLimits,
  onFault: (error: unknown) => void,
): KeptSessions {
  const kept = new Map<string, Kept>();
  const sweeping = setInterval(sweep, idleMs / 4).unref();

  function drop(id: string): void {
    const one = kept.get(id);
    kept.delete(id);
    one?.close().catch(onFault);
  }
  function sweep(): void {
    const before = Date.now() - idleMs;
    for (const [id, { open, usedAt }] of kept) if (open === 0 && usedAt <= before) drop(id);
  }
  return {
    get count() {
      return kept.size;
    },
    keep: (id, one) => void kept.set(id, one),
    forget: (id) => void kept.delete(id),
    find(id, subject) {
      const one = kept.get(id);
      // Somebody else's is as good as none.
      return one?.caller.peer.subject === subject ? one : undefined;
    },
    use(one, signal) {
      one.open++;
      one.usedAt = Date.now();
      const leave = (): void => {
        one.open--;
        one.usedAt = Date.now();
      };
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave, { once: true });
    },
    makeRoom(subject) {
      const own = [...kept].filter(([, { caller }]) => caller.peer.subject === subject);
      if (own.length < mostForOne) return;
      const unused = own.filter(([, { open }]) => open === 0).toSorted(([, a], [, b]) => a.usedAt - b.usedAt);
      const [oldest] = unused;
      if (oldest === undefined) throw tooMany(mostForOne);
      drop(oldest[0]);
    },
    async close() {
      clearInterval(sweeping);
      const all = [...kept.values()];
      kept.clear();
      await Promise.all(all.map((one) => one.close()));
    },
  };
}

function tooMany(most: number): ToolError {
  return new ToolError('RATE_LIMITED', `${most} MCP sessions of yours are in use. Close some of them.`);
}
