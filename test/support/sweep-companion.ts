// A second host in the same workspace: it runs in another process, open from before the kill until after the checks. A process
// serves many combinations, with a new host for each, because it takes ten times as long to start as a host.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export type Companion = AsyncDisposable & {
  /** Writes again and returns the outcome. */
  write(): Promise<string>;
};

export type CompanionProcess = AsyncDisposable & { open(folder: string): Promise<Companion> };

/** `script` is the bundled sweep-program. */
export function openCompanions(script: string): CompanionProcess {
  let running: Running | undefined;
  return {
    async open(folder) {
      running ??= begin(script);
      const { ask } = running;
      const answer = await ask('open', folder);
      if (answer !== '"ready"') {
        running.child.kill('SIGKILL');
        running = undefined;
        throw new Error(`a companion could not start: ${answer}`);
      }
      return {
        write: () => ask('write', folder),
        [Symbol.asyncDispose]: async () => void (await ask('close', folder)),
      };
    },
    async [Symbol.asyncDispose]() {
      const child = running?.child;
      running = undefined;
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const closed = once(child, 'close');
      child.stdin?.end();
      await closed;
    },
  };
}

type Place = {
  folder: string;
  bench: { script(name: string): string };
  companions?: CompanionProcess | undefined;
};

/** In the lane's process for companions, or in a separate one. */
export async function accompany({ folder, bench, companions }: Place): Promise<Companion> {
  if (companions !== undefined) return await companions.open(folder);
  const opened = openCompanions(bench.script('sweep-program'));
  const companion = await opened.open(folder);
  return {
    write: companion.write,
    async [Symbol.asyncDispose]() {
      await companion[Symbol.asyncDispose]();
      await opened[Symbol.asyncDispose]();
    },
  };
}

type Running = { child: ChildProcess; ask(question: string, folder: string): Promise<string> };

function begin(script: string): Running {
  const order = JSON.stringify({ folder: '', calls: [], isCompanion: true });
  const child = spawn(process.execPath, [script, order], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { PATH: process.env.PATH },
  });
  // A process that has ended is found by the answer that does not come.
  child.stdin.on('error', () => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    async ask(question, folder) {
      child.stdin.write(`${JSON.stringify({ what: question, folder })}\n`);
      return String((await lines.next()).value ?? 'it ended');
    },
  };
}
