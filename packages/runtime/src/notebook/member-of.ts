/** The member that readers see under a key: of several, the last. */
import type { JsonObject, Member } from './read-object.ts';

export function memberOf(object: JsonObject | null, key: string): Member | undefined {
  return object?.members.findLast((member) => member.key === key);
}
