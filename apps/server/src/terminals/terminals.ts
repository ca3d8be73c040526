// The operator's open terminals in the page: each belongs to a session, whose log records its opening and its end. They end with their
// session and with the gateway; input and output exist only in memory.
import { type Actor, type TerminalEnd, ToolError } from '@codelab/protocol';
import {
  openPersonTerminal,
  type PersonTerminal,
  personShell,
  randomId,
  type TerminalSize,
} from '@codelab/runtime';
import type { SharedSession } from '../sessions/gateway.ts';

export type TerminalEntry = {
  id: string;
  session: string;
  shell: string;
  cwd: string;
  startedAt: string;
  terminal: PersonTerminal;
};

export type PersonTerminals = AsyncDisposable & {
  all(session: string): TerminalEntry[];
  /** Throws FILE_NOT_FOUND. */
  find(session: string, id: string): TerminalEntry;
  open(session: SharedSession, by: Actor, size: TerminalSize): Promise<TerminalEntry>;
  close(entry: TerminalEntry, by: Actor): Promise<void>;
  /** The session was deleted. */
  closeAll(session: string): Promise<void>;
};

type Options = {
  /** False when the configuration switches terminals off. */
  isOn: boolean;
  onFault(error: unknown): void;
};

/** The most terminals of a gateway, including ended ones that are still on a screen. */
const maxTerminals = 16;

type OpenTerminal = TerminalEntry & {
  host: SharedSession['host'];
  /** How and by whom the terminal is ended; missing when the shell ends itself. */
  ending?: { end: TerminalEnd; by?: Actor };
  /** Resolves when the end is in the log. */
  recorded: Promise<void>;
};

export function openTerminals({ isOn, onFault }: Options): PersonTerminals {
  const terminals = new Map<string, OpenTerminal>();
  let isClosed = false;
  let opening = 0;

  async function end(entry: OpenTerminal, ending: NonNullable<OpenTerminal['ending']>): Promise<void> {
    entry.ending ??= ending;
    await entry.terminal.close();
    await entry.recorded;
    terminals.delete(entry.id);
  }

  return {
    all: (session) => [...terminals.values()].filter((terminal) => terminal.session === session),
    find(session, id) {
      const found = terminals.get(id);
      if (found !== undefined && found.session === session) return found;
      throw new ToolError(
        'FILE_NOT_FOUND',
        `There is no terminal ${JSON.stringify(id.slice(0, 100))} in this session. Open a new one.`,
      );
    },
    async open(session, by, size) {
      if (!isOn) throw switchedOff();
      if (session.client !== undefined) throw filesElsewhere();
      if (session.worktree?.missing !== undefined) throw session.worktree.missing;
      makeRoom(terminals, opening++);
      const entry = await start(session, by, size).finally(() => opening--);
      const recorded = entry.terminal.ended
        .then((exit) => record(entry, exit))
        .catch(unlessDeleted)
        .catch(onFault);
      const opened: OpenTerminal = Object.assign(entry, { recorded });
      terminals.set(entry.id, opened);
      if (isClosed) await end(opened, { end: 'stopped' });
      return opened;
    },
    close: async ({ id }, by) => {
      const entry = terminals.get(id);
      if (entry !== undefined) await end(entry, { end: 'closed', by });
    },
    async closeAll(session) {
      const ofSession = [...terminals.values()].filter((terminal) => terminal.session === session);
      await Promise.all(ofSession.map((terminal) => end(terminal, { end: 'stopped' })));
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      await Promise.all([...terminals.values()].map((terminal) => end(terminal, { end: 'stopped' })));
    },
  };
}

/** The start is recorded before it happens, like that of a call. */
async function start(
  { host, id: session }: SharedSession,
  by: Actor,
  size: TerminalSize,
): Promise<Omit<OpenTerminal, 'recorded'>> {
  const id = randomId();
  const shell = personShell();
  const cwd = host.workspace.root.real;
  const opened = { type: 'terminal.opened' as const, terminal: id, by, shell: shell.program, cwd };
  const live = await host.session(session);
  await live.commit(() => [opened], { durable: true });
  const facts = { id, session, shell: shell.program, cwd, startedAt: new Date().toISOString(), host };
  try {
    return { ...facts, terminal: await openPersonTerminal({ shell, cwd, size }) };
  } catch (error) {
    const closed = { type: 'terminal.closed' as const, terminal: id, end: 'failed' as const };
    await live.commit(() => [{ ...closed, exitCode: null, bytes: 0 }]);
    throw error;
  }
}

type Exit = NonNullable<PersonTerminal['exit']>;

async function record(entry: Omit<OpenTerminal, 'recorded'>, { code, signal }: Exit): Promise<void> {
  const { host, session, id: terminal, ending = { end: 'exited' } } = entry;
  const live = await host.session(session);
  const outcome = { ...ending, exitCode: code, ...(signal !== null && { signal }) };
  const bytes = entry.terminal.printed;
  await live.commit(() => [{ type: 'terminal.closed', terminal, ...outcome, bytes }]);
}

/** An ended terminal makes room for a new one. */
function makeRoom(terminals: Map<string, OpenTerminal>, opening: number): void {
  if (terminals.size + opening < maxTerminals) return;
  const [ended] = [...terminals.values()].filter(({ terminal }) => terminal.exit !== undefined);
  if (ended !== undefined) terminals.delete(ended.id);
  else
    throw new ToolError(
      'CONCURRENT_LIMIT_EXCEEDED',
      `${maxTerminals} terminals are open at this gateway. Close one, then open another.`,
    );
}

function unlessDeleted(error: unknown): void {
  if (!(error instanceof ToolError && error.code === 'SESSION_NOT_FOUND')) throw error;
}

function switchedOff(): ToolError {
  return new ToolError(
    'PERMISSION_DENIED',
    'Terminals are switched off by `terminal` in config.json. Set it to true, in the workspace’s file as well, and start the gateway again.',
    { reason: 'TERMINAL_OFF' },
  );
}

function filesElsewhere(): ToolError {
  return new ToolError(
    'INVALID_ARGUMENTS',
    'The files of this session are on the client that runs its calls. Open a terminal there.',
  );
}
