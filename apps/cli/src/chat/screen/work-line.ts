// Runs sent lines one after the other; lines that come while one runs wait.

export type WorkLine = {
  readonly current: { signal: AbortSignal; since: number } | undefined;
  readonly queue: readonly string[];
  submit(text: string): void;
  /** Removes the last line from the queue. */
  takeBack(): string | undefined;
  /** Cancels the running line and returns the queued ones. */
  cancel(): string[];
  /** Resolves when nothing runs; no line starts after it. */
  stop(): Promise<void>;
};

type Options = {
  /** `isBeside`: another line is running. */
  carryOut(text: string, signal: AbortSignal, options: { isBeside: boolean }): Promise<void>;
  /** Whether the line may run beside the running one. */
  isAnytime(text: string): boolean;
  onFail(error: unknown): void;
  onChange(): void;
};

export function createWorkLine({ carryOut, isAnytime, onFail, onChange }: Options): WorkLine {
  let current: { abort: AbortController; signal: AbortSignal; since: number } | undefined;
  let queue: string[] = [];
  let isStopped = false;
  let running = Promise.resolve();

  async function run(text: string): Promise<void> {
    const abort = new AbortController();
    current = { abort, signal: abort.signal, since: Date.now() };
    onChange();
    try {
      await carryOut(text, abort.signal, { isBeside: false });
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
      if (current === undefined) running = run(text);
      else if (isAnytime(text)) carryOut(text, current.signal, { isBeside: true }).catch(onFail);
      else queue.push(text);
    },
    takeBack() {
      const last = queue.pop();
      onChange();
      return last;
    },
    cancel() {
      const waited = queue;
      queue = [];
      current?.abort.abort();
      return waited;
    },
    async stop() {
      isStopped = true;
      current?.abort.abort();
      await running;
    },
  };
}

// A spinner that turns while there is work, and has no timer while there is none.

export type TickTimer = { readonly sign: string; start(): void; stop(): void };

const signs = [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'];
const everyMs = 120;

export function createTickTimer(onTick: () => void): TickTimer {
  let at = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    get sign() {
      return signs[at % signs.length] ?? '';
    },
    start() {
      timer ??= setInterval(() => {
        at++;
        onTick();
      }, everyMs);
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
    },
  };
}
