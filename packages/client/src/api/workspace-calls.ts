// The workspace as a screen needs it: files, what was changed and how to take it back, processes.
import type { Requester } from './requester.ts';
import { sessionAt } from './session-calls.ts';
import {
  Anything,
  ChangeDiff,
  Changes,
  FileText,
  Folder,
  FoundFiles,
  Processes,
  ProcessOutput,
  TakenBack,
  Trash,
} from './shapes.ts';

export function fileCalls({ ask }: Requester) {
  return {
    list: (path = '.') => ask('GET', '/api/v1/files', Folder, { query: { path } }),
    read: (path: string) => ask('GET', '/api/v1/files/content', FileText, { query: { path } }),
    /** Refused with STALE when the file is no longer the one with this fingerprint, so that it may be sent again. */
    write: (given: { path: string; text: string; fingerprint: string | null; session_id: string }) =>
      ask('PUT', '/api/v1/files/content', Anything, { body: given, isRepeatable: false }),
    find: async (query: string, limit = 20, signal?: AbortSignal) =>
      (await ask('GET', '/api/v1/files/find', FoundFiles, { query: { query, limit }, signal })).files,
  };
}

type TakeBack = { turn?: number; call_id?: string; dry_run?: boolean; force?: boolean };

export function changeCalls({ ask }: Requester) {
  return {
    /** By turn, newest first. */
    list: (sessionId: string) => ask('GET', `${sessionAt(sessionId)}/changes`, Changes),
    diff: (sessionId: string, callId: string) =>
      ask('GET', `${sessionAt(sessionId)}/changes/${encodeURIComponent(callId)}`, ChangeDiff),
    undo: (sessionId: string, what: TakeBack = {}) =>
      ask('POST', `${sessionAt(sessionId)}/undo`, TakenBack, { body: { ...what } }),
    redo: (sessionId: string, what: TakeBack = {}) =>
      ask('POST', `${sessionAt(sessionId)}/redo`, TakenBack, { body: { ...what } }),
    trash: async () => (await ask('GET', '/api/v1/trash', Trash)).entries,
    restore: (trashId: string) =>
      ask('POST', `/api/v1/trash/${encodeURIComponent(trashId)}/restore`, Anything, { body: {} }),
  };
}

export function processCalls({ ask, tell }: Requester) {
  const callAt = (session: string, call: string): string =>
    `${sessionAt(session)}/calls/${encodeURIComponent(call)}`;
  const at = (id: string): string => `/api/v1/processes/${encodeURIComponent(id)}`;
  return {
    /** Long-running processes, and the commands of calls that run now. */
    list: () => ask('GET', '/api/v1/processes', Processes),
    /** What the command of a call has printed since `cursor`, and ending it alone: its turn goes on. */
    commandOutput: (sessionId: string, callId: string, cursor?: number | string) =>
      ask('GET', `${callAt(sessionId, callId)}/output`, ProcessOutput, { query: { cursor } }),
    stopCommand: (sessionId: string, callId: string) =>
      tell('POST', `${callAt(sessionId, callId)}/stop`, { body: {}, isRepeatable: true }),
    /** What it has printed since `cursor`, which the answer before gave. */
    output: (id: string, cursor?: number | string) =>
      ask('GET', `${at(id)}/output`, ProcessOutput, { query: { cursor } }),
    input: (id: string, input: string) => ask('POST', `${at(id)}/input`, Anything, { body: { input } }),
    stop: (id: string) => ask('POST', `${at(id)}/stop`, Anything, { body: {} }),
    restart: (id: string) => ask('POST', `${at(id)}/restart`, Anything, { body: {} }),
  };
}
