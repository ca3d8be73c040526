// Records begun calls and their results, so that no call runs twice. This store lasts as long as the page or the process.
import type { ToolResult } from '../api/tool-calls.ts';

/** `result` is missing for a call that was begun and whose outcome is unknown. */
type Earlier = { result?: ToolResult };

export type ExecutionStore = {
  /** Records the start of the call before it returns; resolves to the earlier record if the call was begun before. */
  begin(key: string): Promise<Earlier | undefined>;
  end(key: string, result: ToolResult): Promise<void>;
};

const maxKept = 10_000;

export function createMemoryStore(): ExecutionStore {
  const earlierByKey = new Map<string, Earlier>();
  return {
    begin(key) {
      const earlier = earlierByKey.get(key);
      if (earlier === undefined) earlierByKey.set(key, {});
      if (earlierByKey.size > maxKept) earlierByKey.delete(earlierByKey.keys().next().value ?? '');
      return Promise.resolve(earlier);
    },
    end(key, result) {
      earlierByKey.set(key, { result });
      return Promise.resolve();
    },
  };
}
