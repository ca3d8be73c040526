// The sessions that their owners pinned or archived: a private file beside the log, written atomically. It is not part of the record.
import { join } from 'node:path';
import { readJson, writeJson } from './private-json.ts';

export type SessionMark = { pinned: boolean; archived: boolean };

type Marks = Record<string, Partial<SessionMark>>;

const none: SessionMark = { pinned: false, archived: false };

/** The marks by session id. */
export function sessionMarks(home: string): (session: string) => SessionMark {
  const marks = readJson<Marks>(fileIn(home)) ?? {};
  return (session) => ({ ...none, ...(Object.hasOwn(marks, session) && marks[session]) });
}

export function markSession(home: string, session: string, change: Partial<SessionMark>): void {
  const { [session]: before, ...others } = readJson<Marks>(fileIn(home)) ?? {};
  const { pinned = false, archived = false } = { ...before, ...change };
  const mark = { ...(pinned && { pinned }), ...(archived && { archived }) };
  writeJson(fileIn(home), pinned || archived ? { ...others, [session]: mark } : others);
}

function fileIn(home: string): string {
  return join(home, 'session-marks.json');
}
