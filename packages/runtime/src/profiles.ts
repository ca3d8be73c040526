// Which tools an agent of a given role sees. What a profile hides can't be executed either.
import { type Kind, ToolError } from '@codelab/protocol';
import type { Tool } from './define-tool.ts';

export type Profile = { name: string; summary: string; kinds: readonly Kind[] };

const reading: readonly Kind[] = ['read', 'search', 'ask', 'think'];

export const profiles: readonly Profile[] = [
  { name: 'build', summary: 'Everything.', kinds: [...reading, 'edit', 'delete', 'move', 'execute'] },
  { name: 'plan', summary: 'Looks and thinks, changes nothing.', kinds: reading },
  { name: 'ask', summary: 'Answers questions about the code, changes nothing.', kinds: reading },
];

export function findProfile(name: string): Profile {
  const profile = profiles.find((one) => one.name === name);
  if (profile === undefined) {
    throw new ToolError(
      'INVALID_ARGUMENTS',
      `There is no profile ${JSON.stringify(name)}. Choose one of: ${profiles.map((one) => one.name).join(', ')}.`,
    );
  }
  return profile;
}

export function shows(profile: Profile, tool: Tool): boolean {
  return profile.kinds.includes(tool.kind);
}
