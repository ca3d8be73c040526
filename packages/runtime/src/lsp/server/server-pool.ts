// The servers of one workspace, one per language, shared by all sessions. A failing server is an answer, not an error: the caller gets
// the state of the server and what to do instead.
import { visible } from '@codelab/protocol';
import { openPrograms } from '../../process/open-programs.ts';
import type { ChildPrograms } from '../../process/programs.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { OddAnswer } from '../answers.ts';
import { ConnectionLost, isRefusal, NoAnswer } from './connection.ts';
import { type FoundServer, findServer, languageOfFile, type MissingServer } from './find-server.ts';
import { type Hold, NotStarted } from './launch-server.ts';
import type { LiveServer } from './live-server.ts';
import { type LspSettings, languagesFor, type ServedLanguage } from './lsp-settings.ts';
import { ServerSlot } from './server-slot.ts';
import { createTreeWatch, type TreeWatch } from './watch-files.ts';

export type ServersOrder = { workspace: Workspace; home: string; settings: LspSettings; hold: Hold };

/** Why a question was not answered. */
export type UnansweredQuestion = {
  status: 'not_installed' | 'unsupported' | 'error' | 'unavailable';
  message: string;
  server?: string;
  install?: string;
};

export type ServedFile = { server: LiveServer; languageId: string; files: TreeWatch };

export type ServerPool = AsyncDisposable & {
  languages: readonly ServedLanguage[];
  /** Asks the server of a file and starts it if necessary; asks once more when the server was lost meanwhile. */
  use<T>(
    path: string,
    signal: AbortSignal,
    ask: (served: ServedFile) => Promise<T>,
  ): Promise<T | UnansweredQuestion>;
  /** The running server of a file; starts nothing. */
  running(path: string): ServedFile | undefined;
  /** Call when a call has changed files of the workspace. */
  noteChanges(paths: readonly string[]): void;
};

const defaultMemory = 2 * 1024 ** 3;
const defaultIdleMs = 5 * 60_000;
const defaultStartMs = 20_000;

export function createServerPool({ workspace, home, settings, hold }: ServersOrder): ServerPool {
  const root = workspace.root.real;
  const { memoryBytes = defaultMemory, idleMs = defaultIdleMs, startMs = defaultStartMs } = settings;
  const languages = languagesFor(settings);
  const slots = new Map<string, ServerSlot>();
  const closing = new AbortController();
  let opening: Promise<ChildPrograms> | undefined;
  const programs = (): Promise<ChildPrograms> => (opening ??= openPrograms({ home, root }));

  function slotFor({ name, extensions }: ServedLanguage): ServerSlot {
    const current = slots.get(name);
    if (current !== undefined) return current;
    const files = createTreeWatch(root, Object.keys(extensions));
    const limits = { memoryBytes, idleMs, startMs };
    const slot = new ServerSlot({ root, hold, ...limits, programs, files, closing: closing.signal });
    slots.set(name, slot);
    return slot;
  }

  function running(path: string): ServedFile | undefined {
    const file = languageOfFile(path, languages);
    const slot = file && slots.get(file.language.name);
    if (file === undefined || slot?.live === undefined) return undefined;
    return { server: slot.live, languageId: file.id, files: slot.files };
  }

  return {
    languages,
    running,
    async use(path, signal, ask) {
      const file = languageOfFile(path, languages);
      if (file === undefined) return unsupported(path);
      const slot = slotFor(file.language);
      const program = slot.live?.found ?? findServer(file.language, root);
      if ('status' in program) return notThere(program);
      return await askSlot(slot, program, signal, (server) =>
        ask({ server, languageId: file.id, files: slot.files }),
      );
    },
    noteChanges(paths) {
      for (const { files, live } of slots.values()) if (live !== undefined) files.note(paths);
    },
    async [Symbol.asyncDispose]() {
      closing.abort(new ConnectionLost('CodeLab is closing.'));
      await Promise.all([...slots.values()].map((slot) => slot[Symbol.asyncDispose]()));
      (await opening)?.[Symbol.dispose]();
    },
  };
}

/** A server that is lost during a question is restarted once. */
async function askSlot<T>(
  slot: ServerSlot,
  found: FoundServer,
  signal: AbortSignal,
  ask: (server: LiveServer) => Promise<T>,
): Promise<T | UnansweredQuestion> {
  for (let mayRetry = slot.live !== undefined; ; mayRetry = false) {
    try {
      const answer = await ask(await slot.server(found, signal));
      slot.note('answered');
      return answer;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ConnectionLost && mayRetry) continue;
      if (error instanceof NoAnswer) slot.note('silent');
      return failed(error, found);
    }
  }
}

function unsupported(path: string): UnansweredQuestion {
  const message = `No language server is known for ${path}. Add one to lsp.servers in the configuration, with its \`extensions\`.`;
  return { status: 'unsupported', message };
}

function notThere({ status, server, install, why, language }: MissingServer): UnansweredQuestion {
  if (status === 'unavailable')
    return { status, server, message: `${language}: ${server}. ${why ?? ''}`.trim() };
  const message = `${server}, the language server for ${language}, is not installed.${why === undefined ? '' : ` ${why}`}`;
  return { status, server, install, message };
}

/** A failure of the server is an answer; a failure of the call, such as a position that the file does not have, is an error. */
function failed(error: unknown, { server }: FoundServer): UnansweredQuestion {
  if (error instanceof NotStarted) return { status: 'unavailable', server, message: error.message };
  const isServers = [ConnectionLost, NoAnswer, OddAnswer].some((kind) => error instanceof kind);
  if (!isServers && !isRefusal(error)) throw error;
  const problem = error instanceof Error ? error.message : String(error);
  return { status: 'error', server, message: visible(`${server} failed. ${problem}`.slice(0, 1000)) };
}
