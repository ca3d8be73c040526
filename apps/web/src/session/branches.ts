// The branches of the session on the screen: sessions with a common beginning, and the points where they diverge.
import type { Session } from '@codelab/api';
import { titleFrom } from '@codelab/protocol';
import { useEffect } from 'react';
import { create } from 'zustand';
import { api } from '../api/api.ts';
import type { Entry, LogPlace, SessionModel } from './session-model.ts';
import { useSession } from './session-store.ts';

export type Branches = readonly Session[];

export const useBranches = create<{ all: Branches }>(() => ({ all: [] }));

/** Branches are read again when another session is opened, when a turn begins, which may make one, and when a title changes. */
export function useLoadBranches(): void {
  const id = useSession((model) => model.id);
  const turns = useSession((model) => model.turns.count);
  const title = useSession((model) => model.title);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new turn or title may change the answer.
  useEffect(() => {
    if (id === '') return;
    const ending = new AbortController();
    api.sessions
      .branches(id, ending.signal)
      .then((all) => useBranches.setState({ all }))
      // The conversation can be read without the list of its branches.
      .catch(() => undefined);
    return () => ending.abort();
  }, [id, turns, title]);
}

/** Sessions that go on after the same entry in different ways, the original first; empty where there is only one way. */
function siblingsAt(all: Branches, { session, seq }: LogPlace): readonly string[] {
  const forks = all.filter(({ forked_from: from }) => from?.session_id === session && from.seq === seq);
  return forks.length === 0 ? [] : [session, ...forks.map(({ id }) => id)];
}

/** The branches that go on where a message stands: which of them is on the screen, and the place where they part, which all of them share. */
export type Fork = { ids: readonly string[]; at: number; place: string };

export function forkAt(
  all: Branches,
  entry: Entry,
  { id, firstMessage, origin }: SessionModel,
): Fork | undefined {
  if (entry.kind !== 'user') return undefined;
  const before: LogPlace = { session: entry.at.session, seq: entry.at.seq - 1 };
  const here = siblingsAt(all, before);
  if (here.length > 0) return forkOf(here, entry.at.session, before);
  // The first message of a branch stands where the original went another way.
  if (origin === undefined || firstMessage !== entry.key) return undefined;
  const ids = siblingsAt(all, origin);
  return ids.length === 0 ? undefined : forkOf(ids, id, origin);
}

function forkOf(ids: readonly string[], current: string, { session, seq }: LogPlace): Fork {
  return { ids, at: Math.max(0, ids.indexOf(current)), place: `${session}:${seq}` };
}

/** The title of a branch is the message it begins with. Where that is taken, an edited one is told by its first other words, and a retry by a number. */
export function branchTitle(message: string, edited: string, titles: readonly string[]): string {
  const title = titleFrom(message) || (titles[0] ?? '');
  const taken = new Set(titles);
  if (!taken.has(title)) return title;
  const other = titleFrom(otherWords(message, edited));
  if (other !== '' && !taken.has(`… ${other}`)) return `… ${other}`;
  for (let number = 2; ; number++) if (!taken.has(`${title} (${number})`)) return `${title} (${number})`;
}

/** The words of `message` from its first difference to `edited` on; empty where words are only left out. */
function otherWords(message: string, edited: string): string {
  let at = 0;
  while (at < message.length && message[at] === edited[at]) at++;
  if (at === message.length) return '';
  return message.slice(message.slice(0, at).search(/\S*$/)).trim();
}
