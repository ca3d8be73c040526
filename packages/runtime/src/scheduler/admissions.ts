// How many calls of one session are under way, whether they run, wait for a place or for a human. One too many is refused before
// anything is recorded of it: it costs nothing, and the same call can be made again.
import { ToolError } from '@codelab/protocol';

export type Admissions = {
  /** Counts a call until it is disposed of. */
  enter(session: string, most: number): Disposable;
};

export function createAdmissions(): Admissions {
  const counts = new Map<string, number>();
  return {
    enter(session, most) {
      const count = counts.get(session) ?? 0;
      if (count >= most)
        throw new ToolError(
          'CONCURRENT_LIMIT_EXCEEDED',
          `${count} calls of this session are under way. Wait for some to finish, then send this one again; nothing was recorded of it.`,
          { limit: most },
        );
      counts.set(session, count + 1);
      return {
        [Symbol.dispose]() {
          const left = (counts.get(session) ?? 1) - 1;
          if (left > 0) counts.set(session, left);
          else counts.delete(session);
        },
      };
    },
  };
}
