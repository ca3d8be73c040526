// A role: which tools it sees and which paths it may change. What a role hides can't be executed either.
import { type CallState, type Kind, type ToolCall, ToolError } from '@codelab/protocol';
import { compileGlob } from '../workspace/trees/glob.ts';

export type Profile = {
  name: string;
  summary: string;
  /** A sub-agent works for another agent; only sub-agents are started by a call. */
  mode: 'primary' | 'subagent';
  kinds: readonly Kind[];
  /** Names of tools, as globs: only these, and never those with `-` in front. */
  tools?: readonly string[];
  /** Globs as in rules: no other path may be changed. */
  writes?: readonly string[];
  /** Sub-agents it may start; by default a primary may start any and a sub-agent none. */
  mayStart?: readonly string[];
};

/** A profile with its prompt, and the model and number of steps it asks for. */
export type Role = Profile & { prompt: string; model?: string; steps?: number };

export type ProfileSource = {
  /** All profiles with this name; several when one was narrowed, for instance by a workspace. */
  find(name: string): Promise<readonly Profile[]>;
  /** The role to act in under a name. */
  role(name: string): Promise<Role>;
  all(): Promise<readonly Role[]>;
};

export const defaultProfile = 'build';

/** Sees everything, and needs no file. */
export const buildProfile: Profile = {
  name: defaultProfile,
  summary: 'Changes code, runs commands and checks its work.',
  mode: 'primary',
  kinds: ['read', 'search', 'ask', 'think', 'edit', 'delete', 'move', 'execute'],
};

/** For a host without other profiles. */
export const onlyBuildProfile: ProfileSource = {
  find: async (name) => [await onlyBuildProfile.role(name)],
  async role(name) {
    if (name === buildProfile.name) return { ...buildProfile, prompt: '' };
    throw unknownProfile(name, [buildProfile.name]);
  },
  all: async () => [{ ...buildProfile, prompt: '' }],
};

export function unknownProfile(name: string, names: readonly string[]): ToolError {
  return new ToolError(
    'INVALID_ARGUMENTS',
    `There is no profile ${JSON.stringify(name)}. Choose one of: ${names.join(', ')}.`,
    { field: 'profile' },
  );
}

/** Whether the given roles may use a tool: every one of them must show it. */
type Shown = { name: string; kind: Kind; startsAgents?: true };

export function showsTool(roles: readonly Profile[], tool: Shown): boolean {
  // Without any role, nothing is allowed.
  return roles.length > 0 && roles.every((role) => showsTo(role, tool));
}

function showsTo(role: Profile, { name, kind, startsAgents }: Shown): boolean {
  if (!role.kinds.includes(kind)) return false;
  // A command's writes can't be limited to certain paths.
  if (kind === 'execute' && role.writes !== undefined) return false;
  if (startsAgents && !mayStartAgent([role])) return false;
  return role.tools === undefined || isListed(role.tools, name);
}

function isListed(names: readonly string[], tool: string): boolean {
  const fits = (glob: string): boolean => compileGlob(flat(glob))(flat(tool));
  if (names.some((name) => name.startsWith('-') && fits(name.slice(1)))) return false;
  const shownNames = names.filter((name) => !name.startsWith('-'));
  return shownNames.length === 0 || shownNames.some(fits);
}

// A tool's name is not a path: a slash in it is an ordinary character.
function flat(text: string): string {
  return text.replaceAll('/', '∕');
}

/** Whether the given roles may start a sub-agent: the named one, or without a name any at all. */
export function mayStartAgent(roles: readonly Profile[], agent?: string): boolean {
  return (
    roles.length > 0 &&
    roles.every(({ mode, mayStart: named }) => {
      if (named === undefined) return mode === 'primary';
      return agent === undefined ? named.length > 0 : named.includes(agent);
    })
  );
}

type Asking = Pick<ToolCall, 'agent' | 'profile'>;

/** The roles of a call: its own, and those of every agent above it, so a sub-agent never has more rights than its parent. */
export async function rolesOf(
  profiles: ProfileSource,
  session: { openCalls: ReadonlyMap<string, CallState> },
  call: Asking,
): Promise<readonly Profile[]> {
  const ownRoles = await profiles.find(call.profile ?? defaultProfile);
  if (call.agent === undefined) return ownRoles;
  const above = session.openCalls.get(call.agent);
  if (above?.state !== 'running')
    throw new ToolError('CANCELLED', 'The sub-agent that makes this call has ended.');
  return [...ownRoles, ...(await rolesOf(profiles, session, above.call))];
}
