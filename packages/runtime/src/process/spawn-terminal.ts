// Starts a program in a terminal of its own, for programs that want one.
import { constants } from 'node:os';
import type { Child, Exit, SpawnOrder } from './spawn-child.ts';

type TerminalOrder = Omit<SpawnOrder, 'pipes' | 'takesInput' | 'onBytes'> & { onBytes(bytes: Buffer): void };

export type Terminal = Omit<Child, 'stdin' | 'resume'> & { write(text: string): void };

const size = { cols: 120, rows: 40 };

export async function spawnTerminal({ argv, cwd, env, marker, onBytes }: TerminalOrder): Promise<Terminal> {
  const { spawn } = await import('@lydell/node-pty');
  const [program = '', ...args] = argv;
  const terminal = spawn(program, args, { ...size, name: 'xterm-256color', cwd, env, encoding: null });
  // Without an encoding it gives bytes, whatever its types say.
  terminal.onData((data: string | Buffer) => onBytes(Buffer.from(data)));
  const exited = new Promise<Exit>((resolve) => {
    terminal.onExit(({ exitCode, signal }) =>
      resolve(signal ? { code: null, signal: signalName(signal) } : { code: exitCode, signal: null }),
    );
  });
  return {
    pid: terminal.pid,
    marker,
    bornAt: performance.now(),
    exited,
    silent: exited.then(() => undefined),
    // Its end of the terminal closes with the program.
    close: () => undefined,
    write: (text) => terminal.write(text),
  };
}

function signalName(number: number): NodeJS.Signals {
  const names = Object.entries(constants.signals) as [NodeJS.Signals, number][];
  return names.find(([, value]) => value === number)?.[0] ?? 'SIGKILL';
}
