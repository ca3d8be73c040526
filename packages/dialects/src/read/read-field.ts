// One field under any of the names peers use for it. `null` counts as absent; two names that disagree are refused.
import { ToolError } from '@codelab/protocol';
import type { Json } from '../dialect.ts';
import { isSame } from './is-same.ts';

export function readField(message: Json, names: readonly string[]): unknown {
  const present = names.filter((name) => Object.hasOwn(message, name) && message[name] != null);
  const [first, ...others] = present;
  if (first === undefined) return undefined;
  const rival = others.find((name) => !isSame(message[name], message[first]));
  if (rival !== undefined) {
    throw new ToolError(
      'INVALID_ARGUMENTS',
      `\`${first}\` and \`${rival}\` say different things. Send one of them.`,
      {
        field: rival,
      },
    );
  }
  return message[first];
}
