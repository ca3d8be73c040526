// The supervised processes of a host, by the id their session gave them. All of them end with the host.
import { type Confinement, ToolError } from '@codelab/protocol';
import * as z from 'zod/mini';
import { type Children, createChildren } from '../children.ts';
import type { Supervised, SupervisedOrder } from './supervised.ts';

type Entry = {
  id: string;
  session: string;
  command: string;
  process: Supervised;
  isInterpreter: boolean;
  confinement: Confinement;
};

export type Supervisor = AsyncDisposable & {
  children: Children;
  /** When the host ends by itself. */
  endsAfter: 'call' | 'turn' | undefined;
  /** Throws when a running process has the id. */
  checkFree(id: string): void;
  start(entry: Omit<Entry, 'process'>, order: Omit<SupervisedOrder, 'children'>): Promise<Supervised>;
  /** The process of this session with the id. */
  find(id: string, session: string): Entry;
  list(session: string): Entry[];
  /** The processes of all sessions. */
  all(): Entry[];
};

const mostAlive = 32;
const mostKept = 100;
const closingGraceMs = 2000;

export function createSupervisor(home: string, endsAfter?: 'call' | 'turn'): Supervisor {
  const children = createChildren(home);
  const entries = new Map<string, Entry>();
  const starting = new Set<string>();
  let isClosed = false;

  function checkFree(id: string): void {
    if (isClosed) throw new ToolError('CANCELLED', 'CodeLab is closing.');
    if (isAlive(entries.get(id)) || starting.has(id)) throw idTaken(id);
    if ([...entries.values()].filter(isAlive).length + starting.size >= mostAlive) throw tooManyAlive();
  }

  return {
    ...{ children, endsAfter, checkFree },
    async start(entry, order) {
      checkFree(entry.id);
      starting.add(entry.id);
      try {
        const { startSupervised } = await import('./supervised.ts');
        const started = await startSupervised({ ...order, children });
        entries.delete(entry.id);
        entries.set(entry.id, { ...entry, process: started });
        forgetOldest(entries);
        if (isClosed) await started.end({ graceMs: 0 });
        return started;
      } finally {
        starting.delete(entry.id);
      }
    },
    find(id, session) {
      const entry = entries.get(id);
      if (entry === undefined) throw unknownId(id);
      if (entry.session === session) return entry;
      throw new ToolError(
        'PERMISSION_DENIED',
        `The process ${JSON.stringify(id)} belongs to another session.`,
      );
    },
    list: (session) => [...entries.values()].filter((entry) => entry.session === session),
    all: () => [...entries.values()],
    async [Symbol.asyncDispose]() {
      isClosed = true;
      await children.endAll({ graceMs: closingGraceMs });
      await Promise.all([...entries.values()].map(({ process }) => process.ended));
      children[Symbol.dispose]();
    },
  };
}

function idTaken(id: string): ToolError {
  const text = `A process with the id ${JSON.stringify(id)} is running. End it with kill_process or choose another id.`;
  return new ToolError('INVALID_ARGUMENTS', text, { field: 'process_id' });
}

function tooManyAlive(): ToolError {
  const text = `${mostAlive} processes are already running. End some of them with kill_process.`;
  return new ToolError('CONCURRENT_LIMIT_EXCEEDED', text);
}

function unknownId(id: string): ToolError {
  const text = `There is no process ${JSON.stringify(id)}. list_processes lists them.`;
  return new ToolError('INVALID_ARGUMENTS', text, { field: 'process_id' });
}

function isAlive(entry: Entry | undefined): boolean {
  return entry !== undefined && entry.process.exit === undefined;
}

// The output of ended processes stays readable until there are too many of them.
function forgetOldest(entries: Map<string, Entry>): void {
  for (const [id, entry] of entries) {
    if (entries.size <= mostKept) return;
    if (!isAlive(entry)) entries.delete(id);
  }
}

/** The id that a caller gives to a supervised process. */
export const ProcessId = () =>
  z.string().check(
    z.regex(/^[\w.:@/-]{1,100}$/, {
      error: 'must be 1 to 100 ASCII letters, digits or any of _ . : @ / -',
    }),
  );
