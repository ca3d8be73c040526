// The workspace as a screen needs it: files, what was changed and how to undo it, processes.
import { changeRoutes, fileRoutes, processRoutes, type SentBody } from '@codelab/api';
import type { Requester } from './requester.ts';

export function fileCalls({ ask }: Requester) {
  return {
    list: (path = '.') => ask(fileRoutes.list, { query: { path } }),
    read: (path: string) => ask(fileRoutes.read, { query: { path } }),
    /** Refused with STALE when the file is no longer the one with this fingerprint. */
    write: (body: SentBody<typeof fileRoutes.save>) => ask(fileRoutes.save, { body, isRepeatable: false }),
    find: async (query: string, limit = 20, signal?: AbortSignal) =>
      (await ask(fileRoutes.find, { query: { query, limit }, signal })).files,
  };
}

export function changeCalls({ ask }: Requester) {
  return {
    /** By turn, newest first. */
    list: (id: string) => ask(changeRoutes.list, { params: { id } }),
    diff: (id: string, call: string) => ask(changeRoutes.diff, { params: { id, call } }),
    /** Without `turn` and `call_id`: the latest. */
    undo: (id: string, body: SentBody<typeof changeRoutes.undo> = {}) =>
      ask(changeRoutes.undo, { params: { id }, body }),
    redo: (id: string, body: SentBody<typeof changeRoutes.redo> = {}) =>
      ask(changeRoutes.redo, { params: { id }, body }),
    trash: async () => (await ask(changeRoutes.trash)).entries,
    restore: (trash: string) => ask(changeRoutes.restore, { params: { trash } }),
  };
}

type Reading = { isRaw?: boolean; signal?: AbortSignal };

export function processCalls({ ask }: Requester) {
  return {
    /** Long-running processes, and the commands of calls that run now. */
    list: () => ask(processRoutes.list),
    /** What the command of a call has printed since `cursor`, and ending it alone: its turn goes on. */
    commandOutput: (id: string, call: string, cursor = 0, { signal }: Pick<Reading, 'signal'> = {}) =>
      ask(processRoutes.commandOutput, { params: { id, call }, query: { cursor }, signal }),
    stopCommand: (id: string, call: string) =>
      ask(processRoutes.stopCommand, { params: { id, call }, isRepeatable: true }),
    /** What it has printed since `cursor`, which the answer before gave; `isRaw`: with its escape sequences. */
    output: (id: string, cursor = 0, { isRaw = false, signal }: Reading = {}) =>
      ask(processRoutes.output, {
        params: { id },
        query: { cursor, ...(isRaw && { raw: 'true' as const }) },
        signal,
      }),
    input: (id: string, input: string) => ask(processRoutes.input, { params: { id }, body: { input } }),
    stop: (id: string) => ask(processRoutes.stop, { params: { id } }),
    restart: (id: string) => ask(processRoutes.restart, { params: { id } }),
  };
}
