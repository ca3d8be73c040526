// The calls that changed files, over all sessions of a workspace, latest first. Each message with such a call names the one before it in
// its session, so that the newest are found without reading the entries in between.
import type { ChangedAt } from '@codelab/protocol';
import { latestChange, messageOf, positionOf, type Standing } from '../message.ts';
import type { Messages } from './read-messages.ts';

/** One message with such calls: their positions in it, and the position of the message before. */
type Link = { first: number; changes: readonly number[]; before: number };

export type ChangedCalls = {
  find(sessions: ReadonlyMap<string, Standing>, limit: number, before: number): Promise<ChangedAt[]>;
};

const maxLinks = 20_000;

export function createChangedCalls(messages: Messages): ChangedCalls {
  const links = new Map<number, Link>();

  async function linkAt(session: string, at: number, head: Standing): Promise<Link | undefined> {
    const known = links.get(at);
    if (known !== undefined) return known;
    const standing = at === head.at ? head : (await messages.at(session, at))?.standing;
    if (standing === undefined) return undefined;
    const { first, changes, changedBefore } = standing;
    const link = { first, changes, before: changedBefore };
    if (links.size >= maxLinks) links.delete(links.keys().next().value ?? 0);
    links.set(at, link);
    return link;
  }

  /** The calls of one session, the latest first. */
  async function* walk(session: string, head: Standing): AsyncGenerator<ChangedAt> {
    for (let position = latestChange(head); position > 0; ) {
      const at = messageOf(position);
      const link = await linkAt(session, at, head);
      // Removed meanwhile: the session was deleted.
      if (link === undefined) return;
      for (const entry of [...link.changes].reverse())
        yield { session, seq: link.first + entry, at: positionOf(at, entry) };
      position = link.before;
    }
  }

  return {
    async find(sessions, limit, before) {
      const found: ChangedAt[] = [];
      const walks = await Promise.all(
        [...sessions].flatMap(([session, head]) =>
          latestChange(head) > 0 ? [advance(walk(session, head))] : [],
        ),
      );
      let open = walks.filter((walk) => walk.next !== undefined);
      while (found.length < limit && open.length > 0) {
        const latest = open.reduce((a, b) => ((a.next?.at ?? 0) >= (b.next?.at ?? 0) ? a : b));
        if (latest.next !== undefined && latest.next.at < before) found.push(latest.next);
        const then = await advance(latest.from);
        open = open.flatMap((walk) => (walk === latest ? (then.next === undefined ? [] : [then]) : [walk]));
      }
      return found;
    },
  };
}

type Walk = { from: AsyncGenerator<ChangedAt>; next: ChangedAt | undefined };

async function advance(from: AsyncGenerator<ChangedAt>): Promise<Walk> {
  const { value, done } = await from.next();
  return { from, next: done ? undefined : value };
}
