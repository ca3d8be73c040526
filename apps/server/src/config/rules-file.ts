// Rules a human asked to be remembered: `rules.json` in CodeLab's own folder, for the user and per workspace.

import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { type Rule, ToolError } from '@codelab/protocol';
import { identity, openCommitLock, type RuleSource } from '@codelab/runtime';
import { RulesFile as Shape } from './config.ts';
import type { ConfigPlaces } from './config-files.ts';
import { readStateFile, workspaceConfigPath, writeStateFile } from './state-file.ts';

type RulesFile = { user: Rule[]; workspaces: Record<string, Rule[]> };

export function readRulesFile(home: string): RulesFile {
  const file = join(home, 'rules.json');
  const value = readStateFile(file);
  if (value === undefined) return { user: [], workspaces: {} };
  const parsed = Shape().safeParse(value);
  if (!parsed.success)
    throw new ToolError('INVALID_ARGUMENTS', `${file} is not a list of rules; correct or remove it.`);
  return parsed.data;
}

/** Undefined when the text is no list of rules. */
export function parseRules(text: string): Rule[] | undefined {
  try {
    return Shape().safeParse({ user: JSON.parse(text), workspaces: {} }).data?.user;
  } catch {
    return undefined;
  }
}

/** Adds a rule, or replaces the one with the same id. */
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

// Notices that a file with rules was changed, by any process, by comparing its version before each judgement.

/** Returns the rules anew when one of their files has changed; what `load` throws is thrown once for each version. */
export function watchRules(
  { home, root, worktree }: ConfigPlaces,
  load: () => readonly RuleSource[],
): () => readonly RuleSource[] | undefined {
  const files = [
    ...['rules.json', 'config.json', 'trust.json'].map((name) => join(home, name)),
    ...[root, worktree].flatMap((folder) => (folder ? [join(folder, workspaceConfigPath)] : [])),
  ];
  let known = versionOf(files);
  return () => {
    const version = versionOf(files);
    if (version === known) return undefined;
    known = version;
    return load();
  };
}

function versionOf(files: readonly string[]): string {
  return files
    .map((file) => {
      try {
        const stat = lstatSync(file, { bigint: true, throwIfNoEntry: false });
        return stat === undefined ? 'none' : identity(stat);
      } catch (error) {
        // An unreadable file is a version of its own; `load` then reports the problem.
        return String(error);
      }
    })
    .join(' ');
}
