// This window's own gateway: `codelab serve` as a child process without a workspace, started when it is first needed and restarted on the same port
// when it dies. It ends when its standard input closes, which the system does when the extension host is killed.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { ToolError } from '@codelab/protocol';

export type EmbeddedGateway = AsyncDisposable & { url: string; pid: number };

export type EmbeddedOptions = {
  command: string;
  model: string;
  token: string;
  /** Aborts the start; a running gateway ends when it is disposed of. */
  closing: AbortSignal;
  onLog(line: string): void;
  /** Called when the gateway ended by itself and could not be restarted. */
  onLost(reason: string): void;
};

type Running = { child: ChildProcess; url: string; port: number };

const startMs = 30_000;
const endMs = 2000;
const maxRestarts = 5;
const restartMs = 500;

export async function startEmbeddedGateway(options: EmbeddedOptions): Promise<EmbeddedGateway> {
  let running = await start(options, 0);
  let isClosing = false;
  options.closing.addEventListener('abort', () => {
    isClosing = true;
  });
  let restarts = 0;
  const watch = (): void => {
    running.child.once('exit', (code, signal) => {
      if (isClosing) return;
      options.onLog(`The gateway ended (${signal ?? code}).`);
      if (++restarts > maxRestarts) return options.onLost(`The gateway ended ${restarts} times.`);
      setTimeout(() => void again(), restartMs).unref();
    });
  };
  const again = async (): Promise<void> => {
    if (isClosing) return;
    try {
      running = await start(options, running.port);
      if (isClosing) return await end(running.child);
      watch();
    } catch (error) {
      options.onLost(error instanceof Error ? error.message : String(error));
    }
  };
  watch();
  return {
    url: running.url,
    get pid() {
      return running.child.pid ?? 0;
    },
    async [Symbol.asyncDispose]() {
      isClosing = true;
      await end(running.child);
    },
  };
}

async function start(options: EmbeddedOptions, port: number): Promise<Running> {
  const { command, model, token, closing, onLog } = options;
  closing.throwIfAborted();
  const args = [
    'serve',
    '--no-workspace',
    '--no-web',
    '--exit-with-stdin',
    '--json',
    '--log-level',
    'warn',
    '--port',
    String(port),
  ];
  const child = spawn(command, model === '' ? args : [...args, '--model', model], {
    env: { ...ownEnvironment(), CODELAB_TOKEN: token },
    stdio: ['pipe', 'pipe', 'pipe'],
    // On Windows npm installs programs as .cmd files, which only a shell can start.
    shell: process.platform === 'win32',
  });
  // Nothing is written to standard input. The child may be gone when it is closed.
  child.stdin.on('error', () => undefined);
  const stop = (): void => void child.stdin.end();
  closing.addEventListener('abort', stop);
  const lastLines: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    lastLines.push(line);
    lastLines.splice(0, lastLines.length - 5);
    onLog(line);
  });
  try {
    const line = await firstLine(child, () => lastLines.join(' '));
    const { url, port: taken } = JSON.parse(line) as { url: string; port: number };
    return { child, url, port: taken };
  } catch (error) {
    await end(child);
    throw startFailure(command, error);
  } finally {
    closing.removeEventListener('abort', stop);
  }
}

/** Rejects when the child ends without printing an address, or prints none in time. */
function firstLine(child: ChildProcess, explain: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('it did not start in time.')), startMs);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`it ended with ${code}. ${explain()}`)));
    if (child.stdout !== null) createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', () => clearTimeout(timer));
    child.stdout?.once('data', () => clearTimeout(timer));
  });
}

/** Variables that the editor sets for its own processes would change how the gateway and its children run. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const variables = Object.entries(process.env).filter(
    ([name]) => !/^(ELECTRON_|VSCODE_|NODE_OPTIONS$)/.test(name),
  );
  return Object.fromEntries(variables);
}

function startFailure(command: string, error: unknown): ToolError {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  if (isMissing) return new ToolError('FILE_NOT_FOUND', `There is no program ${command}.`);
  const reason = error instanceof Error ? error.message : String(error);
  return new ToolError('EXECUTION_FAILED', `${command} serve could not be started: ${reason}`);
}

/** Closing the pipe is enough: a signal as well would make the gateway end at once. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const gone = once(child, 'exit');
  child.stdin?.end();
  const timer = setTimeout(() => child.kill('SIGKILL'), endMs);
  await gone;
  clearTimeout(timer);
}
