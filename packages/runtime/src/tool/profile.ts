// A role: which tools it sees and which paths it may change. What a role hides can't be executed either.
import { type Kind, ToolError } from '@codelab/protocol';
import { compileGlob } from '../workspace/trees/glob.ts';

export type Profile = {
  name: string;
  summary: string;
  /** A sub-agent works for another agent; only those are started by a call. */
  mode: 'primary' | 'subagent';
  kinds: readonly Kind[];
  /** Names of tools, as globs: only these, and never those with `-` in front. */
  tools?: readonly string[];
  /** Globs as in rules: nothing else may be changed. */
  writes?: readonly string[];
  /** Sub-agents it may start; left out, a primary may start any and a sub-agent none. */
  mayStart?: readonly string[];
};

/** A profile with what whoever acts in it needs: its prompt, and which model it wants for how many steps. */
export type Role = Profile & { prompt: string; model?: string; steps?: number };

export type ProfileSource = {
  /** All that hold under a name; several when one was narrowed, by a workspace for instance. */
  find(name: string): Promise<readonly Profile[]>;
  /** The one to act in under a name. */
  role(name: string): Promise<Role>;
  all(): Promise<readonly Role[]>;
};

export const defaultProfile = 'build';

/** Sees everything, and is known without reading a file. */
export const buildProfile: Profile = {
  name: defaultProfile,
  summary: 'Changes code, runs commands and checks its work.',
  mode: 'primary',
  kinds: ['read', 'search', 'ask', 'think', 'edit', 'delete', 'move', 'execute'],
};

/** For a host that was given no others. */
export const onlyBuildProfile: ProfileSource = {
  find: async (name) => [await onlyBuildProfile.role(name)],
  async role(name) {
    if (name === buildProfile.name) return { ...buildProfile, prompt: '' };
    throw unknownProfile(name, [buildProfile.name]);
  },
  all: async () => [{ ...buildProfile, prompt: '' }],
};

export function unknownProfile(name: string, known: readonly string[]): ToolError {
  return new ToolError(
    'INVALID_ARGUMENTS',
    `There is no profile ${JSON.stringify(name)}. Choose one of: ${known.join(', ')}.`,
    { field: 'profile' },
  );
}

/** Whether a tool is there for those who act: every one of the roles that hold must show it. */
type Shown = { name: string; kind: Kind; startsAgents?: true };

export function showsTool(roles: readonly Profile[], tool: Shown): boolean {
  // Nobody to ask is nobody who allows it.
  return roles.length > 0 && roles.every((role) => showsTo(role, tool));
}

function showsTo(role: Profile, { name, kind, startsAgents }: Shown): boolean {
  if (!role.kinds.includes(kind)) return false;
  // What a command writes can't be held to certain paths.
  if (kind === 'execute' && role.writes !== undefined) return false;
  if (startsAgents && !mayStartAgent([role])) return false;
  return role.tools === undefined || isListed(role.tools, name);
}

function isListed(names: readonly string[], tool: string): boolean {
  const fits = (glob: string): boolean => compileGlob(flat(glob))(flat(tool));
  if (names.some((name) => name.startsWith('-') && fits(name.slice(1)))) return false;
  const wanted = names.filter((name) => !name.startsWith('-'));
  return wanted.length === 0 || wanted.some(fits);
}

// A tool's name is no path: a slash in it is a character like any other.
function flat(text: string): string {
  return text.replaceAll('/', '∕');
}

/** Whether a sub-agent may be started by those who act: by name, or without one, any at all. */
export function mayStartAgent(roles: readonly Profile[], agent?: string): boolean {
  return (
    roles.length > 0 &&
    roles.every(({ mode, mayStart: named }) => {
      if (named === undefined) return mode === 'primary';
      return agent === undefined ? named.length > 0 : named.includes(agent);
    })
  );
}
