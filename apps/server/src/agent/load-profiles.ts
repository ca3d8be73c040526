// All profiles there are: those that come with the program, the user's own in their place, and what a workspace makes of them.
// A workspace may add roles and narrow those there are. Only when the user trusts it do its prompts and models count for a known name.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtInProfiles } from '@codelab/agent';
import { ToolError } from '@codelab/protocol';
import { type Profile, type Role, readWorkspaceText } from '@codelab/runtime';
import { readProfile } from './read-profile.ts';

export type ProfilePlaces = { home: string; root: string; isTrusted: boolean };

/** A role to act in, and all that hold it: itself, and what it was narrowed from. */
export type KnownProfile = { role: Role; holding: readonly Profile[] };

/** A file that can't be read makes its own name unusable, and no other. */
export type LoadedProfiles = Map<string, KnownProfile | ToolError>;

const workspaceAgents = '.codelab/agents';
const maxAdded = 200;

export function loadProfiles({ home, root, isTrusted }: ProfilePlaces): LoadedProfiles {
  const found: LoadedProfiles = new Map();
  for (const [name, text] of Object.entries(builtInProfiles()))
    found.set(name, alone(readProfile(text, { file: `profiles/${name}.md`, expected: name })));
  const own = join(home, 'agents');
  for (const name of namesIn(own, found)) {
    const file = join(own, `${name}.md`);
    const text = (): string => readFileSync(file, 'utf8').replace(/^\ufeff/, '');
    found.set(
      name,
      attempt(() => alone(readProfile(text(), { file, expected: name }))),
    );
  }
  for (const name of namesIn(join(root, workspaceAgents), found)) {
    const before = found.get(name);
    if (before instanceof ToolError) continue;
    const file = `${workspaceAgents}/${name}.md`;
    const text = (): string => readWorkspaceText(root, file) ?? '';
    found.set(
      name,
      attempt(() => ofWorkspace(readProfile(text(), { file, expected: name }), before, isTrusted)),
    );
  }
  return found;
}

function alone(role: Role): KnownProfile {
  return { role, holding: [role] };
}

function ofWorkspace(role: Role, before: KnownProfile | undefined, isTrusted: boolean): KnownProfile {
  const { model: _, ...plain } = role;
  const own = isTrusted ? role : plain;
  if (before === undefined) return alone(own);
  const holding = [...before.holding, role];
  // What it is and whom it works for stay as they were.
  const { mode, summary } = before.role;
  return isTrusted ? { role: { ...own, mode, summary }, holding } : { ...before, holding };
}

function attempt(read: () => KnownProfile): KnownProfile | ToolError {
  try {
    return read();
  } catch (error) {
    if (error instanceof ToolError) return error;
    return new ToolError('IO_ERROR', error instanceof Error ? error.message : String(error));
  }
}

/** Those that change a known one all count; of new ones there is an end. */
function namesIn(folder: string, known: ReadonlyMap<string, unknown>): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder)
    .filter((name) => /^[a-z0-9][a-z0-9-]{0,63}\.md$/.test(name))
    .map((name) => name.slice(0, -3))
    .sort();
  const added = names.filter((name) => !known.has(name));
  return [...names.filter((name) => known.has(name)), ...added.slice(0, maxAdded)];
}
