// The user's trust in each workspace: its configuration, by the hash of the text they saw, and its instructions for agents.
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { digest, openCommitLock } from '@codelab/runtime';
import { readStateFile, writeStateFile } from './state-file.ts';

const file = 'trust.json';

/** Undefined until the user has answered. */
export type InstructionTrust = 'trusted' | 'declined' | undefined;

type TrustFile = { configs: Record<string, string>; instructions: Record<string, string> };

/** Workspace folders, each with the hash of its configuration. */
export function readTrust(home: string): Record<string, string> {
  return readFile(home).configs;
}

/** `text` is the text that the user saw, not the file's present one; undefined withdraws the trust. */
export async function setTrust(home: string, root: string, text: string | undefined): Promise<void> {
  await change(home, ({ configs }) => {
    if (text === undefined) delete configs[root];
    else configs[root] = digest(text);
  });
}

export function instructionTrust(home: string, root: string): InstructionTrust {
  // Checked before each request to a model: an error for a missing file would cost more than all the rest.
  if (lstatSync(join(home, file), { throwIfNoEntry: false }) === undefined) return undefined;
  const { instructions } = readFile(home);
  const answer = Object.hasOwn(instructions, root) ? instructions[root] : undefined;
  return answer === 'trusted' || answer === 'declined' ? answer : undefined;
}

export async function setInstructionTrust(
  home: string,
  root: string,
  trust: InstructionTrust,
): Promise<void> {
  await change(home, ({ instructions }) => {
    if (trust === undefined) delete instructions[root];
    else instructions[root] = trust;
  });
}

async function change(home: string, apply: (file: TrustFile) => void): Promise<void> {
  using lock = openCommitLock(home);
  await lock.hold(() => {
    const trust = readFile(home);
    apply(trust);
    const { configs, instructions } = trust;
    const hasSome = Object.keys(instructions).length > 0;
    writeStateFile(join(home, file), { ...configs, ...(hasSome && { instructions }) });
  });
}

// An unreadable file trusts nothing.
function readFile(home: string): TrustFile {
  const value = readStateFile(join(home, file));
  const { instructions, ...configs } = isRecord(value) ? value : {};
  return { configs: texts(configs), instructions: texts(instructions) };
}

function texts(value: unknown): Record<string, string> {
  const entries = isRecord(value) ? Object.entries(value) : [];
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
