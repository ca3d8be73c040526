// Rules a human asked to be remembered: `rules.json` in CodeLab's own folder, for the user and per workspace.

import { join } from 'node:path';
import type { Rule } from '@codelab/protocol';
import { openCommitLock } from '@codelab/runtime';
import { RulesFile } from './config.ts';
import { readRulesFile } from './config-files.ts';
import { writeStateFile } from './state-file.ts';

/** Undefined when the text is no list of rules. */
export function parseRules(text: string): Rule[] | undefined {
  try {
    return RulesFile().safeParse({ user: JSON.parse(text), workspaces: {} }).data?.user;
  } catch {
    return undefined;
  }
}

/** Adds a rule, or replaces the one with the same id. */
export async function keepRule(
  home: string,
  target: { scope: 'user' | 'workspace'; root: string },
  rule: Rule,
): Promise<void> {
  await changeRules(home, target, (rules) => [...rules.filter(({ id }) => id !== rule.id), rule]);
}

/** Returns whether there was such a rule. */
export async function dropRule(
  home: string,
  target: { scope: 'user' | 'workspace'; root: string },
  id: string,
): Promise<boolean> {
  let isRemoved = false;
  await changeRules(home, target, (rules) => {
    isRemoved = rules.some((rule) => rule.id === id);
    return rules.filter((rule) => rule.id !== id);
  });
  return isRemoved;
}

async function changeRules(
  home: string,
  { scope, root }: { scope: 'user' | 'workspace'; root: string },
  change: (rules: Rule[]) => Rule[],
): Promise<void> {
  using lock = openCommitLock(home);
  // Read and written under a lock: of two rules saved at the same time neither is lost.
  await lock.hold(() => {
    const file = readRulesFile(home);
    if (scope === 'user') file.user = change(file.user);
    else file.workspaces[root] = change(file.workspaces[root] ?? []);
    writeStateFile(join(home, 'rules.json'), file);
  });
}
