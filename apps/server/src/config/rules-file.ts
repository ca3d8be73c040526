// Rules a human asked to be remembered: `rules.json` in CodeLab's own folder, for the user and per workspace.
import { join } from 'node:path';
import { Rule, ToolError } from '@codelab/protocol';
import * as z from 'zod/mini';
import { readStateFile, writeStateFile } from './state-file.ts';

const RulesFile = z.strictObject({ user: z.array(Rule), workspaces: z.record(z.string(), z.array(Rule)) });
export type RulesFile = z.infer<typeof RulesFile>;

export function readRulesFile(home: string): RulesFile {
  const file = join(home, 'rules.json');
  const value = readStateFile(file);
  if (value === undefined) return { user: [], workspaces: {} };
  const parsed = RulesFile.safeParse(value);
  if (!parsed.success)
    throw new ToolError('INVALID_ARGUMENTS', `${file} is not a list of rules; mend or remove it.`);
  return parsed.data;
}

/** Adds a rule, or puts it in the place of the one with its id. */
export function keepRule(
  home: string,
  where: { scope: 'user' | 'workspace'; root: string },
  rule: Rule,
): void {
  changeRules(home, where, (rules) => [...rules.filter(({ id }) => id !== rule.id), rule]);
}

/** Returns whether there was such a rule. */
export function dropRule(
  home: string,
  where: { scope: 'user' | 'workspace'; root: string },
  id: string,
): boolean {
  let found = false;
  changeRules(home, where, (rules) => {
    found = rules.some((rule) => rule.id === id);
    return rules.filter((rule) => rule.id !== id);
  });
  return found;
}

function changeRules(
  home: string,
  { scope, root }: { scope: 'user' | 'workspace'; root: string },
  change: (rules: Rule[]) => Rule[],
): void {
  const file = readRulesFile(home);
  if (scope === 'user') file.user = change(file.user);
  else file.workspaces[root] = change(file.workspaces[root] ?? []);
  writeStateFile(join(home, 'rules.json'), file);
}
