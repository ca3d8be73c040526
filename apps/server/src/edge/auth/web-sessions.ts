// Signed-in browsers. A session is a cookie and a secret that the page stores for its origin: either alone is useless, and neither works as
// a token. Both survive a restart as digests, in a file or in the store that all gateways of a log share; the key for proofs is stored as
// it is, since alone it is useless.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { writeStateFile } from '../../config/state-file.ts';
import type { Peer } from '../peer.ts';
import {
  fileOf,
  type KeptSession,
  type KeptSessions,
  longestMs,
  readKept,
  shareSignInCode,
  sweep,
  useSharedCode,
  useSignInCode,
} from './browser-files.ts';
import { createProofs, type PageHalves } from './page-proof.ts';
import { shareSessions, type WebSession, type WebStore } from './shared-web-sessions.ts';

/** The credentials that the page gets once, at the sign-in. */
type SignedIn = { id: string; secret: string; key: string; until: number };

export type WebSessions = {
  /** The page's own loopback name at this gateway. */
  readonly hostName: string;
  /** Reads the sessions stored for this address, and stores them from now on. */
  keepFor(address: string, options: { hasOwnName: boolean }): void;
  useCode(code: string): Promise<boolean>;
  /** Lets every gateway that shares the sessions use the code. */
  shareCode(code: string): Promise<void>;
  open(peer: Peer): Promise<SignedIn>;
  /** Whether the session exists; this alone opens nothing but the page, which reveals nothing. */
  has(id: string): Promise<boolean>;
  find(page: PageHalves): Promise<PagePeer | undefined>;
  /** Finds a session by the digest of its id, for a request that another gateway authenticated. */
  named(digest: string): Promise<PagePeer | undefined>;
  /** Ends the session that both halves belong to, if there is one. */
  end(page: PageHalves): Promise<void>;
};

type PagePeer = Omit<Peer, 'via' | 'page'> & Required<Pick<Peer, 'page'>>;

const maxSessions = 1000;

type Options = {
  home: string;
  /** The token chosen for the gateway: sessions do not survive a change of it. */
  token?: string | undefined;
  /** With a store, other gateways share the sessions, and no file is written. */
  shared?: WebStore | undefined;
};

export function openWebSessions({ home, token, shared }: Options): WebSessions {
  const folder = join(home, 'web');
  const tag = token === undefined ? null : hash('sha256', `web sessions ${token}`);
  const book = createBook(shared, tag);
  let hostName = `ide-${randomBytes(5).toString('hex')}.localhost`;
  let hasOwnName = false;
  let file: string | undefined;

  async function keep(): Promise<void> {
    await book.endExpired();
    if (file === undefined) return;
    const ownSessions = shared === undefined ? [...book.sessions.values()] : [];
    const stored = ownSessions.map(({ proofs: _proofs, ending: _ending, ...session }) => session);
    writeStateFile(file, { hostName, hasOwnName, token: tag, sessions: stored } satisfies KeptSessions);
  }

  return {
    get hostName() {
      return hostName;
    },
    keepFor(address, options) {
      hasOwnName = options.hasOwnName;
      sweep(folder);
      file = fileOf(home, address);
      const stored = readKept(file);
      if (stored !== undefined) hostName = stored.hostName;
      if (stored?.token === tag && shared === undefined) stored.sessions.forEach(book.take);
      void keep();
    },
    useCode: async (code) =>
      shared === undefined ? useSignInCode(home, code) : await useSharedCode(home, shared, code),
    shareCode: async (code) => (shared === undefined ? undefined : await shareSignInCode(shared, code)),
    async open(peer) {
      const { signedIn, stored } = newSession(peer);
      await book.add(stored);
      await keep();
      return signedIn;
    },
    has: async (id) => (await book.named(digestOf(id))) !== undefined,
    async find(page) {
      const id = await book.sessionOf(page);
      return id === undefined ? undefined : await book.named(id);
    },
    named: book.named,
    async end(page) {
      const id = await book.sessionOf(page);
      if (id === undefined) return;
      await book.end(id);
      await keep();
    },
  };
}

/** The sessions that are known here, by the digests of their ids. */
function createBook(shared: WebStore | undefined, tag: string | null) {
  const sessions = new Map<string, WebSession>();
  const others = shared && shareSessions(shared, { sessions, tag });

  function take(stored: KeptSession): void {
    const proofs = others === undefined ? createProofs(stored.key) : others.proofsOf(stored);
    sessions.set(stored.id, { ...stored, proofs, ending: new AbortController() });
  }

  async function end(digest: string): Promise<void> {
    sessions.get(digest)?.ending.abort();
    sessions.delete(digest);
    await others?.remove(digest);
  }

  /** A session that was opened at another gateway a moment ago may not be known here yet. */
  async function get(digest: string): Promise<WebSession | undefined> {
    return sessions.get(digest) ?? (await others?.find(digest));
  }

  return {
    sessions,
    take,
    end,
    async add(stored: KeptSession): Promise<void> {
      take(stored);
      await others?.add(stored);
      const [oldest = ''] = sessions.keys();
      if (sessions.size > maxSessions) await end(oldest);
    },
    async endExpired(): Promise<void> {
      for (const [id, { until }] of sessions) if (until <= Date.now()) await end(id);
    },
    async named(digest: string): Promise<PagePeer | undefined> {
      const found = await get(digest);
      if (found === undefined || found.until <= Date.now()) return undefined;
      return peerOf(found);
    },
    /** The one that both halves belong to. */
    async sessionOf({ ids, secret }: PageHalves): Promise<string | undefined> {
      const givenDigest = Buffer.from(digestOf(secret));
      for (const id of ids.map(digestOf)) {
        const session = await get(id);
        if (session !== undefined && timingSafeEqual(givenDigest, Buffer.from(session.secret))) return id;
      }
      return undefined;
    },
  };
}

function peerOf({ id, subject, isOperator, until, proofs, ending }: WebSession): PagePeer {
  return { subject, until, page: { id, proofs, ended: ending.signal }, ...(isOperator && { isOperator }) };
}

type New = { signedIn: SignedIn; stored: KeptSession };

function newSession({ subject, until: proven = Number.POSITIVE_INFINITY, ...peer }: Peer): New {
  const isOperator = peer.isOperator === true;
  const [id, secret, key] = [newSecret(), newSecret(), newSecret()];
  const until = Math.min(proven, Date.now() + longestMs);
  const stored = { id: digestOf(id), secret: digestOf(secret), key, subject, isOperator, until };
  return { signedIn: { id, secret, key, until }, stored };
}

function newSecret(): string {
  return randomBytes(24).toString('base64url');
}

function digestOf(secret: string): string {
  return hash('sha256', secret);
}
