// Browsers that are signed in. A session is a cookie and a secret that the page keeps for its origin: either alone opens nothing, and
// neither is of any use as a token. Kept over a restart as digests; the key for proofs is kept as it is, since it opens nothing alone.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { readStateFile, writeStateFile } from '../../config/state-file.ts';
import type { Peer } from '../peer.ts';
import { createProofs, type PageHalves, type Proofs } from './page-proof.ts';

/** What the page is handed at the sign-in, once. */
type SignedIn = { id: string; secret: string; key: string; until: number };

export type WebSessions = {
  /** The name of the loopback that this gateway's page has for itself. */
  readonly hostName: string;
  /** Reads what was kept for this address, and keeps it from now on. */
  keepFor(address: string, options: { hasOwnName: boolean }): void;
  useCode(code: string): boolean;
  open(peer: Peer): SignedIn;
  /** Whether there is such a session; that alone opens nothing but the page, which tells nothing. */
  has(id: string): boolean;
  find(page: PageHalves): Omit<Peer, 'via'> | undefined;
  /** Ends the session that both halves belong to, if there is one. */
  end(page: PageHalves): void;
};

const longestMs = 30 * 24 * 3600_000;
const maxSessions = 1000;

const Kept = () =>
  z.object({
    hostName: z.string(),
    /** Whether the page can be opened by that name. */
    hasOwnName: z.boolean(),
    token: z.nullable(z.string()),
    sessions: z.array(
      z.object({
        id: z.string(),
        secret: z.string(),
        key: z.string(),
        subject: z.string(),
        isOperator: z.boolean(),
        until: z.number(),
      }),
    ),
  });
type Kept = z.infer<ReturnType<typeof Kept>>;
type Session = Kept['sessions'][number] & { proofs: Proofs; ending: AbortController };

/** `token` is the one that was chosen for the gateway: sessions do not outlive a change of it. */
export function openWebSessions({ home, token }: { home: string; token?: string | undefined }): WebSessions {
  const folder = join(home, 'web');
  const tag = token === undefined ? null : hash('sha256', `web sessions ${token}`);
  const sessions = new Map<string, Session>();
  let hostName = `ide-${randomBytes(5).toString('hex')}.localhost`;
  let hasOwnName = false;
  let file: string | undefined;

  function keep(): void {
    for (const [id, { until }] of sessions) if (until <= Date.now()) end(id);
    if (file === undefined) return;
    const kept = [...sessions.values()].map(({ proofs: _proofs, ending: _ending, ...one }) => one);
    writeStateFile(file, { hostName, hasOwnName, token: tag, sessions: kept } satisfies Kept);
  }

  function end(digest: string): void {
    sessions.get(digest)?.ending.abort();
    sessions.delete(digest);
  }

  return {
    get hostName() {
      return hostName;
    },
    keepFor(address, options) {
      hasOwnName = options.hasOwnName;
      sweep(folder);
      file = fileOf(home, address);
      const kept = readKept(file);
      if (kept !== undefined) hostName = kept.hostName;
      if (kept?.token === tag) for (const one of kept.sessions) sessions.set(one.id, live(one));
      keep();
    },
    useCode: (code) => useSignInCode(home, code),
    open({ subject, isOperator = false, until: proven = Number.POSITIVE_INFINITY }) {
      const [id, secret, key] = [newSecret(), newSecret(), newSecret()];
      const until = Math.min(proven, Date.now() + longestMs);
      const digest = digestOf(id);
      sessions.set(digest, live({ id: digest, secret: digestOf(secret), key, subject, isOperator, until }));
      const [oldest = ''] = sessions.keys();
      if (sessions.size > maxSessions) end(oldest);
      keep();
      return { id, secret, key, until };
    },
    has: (id) => (sessions.get(digestOf(id))?.until ?? 0) > Date.now(),
    find(page) {
      const found = sessionOf(sessions, page);
      if (found === undefined || found.until <= Date.now()) return undefined;
      const { subject, isOperator, until, proofs, ending } = found;
      return { subject, until, page: { proofs, ended: ending.signal }, ...(isOperator && { isOperator }) };
    },
    end(page) {
      const found = sessionOf(sessions, page);
      if (found === undefined) return;
      end(found.id);
      keep();
    },
  };
}

/** The one that both halves belong to. */
function sessionOf(sessions: ReadonlyMap<string, Session>, { ids, secret }: PageHalves): Session | undefined {
  const digest = Buffer.from(digestOf(secret));
  return ids
    .map((id) => sessions.get(digestOf(id)))
    .find((one) => one !== undefined && timingSafeEqual(digest, Buffer.from(one.secret)));
}

/** The name that the page of the gateway at this address has; undefined where it has none. */
export function hostNameOf(home: string, address: string): string | undefined {
  const kept = readKept(fileOf(home, address));
  return kept?.hasOwnName ? kept.hostName : undefined;
}

function fileOf(home: string, address: string): string {
  return join(home, 'web', `${address.replace(/[^\w.-]/g, '_')}.json`);
}

function live(kept: Kept['sessions'][number]): Session {
  return { ...kept, proofs: createProofs(kept.key), ending: new AbortController() };
}

/** Gateways that take any free port leave a file each. */
function sweep(folder: string): void {
  for (const name of namesIn(folder)) {
    const file = join(folder, name);
    const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.NaN);
    // Older than any session in it.
    if (name.endsWith('.json') && age > longestMs) rmSync(file, { force: true });
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readKept(file: string): Kept | undefined {
  try {
    return Kept().safeParse(readStateFile(file)).data;
  } catch {
    // Whoever was signed in signs in again.
    return undefined;
  }
}

function newSecret(): string {
  return randomBytes(24).toString('base64url');
}

function digestOf(secret: string): string {
  return hash('sha256', secret);
}

// One-use codes that sign a browser in. Each is an empty file in the state folder, named by the code's digest: whoever may write there
// is the operator, and only one of two who use the same code can remove its file.
const lifeMs = 15 * 60_000;

export function createSignInCode(home: string): string {
  const folder = folderIn(home);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder))
    if (!isFresh(join(folder, name))) rmSync(join(folder, name), { force: true });
  const code = randomBytes(24).toString('base64url');
  writeFileSync(codesFile(home, code), '', { mode: 0o600, flag: 'wx' });
  return code;
}

/** Whether the code was good; it no longer is. */
function useSignInCode(home: string, code: string): boolean {
  const file = codesFile(home, code);
  try {
    const wasFresh = isFresh(file);
    unlinkSync(file);
    return wasFresh;
  } catch {
    return false;
  }
}

function isFresh(file: string): boolean {
  const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  // A time in the future would never end.
  return age < lifeMs && age > -lifeMs;
}

function codesFile(home: string, code: string): string {
  return join(folderIn(home), hash('sha256', code));
}

function folderIn(home: string): string {
  return join(home, 'web', 'codes');
}
