// The workspace as a screen needs it: files, changes with review and undo, processes, terminals.
import {
  changeRoutes,
  fileRoutes,
  processRoutes,
  reviewRoutes,
  type SentBody,
  type SentQuery,
  terminalRoutes,
  worktreeRoutes,
} from '@codelab/api';
import type { Requester } from './requester.ts';

/** With `sessionOf`, in the files of that session: those of its worktree where it has one. It is called for each request. */
export function fileCalls({ ask }: Requester, sessionOf: () => string | undefined = () => undefined) {
  const inSession = () => ({ session_id: sessionOf() });
  return {
    list: (path = '.') => ask(fileRoutes.list, { query: { path, ...inSession() } }),
    read: (path: string) => ask(fileRoutes.read, { query: { path, ...inSession() } }),
    /** Refused with STALE when the file no longer has this fingerprint. */
    write: (body: SentBody<typeof fileRoutes.save>) => ask(fileRoutes.save, { body, isRepeatable: false }),
    find: async (query: string, limit = 20, signal?: AbortSignal) =>
      (await ask(fileRoutes.find, { query: { query, limit, ...inSession() }, signal })).files,
    /** The git state of files that differ from the last commit. */
    marks: async (signal?: AbortSignal) =>
      (await ask(fileRoutes.marks, { query: inSession(), signal })).marks,
    picture: (path: string) => ask(fileRoutes.picture, { query: { path, ...inSession() } }),
    search: (query: SentQuery<typeof fileRoutes.search>, signal?: AbortSignal) =>
      ask(fileRoutes.search, { query: { ...inSession(), ...query }, signal }),
  };
}

/** The git worktree of a session. */
export function worktreeCalls({ ask }: Requester) {
  return {
    get: (id: string, signal?: AbortSignal) => ask(worktreeRoutes.get, { params: { id }, signal }),
    /** With a message, uncommitted files are committed first. On conflicts nothing is changed. */
    merge: (id: string, body: SentBody<typeof worktreeRoutes.merge> = {}) =>
      ask(worktreeRoutes.merge, { params: { id }, body }),
    /** Needs the `print` from `get` where something would be lost. */
    drop: (id: string, body: SentBody<typeof worktreeRoutes.drop> = {}) =>
      ask(worktreeRoutes.drop, { params: { id }, body }),
  };
}

export function changeCalls({ ask }: Requester) {
  return {
    /** By turn, newest first. */
    list: (id: string) => ask(changeRoutes.list, { params: { id } }),
    diff: (id: string, call: string) => ask(changeRoutes.diff, { params: { id, call } }),
    /** Without `turn` and `call_id`, the latest change. */
    undo: (id: string, body: SentBody<typeof changeRoutes.undo> = {}) =>
      ask(changeRoutes.undo, { params: { id }, body }),
    redo: (id: string, body: SentBody<typeof changeRoutes.redo> = {}) =>
      ask(changeRoutes.redo, { params: { id }, body }),
    trash: async () => (await ask(changeRoutes.trash)).entries,
    restore: (trash: string) => ask(changeRoutes.restore, { params: { trash } }),
  };
}

export function reviewCalls({ ask }: Requester) {
  return {
    /** Of one turn; without it, of the whole session. */
    get: (id: string, turn?: number, signal?: AbortSignal) =>
      ask(reviewRoutes.get, { params: { id }, query: { turn }, signal }),
    totals: (id: string, turn?: number, signal?: AbortSignal) =>
      ask(reviewRoutes.totals, { params: { id }, query: { turn }, signal }),
    saveDraft: (id: string, body: SentBody<typeof reviewRoutes.draft>) =>
      ask(reviewRoutes.draft, { params: { id }, body, isRepeatable: true }),
    /** Hunks, files or everything; what no longer applies is refused by name, the rest is discarded. */
    discard: (id: string, body: SentBody<typeof reviewRoutes.discard>) =>
      ask(reviewRoutes.discard, { params: { id }, body }),
    commit: (id: string, body: SentBody<typeof reviewRoutes.commit>) =>
      ask(reviewRoutes.commit, { params: { id }, body }),
  };
}

type Reading = { isRaw?: boolean; signal?: AbortSignal };

export function processCalls({ ask }: Requester) {
  return {
    /** Supervised processes, and the commands of running calls. */
    list: () => ask(processRoutes.list),
    /** The output of a call's command since `cursor`, and ending the command alone: its turn continues. */
    commandOutput: (id: string, call: string, cursor = 0, { signal }: Pick<Reading, 'signal'> = {}) =>
      ask(processRoutes.commandOutput, { params: { id, call }, query: { cursor }, signal }),
    stopCommand: (id: string, call: string) =>
      ask(processRoutes.stopCommand, { params: { id, call }, isRepeatable: true }),
    /** The output since `cursor`, which the previous answer returned; `isRaw`: with escape sequences. */
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

/** Only for the operator at a signed-in page. */
export function terminalCalls({ ask }: Requester) {
  return {
    list: async (id: string) => (await ask(terminalRoutes.list, { params: { id } })).terminals,
    open: (id: string, body: SentBody<typeof terminalRoutes.open>) =>
      ask(terminalRoutes.open, { params: { id }, body }),
    /** The output since `cursor`, which the previous answer returned; waits up to `waitMs` for more. */
    output: (id: string, terminal: string, { cursor = 0, waitMs = 0, signal }: Waiting = {}) =>
      ask(terminalRoutes.output, { params: { id, terminal }, query: { cursor, wait_ms: waitMs }, signal }),
    input: (id: string, terminal: string, input: string) =>
      ask(terminalRoutes.input, { params: { id, terminal }, body: { input } }),
    resize: (id: string, terminal: string, body: SentBody<typeof terminalRoutes.resize>) =>
      ask(terminalRoutes.resize, { params: { id, terminal }, body, isRepeatable: true }),
    close: (id: string, terminal: string) => ask(terminalRoutes.close, { params: { id, terminal } }),
  };
}

type Waiting = { cursor?: number; waitMs?: number; signal?: AbortSignal };
