// The commands that run here now: since when, what they printed lately, and how to end one of them. The log does not know all of them: what
// changes nothing is recorded when it has ended.
import { type ToolCall, ToolError } from '@codelab/protocol';

export type RunningCommand = {
  call: ToolCall;
  startedAt: number;
  /** What it has printed since a cursor, as far as it is still there. */
  read(cursor: number): { output: string; cursor: number; dropped: number };
  /** Ends this one call; whoever waits for it is told that it was cancelled. */
  stop(): void;
};

type Begun = Disposable & { signal: AbortSignal; note(progress: Record<string, unknown>): void };

export type RunningCommands = {
  /** `signal` of what is returned aborts with the one given, too. */
  begin(call: ToolCall, signal: AbortSignal): Begun;
  list(): RunningCommand[];
};

const keptChars = 128 * 1024;

export function createRunningCommands(): RunningCommands {
  const calls = new Set<RunningCommand>();
  return {
    begin(call, signal) {
      const stopped = new AbortController();
      const tail = createTail();
      const stop = (): void =>
        stopped.abort(
          new ToolError('CANCELLED', 'A human stopped this call. What it had done by then stands.'),
        );
      const one: RunningCommand = { call, startedAt: Date.now(), read: tail.read, stop };
      calls.add(one);
      return {
        signal: AbortSignal.any([signal, stopped.signal]),
        note: ({ stdout, stderr }) => tail.push(textOf(stdout) + textOf(stderr)),
        [Symbol.dispose]: () => void calls.delete(one),
      };
    },
    list: () => [...calls],
  };
}

function createTail(): { push(text: string): void; read: RunningCommand['read'] } {
  let kept = '';
  let total = 0;
  return {
    push(text) {
      total += text.length;
      kept = (kept + text).slice(-keptChars);
    },
    read(cursor) {
      const first = total - kept.length;
      const from = Math.min(Math.max(cursor, first), total);
      return { output: kept.slice(from - first), cursor: total, dropped: Math.max(0, first - cursor) };
    },
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
