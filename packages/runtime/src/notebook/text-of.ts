/** The value of a member if it is a string. */
import type { Member } from './read-object.ts';

export function textOf(source: string, member: Member | undefined): string | undefined {
  if (member === undefined || source[member.valueStart] !== '"') return undefined;
  return String(JSON.parse(source.slice(member.valueStart, member.valueEnd)));
}
