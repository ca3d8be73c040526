// What was sent is done one after the other; what comes while something is under way waits its turn.

export type WorkLine = {
  readonly current: { signal: AbortSignal; since: number } | undefined;
  readonly queue: readonly string[];
  submit(text: string): void;
  /** Ends what is under way; what waited is given back. */
  cancel(): string[];
  /** Resolves once nothing is under way; nothing begins any more. */
  stop(): Promise<void>;
};

type Options = {
  carryOut(text: string, signal: AbortSignal): Promise<void>;
  /** It may run beside what is under way. */
  isAnytime(text: string): boolean;
  onFail(error: unknown): void;
  onChange(): void;
};

export function createWorkLine({ carryOut, isAnytime, onFail, onChange }: Options): WorkLine {
  let current: { abort: AbortController; signal: AbortSignal; since: number } | undefined;
  let queue: string[] = [];
  let isStopped = false;
  let done = Promise.resolve();

  async function run(text: string): Promise<void> {
    const abort = new AbortController();
    current = { abort, signal: abort.signal, since: Date.now() };
    onChange();
    try {
      await carryOut(text, abort.signal);
    } catch (error) {
      if (!abort.signal.aborted) onFail(error);
    }
    current = undefined;
    const next = isStopped ? undefined : queue.shift();
    onChange();
    if (next !== undefined) await run(next);
  }
  return {
    get current() {
      return current;
    },
    get queue() {
      return queue;
    },
    submit(text) {
      if (isStopped) return;
      if (current === undefined) done = run(text);
      else if (isAnytime(text)) carryOut(text, current.signal).catch(onFail);
      else queue.push(text);
    },
    cancel() {
      const waited = queue;
      queue = [];
      current?.abort.abort();
      return waited;
    },
    async stop() {
      isStopped = true;
      queue = [];
      current?.abort.abort();
      await done;
    },
  };
}
