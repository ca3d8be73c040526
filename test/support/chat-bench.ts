// The chat in a real terminal (tmux): keys go in, the screen comes out.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openTerminal, type Terminal } from './terminal.ts';

const launcher = join(import.meta.dirname, '..', '..', 'apps', 'cli', 'bin', 'codelab.js');

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
  /** The screen's text, without empty lines at its end. */
  screen(): string[];
  see(text: string): Promise<string[]>;
  /** Waits until no turn runs and the input is empty. */
  idle(): Promise<string[]>;
  until<T>(condition: string, check: () => T | undefined): Promise<T>;
  /** The process id of the chat. */
  pid(): number;
  /** The exit code, and the state in which the terminal was left. */
  ended(): Promise<{ code: number; terminal: string }>;
};

export function chatBench(files: Record<string, string>): ChatBench {
  const folder = mkdtempSync(join(tmpdir(), 'codelab-chat-'));
  const root = join(folder, 'work');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const terminal = openTerminal(folder, 90, 45);
  const looking = watchScreen(terminal);
  const ending = join(folder, 'ended');
  const begin: ChatBench['launch'] = (args, env) => {
    rmSync(ending, { force: true });
    launch(terminal, { folder, root, args, env });
  };
  return {
    folder,
    root,
    ...looking,
    ...typeInto(terminal),
    launch: begin,
    async start(args, env) {
      begin(args, env);
      await looking.idle();
    },
    resize: (columns, rows) => void terminal.tmux('resize-window', '-x', String(columns), '-y', String(rows)),
    pid: () => Number(readFileSync(join(folder, 'pid'), 'utf8')),
    async ended() {
      await looking.until('the chat ends', () => existsSync(ending) || undefined);
      const [code = '', terminal = ''] = readFileSync(ending, 'utf8').trim().split(' ');
      return { code: Number(code), terminal };
    },
    [Symbol.dispose]() {
      terminal[Symbol.dispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function watchScreen(terminal: Terminal): Pick<ChatBench, 'screen' | 'see' | 'idle' | 'until'> {
  const lines = (screenText: string): string[] => screenText.trimEnd().split('\n');
  const screen = (): string[] => lines(terminal.screen());
  return {
    screen,
    until: terminal.until,
    see: async (text) => lines(await terminal.see(text)),
    idle: () =>
      terminal.until('nothing goes on', () => {
        const screenLines = screen();
        return isIdle(screenLines.join('\n')) ? screenLines : undefined;
      }),
  };
}

function isIdle(screenText: string): boolean {
  return (
    screenText.includes('❯ Ask for something') &&
    !screenText.includes('Esc cancels\n') &&
    /% context$/.test(screenText)
  );
}

function typeInto({ tmux, press }: Terminal): Pick<ChatBench, 'press' | 'type' | 'send' | 'paste'> {
  return {
    press,
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
function launch(terminal: Terminal, { folder, root, args, env }: Launch): void {
  const words = [process.execPath, launcher, ...args].map((word) => `'${word}'`).join(' ');
  const state = 'stty -a | grep -oE "(^|[ -])(icanon|echo)( |$)" | tr -d " \\n"';
  const chat = `sh -c 'echo $$ > ../pid; exec "$@"' sh ${words}`;
  const after = `code=$?; echo "$code $(${state})" > ../ended.new; mv ../ended.new ../ended; sleep 60`;
  const line = `cd '${root}'; ${chat}; ${after}`;
  // Most tests are not about the first start in a folder.
  terminal.run(line, { CODELAB_HOME: join(folder, 'home'), CODELAB_MODE: 'strict', ...env });
}
