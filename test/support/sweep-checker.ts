// One process that starts hosts one after the other, each as a starting program would. It saves the start of a process, which takes ten
// times as long as the start of a host.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Order, Report } from './sweep-order.ts';

export type Checker = Disposable & { start(order: Order): Promise<Report> };

const longestMs = 30_000;

/** `script` is the bundled sweep-program. */
export function openChecker(script: string): Checker {
  let open: Process | undefined;
  const close = (): void => {
    open?.child.kill('SIGKILL');
    open = undefined;
  };
  return {
    async start(order) {
      open ??= begin(script);
      const timer = setTimeout(close, longestMs);
      const line = await open.ask(order);
      clearTimeout(timer);
      const answer = line === undefined ? { error: 'it ended' } : JSON.parse(line);
      if (!('error' in answer)) return answer as Report;
      // A host that could not start may have left something open.
      close();
      throw new Error(`the start failed: ${answer.error}`);
    },
    [Symbol.dispose]: close,
  };
}

type Process = { child: ChildProcess; ask(order: Order): Promise<string | undefined> };

function begin(script: string): Process {
  const child = spawn(
    process.execPath,
    [script, JSON.stringify({ isChecker: true, calls: [], folder: '' })],
    {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { PATH: process.env.PATH },
    },
  );
  // A process that has ended is found by the answer that does not come.
  child.stdin.on('error', () => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    async ask(order) {
      child.stdin.write(`${JSON.stringify(order)}\n`);
      return (await lines.next()).value;
    },
  };
}
