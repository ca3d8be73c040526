// Who wants to add to a session waits here. Those that look at different calls can't disturb each other and are written together.
import type { EventBody, SessionEvent } from '@codelab/protocol';

export type CommitOptions = {
  /** On the disk before it is answered. */
  durable?: boolean;
  /** `build` looks at the state of this call, and at nothing else of the session. */
  about?: string;
};

export type Commit = {
  build: () => EventBody[];
  options: CommitOptions;
  resolve(events: SessionEvent[]): void;
  reject(error: unknown): void;
};

export type CommitQueue = { add(build: () => EventBody[], options: CommitOptions): Promise<SessionEvent[]> };

/** `write` answers every one of a group. */
export function createCommitQueue(write: (group: Commit[]) => Promise<void>): CommitQueue {
  const waiting: Commit[] = [];
  let isWriting = false;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.splice(0, groupLength(waiting));
      try {
        await write(group);
      } catch (error) {
        for (const one of group) one.reject(error);
      }
    }
    isWriting = false;
  }

  return {
    add: (build, options) =>
      new Promise((resolve, reject) => {
        waiting.push({ build, options, resolve, reject });
        if (isWriting) return;
        isWriting = true;
        // Calls that are as far in this turn of the event loop come along.
        process.nextTick(() => void writeAll());
      }),
  };
}

/** How many from the front each look at a call of their own; one that looks at more goes alone. */
function groupLength(waiting: readonly Commit[]): number {
  const calls = new Set<string>();
  for (const { options } of waiting) {
    if (options.about === undefined || calls.has(options.about)) break;
    calls.add(options.about);
  }
  return Math.max(1, calls.size);
}

type Asked = { commit: Commit; bodies: EventBody[] };

/** What one wants to add in the present state; whoever wants nothing, or refuses, is answered here. */
export function askBuild(commit: Commit): Asked[] {
  try {
    const bodies = commit.build();
    if (bodies.length > 0) return [{ commit, bodies: [...bodies] }];
    commit.resolve([]);
  } catch (error) {
    commit.reject(error);
  }
  return [];
}
