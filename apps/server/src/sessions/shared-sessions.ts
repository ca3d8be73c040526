// The sessions that somebody here uses, each opened once. One that nobody listens to and that has nothing under way is let go of after
// a while: the log has it all.
import type { OwnSession } from './shared-session.ts';

export type SharedSessions = AsyncDisposable & {
  open(id: string): Promise<OwnSession>;
  opened(id: string): Promise<OwnSession> | undefined;
  all(): Iterable<readonly [string, Promise<OwnSession>]>;
  close(id: string): Promise<void>;
};

type Options = {
  share(id: string): Promise<OwnSession>;
  /** Told of one that was let go of. */
  forget(id: string): void;
  onFault(error: unknown): void;
  idleMs: number;
};

type Kept = { opening: Promise<OwnSession>; usedAt: number };

export function createSharedSessions({ share, forget, onFault, idleMs }: Options): SharedSessions {
  const kept = new Map<string, Kept>();

  async function close(id: string): Promise<void> {
    const open = kept.get(id);
    kept.delete(id);
    await (await open?.opening)?.[Symbol.asyncDispose]();
    forget(id);
  }

  // Whoever was given one may be about to use it, so one that was asked for lately is left alone.
  async function sweep(): Promise<void> {
    for (const [id, one] of [...kept]) {
      if (one.usedAt + idleMs > Date.now()) continue;
      const session = await one.opening.catch(() => undefined);
      if (session?.isIdle && one.usedAt + idleMs <= Date.now() && kept.get(id) === one) await close(id);
    }
  }
  const sweeping = setInterval(() => void sweep().catch(onFault), idleMs / 2).unref();

  return {
    open(id) {
      const before = kept.get(id);
      const opening = before?.opening ?? share(id);
      kept.set(id, { opening, usedAt: Date.now() });
      if (before === undefined) opening.catch(() => kept.delete(id));
      return opening;
    },
    opened: (id) => kept.get(id)?.opening,
    *all() {
      for (const [id, { opening }] of kept) yield [id, opening] as const;
    },
    close,
    async [Symbol.asyncDispose]() {
      clearInterval(sweeping);
      await Promise.all([...kept.keys()].map(close));
    },
  };
}
