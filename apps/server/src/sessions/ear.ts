// One listener of a session: what it is told waits in its backlog until it asks for more.
import type { SessionMessage } from '@codelab/protocol';
import { createBacklog, deltaOf, type Waiting } from './backlog.ts';

/** A model speaks faster than an eye reads, and a message for each of its words would keep the gateway busy with nothing else. */
const textEveryMs = 40;

/** Ends when it is closed. `weight` is asked for only when something waits. */
export type Ear = AsyncIterable<Waiting> & {
  push(heard: SessionMessage, weight: () => number): void;
  close(): void;
};

export function createEar(onClose: () => void): Ear {
  const backlog = createBacklog();
  let isOpen = true;
  let wake = (): void => undefined;
  let later: NodeJS.Timeout | undefined;
  let toldAt = 0;
  function close(): void {
    isOpen = false;
    onClose();
    wakeNow();
  }
  function wakeNow(): void {
    clearTimeout(later);
    later = undefined;
    toldAt = performance.now();
    wake();
  }
  // The first word comes at once; those that follow closely are told together.
  function wakeForText(): void {
    const waitMs = toldAt + textEveryMs - performance.now();
    if (waitMs <= 0) wakeNow();
    else later ??= setTimeout(wakeNow, waitMs);
  }
  return {
    close,
    push(heard, weight) {
      if (!isOpen) return;
      backlog.add(heard, weight);
      if (deltaOf(heard) === undefined) wakeNow();
      else if (later === undefined) wakeForText();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const { next } = backlog;
        const isEarly = later !== undefined && next !== undefined && deltaOf(next) !== undefined;
        const told = isEarly ? undefined : backlog.take();
        if (told !== undefined) yield told;
        else if (!isOpen) return;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    },
  };
}
