// Signed-in browsers that several gateways share: each session is an entry of a store that reports every change.
import { hash } from 'node:crypto';
import * as z from 'zod/mini';
import { KeptSession } from './browser-files.ts';
import { createSharedProofs, type Proofs } from './page-proof.ts';

export type WebSession = KeptSession & { proofs: Proofs; ending: AbortController };

/** The store of web sessions that several gateways share. */
export type WebStore = {
  get(key: string): Promise<{ text: string; revision: number } | undefined>;
  put(key: string, text: string, revision: number): Promise<number | undefined>;
  remove(key: string): Promise<void>;
  watch(listener: (key: string, text: string | undefined) => void): () => void;
  /** Whether the key is used for the first time, over all gateways. */
  once(key: string): Promise<boolean>;
};

type Here = {
  sessions: Map<string, WebSession>;
  /** Tells sessions of another token, which don't count. */
  tag: string | null;
};

const Shared = () => z.object({ token: z.nullable(z.string()), session: KeptSession() });
const keyPrefix = 'web.';
const maxEnded = 10_000;

function readShared(text: string): z.infer<ReturnType<typeof Shared>> | undefined {
  try {
    return Shared().safeParse(JSON.parse(text)).data;
  } catch {
    // A damaged entry signs its browser out.
    return undefined;
  }
}

/** Adds the sessions of other gateways to those of this gateway as they become known. */
export function shareSessions(store: WebStore, { sessions, tag }: Here) {
  const proofsOf = ({ id, key }: KeptSession): Proofs =>
    createSharedProofs(key, (nonce) => store.once(hash('sha256', `${id} ${nonce}`)));

  /** Ended sessions, the oldest first: an entry read at the same moment must not bring one back. */
  const ended = new Set<string>();

  function note(digest: string, text: string | undefined): WebSession | undefined {
    const cached = sessions.get(digest);
    if (text === undefined) {
      cached?.ending.abort();
      sessions.delete(digest);
      if (ended.size >= maxEnded) ended.delete(ended.values().next().value ?? '');
      ended.add(digest);
    }
    if (cached !== undefined || text === undefined || ended.has(digest)) return sessions.get(digest);
    const data = readShared(text);
    if (data?.token !== tag || data.session.id !== digest) return undefined;
    const found = { ...data.session, proofs: proofsOf(data.session), ending: new AbortController() };
    sessions.set(digest, found);
    return found;
  }
  store.watch((key, text) => {
    if (key.startsWith(keyPrefix)) note(key.slice(keyPrefix.length), text);
  });
  return {
    proofsOf,
    async find(digest: string): Promise<WebSession | undefined> {
      if (!/^[0-9a-f]{64}$/.test(digest)) return undefined;
      const found = await store.get(`${keyPrefix}${digest}`);
      return found && note(digest, found.text);
    },
    async add(session: KeptSession): Promise<void> {
      await store.put(`${keyPrefix}${session.id}`, JSON.stringify({ token: tag, session }), 0);
    },
    remove: (digest: string) => store.remove(`${keyPrefix}${digest}`),
  };
}
