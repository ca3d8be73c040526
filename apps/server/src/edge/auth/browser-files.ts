// Files of the state folder about browsers: signed-in ones, in one file per listening address, and one-use codes that sign a browser in.
import { hash, randomBytes } from 'node:crypto';
import { readdirSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureFolder } from '@codelab/runtime';
import * as z from 'zod/mini';
import { readStateFile } from '../../config/state-file.ts';

/** No session lasts longer. */
export const longestMs = 30 * 24 * 3600_000;

export const KeptSession = () =>
  z.object({
    id: z.string(),
    secret: z.string(),
    key: z.string(),
    subject: z.string(),
    isOperator: z.boolean(),
    until: z.number(),
  });
export type KeptSession = z.infer<ReturnType<typeof KeptSession>>;

const Kept = () =>
  z.object({
    hostName: z.string(),
    /** Whether the page can be opened by that name. */
    hasOwnName: z.boolean(),
    token: z.nullable(z.string()),
    sessions: z.array(KeptSession()),
  });
export type KeptSessions = z.infer<ReturnType<typeof Kept>>;

/** The name that the page of the gateway at this address has; undefined where it has none. */
export function hostNameOf(home: string, address: string): string | undefined {
  const stored = readKept(fileOf(home, address));
  return stored?.hasOwnName ? stored.hostName : undefined;
}

export function fileOf(home: string, address: string): string {
  return join(home, 'web', `${address.replace(/[^\w.-]/g, '_')}.json`);
}

/** Gateways that take any free port leave a file each. */
export function sweep(folder: string): void {
  for (const name of namesIn(folder)) {
    const file = join(folder, name);
    const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.NaN);
    // The file is older than any session in it can be.
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

export function readKept(file: string): KeptSessions | undefined {
  try {
    return Kept().safeParse(readStateFile(file)).data;
  } catch {
    // A damaged file signs everybody out: they sign in again.
    return undefined;
  }
}

// A code is an empty file named by its digest: only the operator can write to the state folder, and only one of two users of the same code
// can remove its file.
const lifeMs = 15 * 60_000;

export function createSignInCode(home: string): string {
  const folder = folderIn(home);
  ensureFolder(folder);
  for (const name of readdirSync(folder))
    if (!isFresh(join(folder, name))) rmSync(join(folder, name), { force: true });
  const code = randomBytes(24).toString('base64url');
  writeFileSync(codesFile(home, code), '', { mode: 0o600, flag: 'wx' });
  return code;
}

/** Whether the code was valid; it is used up afterwards. */
export function useSignInCode(home: string, code: string): boolean {
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

/** The codes that gateways sharing their browsers made, by digest. */
type Store = {
  get(key: string): Promise<{ text: string; revision: number } | undefined>;
  put(key: string, text: string, revision: number): Promise<number | undefined>;
  remove(key: string): Promise<void>;
  once(key: string): Promise<boolean>;
};

const keyOf = (code: string): string => `code.${hash('sha256', code)}`;

/** Shares the code until it expires. */
export async function shareSignInCode(store: Store, code: string): Promise<void> {
  await store.put(keyOf(code), String(Date.now()), 0);
  const forget = (): void => void store.remove(keyOf(code)).catch(() => undefined);
  setTimeout(forget, lifeMs).unref();
}

/** Whether this gateway or another one made the code, and no gateway has used it. */
export async function useSharedCode(home: string, store: Store, code: string): Promise<boolean> {
  const isOwn = useSignInCode(home, code);
  const entry = await store.get(keyOf(code));
  const isGood = isOwn || (entry !== undefined && Math.abs(Date.now() - Number(entry.text)) < lifeMs);
  return isGood && (await store.once(keyOf(code)));
}
