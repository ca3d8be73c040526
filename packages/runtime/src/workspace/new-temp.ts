// The name of a file of ours while it is under way; the log knows it before it exists, so that recovery finds it.
import { randomId } from '../platform/random-id.ts';

export function newTemp(): string {
  return `.codelab-${randomId().slice(0, 18)}.tmp`;
}
