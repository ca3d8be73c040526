// Rules a human asked to be remembered: `rules.json` in CodeLab's own folder, for the user and per workspace.
import { join } from 'node:path';
import { type Rule, ToolError } from '@codelab/protocol';
import { openCommitLock } from '@codelab/runtime';
import { RulesFile as Shape } from './config.ts';
import { readStateFile, writeStateFile } from './state-file.ts';

export type RulesFile = { user: Rule[]; workspaces: Record<string, Rule[]> };

export function readRulesFile(home: string): RulesFile {
  const file = join(home, 'rules.json');
  const value = readStateFile(file);
  if (value === undefined) return { user: [], workspaces: {} };
  const parsed = Shape().safeParse(value);
  if (!parsed.success)
    throw new ToolError('INVALID_ARGUMENTS', `${file} is not a list of rules; mend or remove it.`);
  return parsed.data;
}

/** Adds a rule, or puts it in the place of the one with its id. */
export async function keepRule(
  home: string,
  where: { scope: 'user' | 'workspace'; root: string },
  rule: Rule,
): Promise<void> {
  await changeRules(home, where, (rules) => [...rules.filter(({ id }) => id !== rule.id), rule]);
}

/** Returns whether there was such a rule. */
export async function dropRule(
  home: string,
  where: { scope: 'user' | 'workspace'; root: string },
  id: string,
): Promise<boolean> {
  let found = false;
  await changeRules(home, where, (rules) => {
    found = rules.some((rule) => rule.id === id);
    return rules.filter((rule) => rule.id !== id);
  });
  return found;
}

async function changeRules(
  home: string,
  { scope, root }: { scope: 'user' | 'workspace'; root: string },
  change: (rules: Rule[]) => Rule[],
): Promise<void> {
  using lock = openCommitLock(home);
  // Read and written in one go, and by one process at a time: of two that are kept at once neither is lost.
  await lock.hold(() => {
    const file = readRulesFile(home);
    if (scope === 'user') file.user = change(file.user);
    else file.workspaces[root] = change(file.workspaces[root] ?? []);
    writeStateFile(join(home, 'rules.json'), file);
  });
}
