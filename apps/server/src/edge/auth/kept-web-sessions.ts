// Signed-in browsers as stored in the state folder: one file for each address that a gateway listens at.
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
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
