// A real terminal (tmux): keys go in, the screen comes out.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

export const hasTmux = spawnSync('tmux', ['-V']).status === 0;

const patience = 30_000;

export type Terminal = Disposable & {
  /** Runs a line of shell in it; ends the one before. */
  run(line: string, env: Record<string, string>): void;
  tmux(...args: string[]): string;
  press(...keys: string[]): void;
  screen(): string;
  see(text: string): Promise<string>;
  until<T>(condition: string, check: () => T | undefined): Promise<T>;
};

export function openTerminal(folder: string, columns: number, rows: number): Terminal {
  const tmux: Terminal['tmux'] = (...args) => {
    const socket = ['-f', '/dev/null', '-S', join(folder, 'tmux')];
    return spawnSync('tmux', [...socket, ...args], { encoding: 'utf8' }).stdout ?? '';
  };
  const screen = (): string => tmux('capture-pane', '-p');
  const until: Terminal['until'] = async (condition, check) => {
    for (const start = Date.now(); Date.now() - start < patience; await setTimeout(30)) {
      const found = check();
      if (found !== undefined) return found;
    }
    throw new Error(`Waited in vain until ${condition}. The screen:\n${screen()}`);
  };
  return {
    // The server stays: a server that is ending would lose a session started on its socket.
    run(line, env) {
      const settings = Object.entries({ LANG: 'C.UTF-8', ...env }).flatMap(([key, value]) => [
        '-e',
        `${key}=${value}`,
      ]);
      const size = ['-x', String(columns), '-y', String(rows)];
      if (tmux('list-sessions') === '') tmux('new-session', '-d', ...size, ...settings, line);
      else tmux('respawn-pane', '-k', ...settings, line);
    },
    tmux,
    screen,
    until,
    press(...keys) {
      for (const key of keys) tmux('send-keys', key);
    },
    see: (text) =>
      until(`the screen shows ${text}`, () => {
        const screenText = screen();
        return screenText.includes(text) ? screenText : undefined;
      }),
    [Symbol.dispose]: () => void tmux('kill-server'),
  };
}
