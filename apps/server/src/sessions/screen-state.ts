// The stored state of screens for a person or a session, as one private file each: drafts, open tabs, folded parts. It is not part of the
// record.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '@codelab/protocol';
import { sha256 } from '@codelab/runtime';
import { readJson, writeJson } from './private-json.ts';

type Json = Record<string, unknown>;
export type ScreenOf = { session: string } | { person: string };

const maxChars = 1024 * 1024;

export function readScreen(home: string, owner: ScreenOf): Json {
  return readJson<Json>(fileOf(home, owner)) ?? {};
}

/** Keys that are named are replaced; null removes one. Two screens that keep different things do not disturb each other. */
export function changeScreen(home: string, owner: ScreenOf, change: Json): void {
  const entries = Object.entries({ ...readScreen(home, owner), ...change }).filter(
    ([, value]) => value !== null,
  );
  const state = Object.fromEntries(entries);
  if (JSON.stringify(state).length > maxChars)
    throw new ToolError(
      'FILE_TOO_LARGE',
      `A screen may keep ${maxChars} characters. Send or shorten the draft.`,
    );
  writeJson(fileOf(home, owner), state);
}

export function forgetScreen(home: string, session: string): void {
  rmSync(fileOf(home, { session }), { force: true });
}

function fileOf(home: string, owner: ScreenOf): string {
  return join(
    home,
    'screens',
    `${sha256('session' in owner ? `session ${owner.session}` : `person ${owner.person}`)}.json`,
  );
}
