// A role: which tools it sees and which paths it may change. What a role hides can't be executed either.
import { type Kind, ToolError } from '@codelab/protocol';

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
export const build: Profile = {
  name: defaultProfile,
  summary: 'Changes code, runs commands and checks its work.',
  mode: 'primary',
  kinds: ['read', 'search', 'ask', 'think', 'edit', 'delete', 'move', 'execute'],
};

/** For a host that was given no others. */
export const onlyBuild: ProfileSource = {
  find: async (name) => [await onlyBuild.role(name)],
  async role(name) {
    if (name === build.name) return { ...build, prompt: '' };
    throw unknownProfile(name, [build.name]);
  },
  all: async () => [{ ...build, prompt: '' }],
};

export function unknownProfile(name: string, known: readonly string[]): ToolError {
  return new ToolError(
    'INVALID_ARGUMENTS',
    `There is no profile ${JSON.stringify(name)}. Choose one of: ${known.join(', ')}.`,
    { field: 'profile' },
  );
}
