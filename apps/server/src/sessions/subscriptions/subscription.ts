// Subscriptions to a session: everything after an entry, then new messages. Each subscription has a bounded queue, so that a slow
// subscriber delays no one; entries that its queue dropped are read from the log.
import type { SessionLog, SessionMessage } from '@codelab/protocol';
import type { LiveSession } from '@codelab/runtime';
import { charsOf, logPage } from '../../log/entries.ts';
import { charsIn, createSubscriptionQueue, deltaOf, type Waiting } from './subscription-queue.ts';

/** `last`: the last entry sent to subscribers. */
type Source = {
  log: SessionLog;
  live: LiveSession;
  subscribers: Subscribers;
  last(): number;
  /** The streamed part of a reply that is not in the log yet. */
  reply(): { text: string; reasoning: string } | undefined;
};

export async function* listen(
  { log, live, subscribers, last: toldLast, reply: replyNow }: Source,
  { since, signal }: { since: number; signal: AbortSignal },
): AsyncGenerator<SessionMessage> {
  // In one synchronous step, so that every entry is either read or delivered.
  const subscription = subscribers.open();
  const lastTold = toldLast();
  const reply = replyNow();
  signal.addEventListener('abort', subscription.close, { once: true });
  let last = since;
  async function* readThrough(through: number): AsyncGenerator<SessionMessage> {
    while (last < through && !signal.aborted) {
      // No further, because signals sent before a later entry are delivered before it.
      const limit = Math.min(logPage.limit, through - last);
      const events = await log.read(live.id, { since: last, ...logPage, limit });
      if (events.length === 0) return;
      for (const event of events) {
        last = event.seq;
        yield { type: 'event', event };
        if (signal.aborted) return;
      }
    }
  }
  try {
    // Entries of the log that are not yet known here are delivered like new ones.
    await live.catchUp();
    yield* readThrough(lastTold);
    if (reply !== undefined) yield { type: 'live', ...reply };
    for await (const heard of subscription) {
      if (signal.aborted) return;
      if (heard.type === 'log') yield* readThrough(heard.through);
      else if (heard.type !== 'event') yield heard;
      else if (heard.event.seq > last) {
        last = heard.event.seq;
        yield heard;
      }
    }
  } finally {
    signal.removeEventListener('abort', subscription.close);
    subscription.close();
  }
}

export type Subscribers = Disposable & {
  tell(heard: SessionMessage): void;
  open(): Subscription;
  readonly count: number;
};

export function createSubscribers(): Subscribers {
  const subscriptions = new Set<Subscription>();
  return {
    get count() {
      return subscriptions.size;
    },
    tell(heard) {
      let lastSent: number | undefined;
      const weight = (): number => {
        lastSent ??= (heard.type === 'event' ? charsOf(heard.event) : undefined) ?? charsIn(heard);
        return lastSent;
      };
      for (const subscription of subscriptions) subscription.push(heard, weight);
    },
    open() {
      const subscription = createSubscription(() => subscriptions.delete(subscription));
      subscriptions.add(subscription);
      return subscription;
    },
    [Symbol.dispose]() {
      for (const subscription of [...subscriptions]) subscription.close();
    },
  };
}

/** A model writes faster than people read, and a message for each word would use all of the gateway's time. */
const textEveryMs = 40;

/** Ends when it is closed. `weight` is computed only when something is queued. */
type Subscription = AsyncIterable<Waiting> & {
  push(heard: SessionMessage, weight: () => number): void;
  close(): void;
};

function createSubscription(onClose: () => void): Subscription {
  const queue = createSubscriptionQueue();
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
  // The first word is delivered immediately; words that follow closely are delivered together.
  function wakeForText(): void {
    const waitMs = toldAt + textEveryMs - performance.now();
    if (waitMs <= 0) wakeNow();
    else later ??= setTimeout(wakeNow, waitMs);
  }
  return {
    close,
    push(heard, weight) {
      if (!isOpen) return;
      queue.add(heard, weight);
      if (deltaOf(heard) === undefined) wakeNow();
      else if (later === undefined) wakeForText();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const { next } = queue;
        const isEarly = later !== undefined && next !== undefined && deltaOf(next) !== undefined;
        const message = isEarly ? undefined : queue.take();
        if (message !== undefined) yield message;
        else if (!isOpen) return;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    },
  };
}
