// What was begun and how it ended, so that no call is carried out twice. This one lasts as long as the page or the process.
import type { ToolResult } from '../api/tool-calls.ts';

/** `result` is missing for one that was begun and whose end nobody knows. */
type Earlier = { result?: ToolResult };

export type ExecutionStore = {
  /** Notes that it begins, and only then returns; with what is known of it when it was begun before. */
  begin(key: string): Promise<Earlier | undefined>;
  end(key: string, result: ToolResult): Promise<void>;
};

const maxKept = 10_000;

export function createMemoryStore(): ExecutionStore {
  const known = new Map<string, Earlier>();
  return {
    begin(key) {
      const earlier = known.get(key);
      if (earlier === undefined) known.set(key, {});
      if (known.size > maxKept) known.delete(known.keys().next().value ?? '');
      return Promise.resolve(earlier);
    },
    end(key, result) {
      known.set(key, { result });
      return Promise.resolve();
    },
  };
}
