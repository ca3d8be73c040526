// The chat in a real terminal (tmux): keys go in, the screen comes out.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

export const hasTmux = spawnSync('tmux', ['-V']).status === 0;

const launcher = join(import.meta.dirname, '..', '..', 'apps', 'cli', 'bin', 'codelab.js');
const patience = 20_000;

export type ChatBench = Disposable & {
  folder: string;
  /** The workspace. */
  root: string;
  /** Starts a chat; ends the one before. */
  launch(args: string[], env?: Record<string, string>): void;
  /** The same, until it can be typed into. */
  start(args: string[], env?: Record<string, string>): Promise<void>;
  press(...keys: string[]): void;
  /** Types a text and sends it. */
  send(text: string): void;
  type(text: string): void;
  paste(text: string): void;
  resize(columns: number, rows: number): void;
  /** What stands on the screen, without the empty lines at its end. */
  screen(): string[];
  see(text: string): Promise<string[]>;
  /** Nothing goes on and nothing is typed. */
  idle(): Promise<string[]>;
  until<T>(what: string, look: () => T | undefined): Promise<T>;
  /** The process id of the chat. */
  pid(): number;
  /** How it ended: the exit code, and how the terminal was left. */
  ended(): Promise<{ code: number; terminal: string }>;
};

export function chatBench(files: Record<string, string>): ChatBench {
  const folder = mkdtempSync(join(tmpdir(), 'codelab-chat-'));
  const root = join(folder, 'work');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const tmux: Tmux = (...args) => {
    const socket = ['-f', '/dev/null', '-S', join(folder, 'tmux')];
    return spawnSync('tmux', [...socket, ...args], { encoding: 'utf8' }).stdout ?? '';
  };
  const looking = watchScreen(tmux);
  const ending = join(folder, 'ended');
  const begin: ChatBench['launch'] = (args, env) => {
    rmSync(ending, { force: true });
    launch(tmux, { folder, root, args, env });
  };
  return {
    folder,
    root,
    ...looking,
    ...typeInto(tmux),
    launch: begin,
    async start(args, env) {
      begin(args, env);
      await looking.idle();
    },
    resize: (columns, rows) => void tmux('resize-window', '-x', String(columns), '-y', String(rows)),
    pid: () => Number(readFileSync(join(folder, 'pid'), 'utf8')),
    async ended() {
      await looking.until('the chat ends', () => existsSync(ending) || undefined);
      const [code = '', terminal = ''] = readFileSync(ending, 'utf8').trim().split(' ');
      return { code: Number(code), terminal };
    },
    [Symbol.dispose]() {
      tmux('kill-server');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Tmux = (...args: string[]) => string;

function watchScreen(tmux: Tmux): Pick<ChatBench, 'screen' | 'see' | 'idle' | 'until'> {
  const screen = (): string[] => tmux('capture-pane', '-p').trimEnd().split('\n');
  async function until<T>(what: string, look: () => T | undefined): Promise<T> {
    for (const start = Date.now(); Date.now() - start < patience; await setTimeout(30)) {
      const found = look();
      if (found !== undefined) return found;
    }
    throw new Error(`Waited in vain until ${what}. The screen:\n${screen().join('\n')}`);
  }
  const find = (isIt: (text: string) => boolean) => (): string[] | undefined => {
    const lines = screen();
    return isIt(lines.join('\n')) ? lines : undefined;
  };
  return {
    screen,
    until,
    see: (text) =>
      until(
        `the screen shows ${text}`,
        find((shown) => shown.includes(text)),
      ),
    idle: () =>
      until(
        'nothing goes on',
        find(
          (shown) =>
            shown.includes('❯ Ask for something') &&
            !shown.includes('Esc cancels\n') &&
            /% context$/.test(shown),
        ),
      ),
  };
}

function typeInto(tmux: Tmux): Pick<ChatBench, 'press' | 'type' | 'send' | 'paste'> {
  return {
    press(...keys) {
      for (const key of keys) tmux('send-keys', key);
    },
    type: (text) => void tmux('send-keys', '-l', text),
    send(text) {
      tmux('send-keys', '-l', text);
      tmux('send-keys', 'Enter');
    },
    paste(text) {
      tmux('set-buffer', text);
      tmux('paste-buffer', '-p', '-d');
    },
  };
}

type Launch = { folder: string; root: string; args: string[]; env: Record<string, string> | undefined };

// Run by a shell that stays, as in real life; it tells the process id of the chat, and afterwards how it ended.
function launch(tmux: Tmux, { folder, root, args, env }: Launch): void {
  const words = [process.execPath, launcher, ...args].map((word) => `'${word}'`).join(' ');
  const state = 'stty -a | grep -oE "(^|[ -])(icanon|echo)( |$)" | tr -d " \\n"';
  const chat = `sh -c 'echo $$ > ../pid; exec "$@"' sh ${words}`;
  const after = `code=$?; echo "$code $(${state})" > ../ended.new; mv ../ended.new ../ended; sleep 60`;
  const settings = Object.entries({ CODELAB_HOME: join(folder, 'home'), LANG: 'C.UTF-8', ...env });
  const options = settings.flatMap(([key, value]) => ['-e', `${key}=${value}`]);
  const line = `cd '${root}'; ${chat}; ${after}`;
  if (tmux('list-sessions') === '') tmux('new-session', '-d', '-x', '90', '-y', '45', ...options, line);
  else tmux('respawn-pane', '-k', ...options, line);
}
