// Whether a tool is there for those who act: every one of the roles that hold must show it.
import type { Kind } from '@codelab/protocol';
import { compileGlob } from '../workspace/glob.ts';
import { mayStart } from './may-start.ts';
import type { Profile } from './profile.ts';

type Shown = { name: string; kind: Kind; startsAgents?: true };

export function shows(roles: readonly Profile[], tool: Shown): boolean {
  // Nobody to ask is nobody who allows it.
  return roles.length > 0 && roles.every((role) => showsTo(role, tool));
}

function showsTo(role: Profile, { name, kind, startsAgents }: Shown): boolean {
  if (!role.kinds.includes(kind)) return false;
  // What a command writes can't be held to certain paths.
  if (kind === 'execute' && role.writes !== undefined) return false;
  if (startsAgents && !mayStart([role])) return false;
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
