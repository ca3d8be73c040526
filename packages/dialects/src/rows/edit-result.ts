// What an edit did, in codelab and agent alike; how it was matched only when not exactly.
import type { Json } from '../dialect.ts';
import { present } from '../write/present.ts';

export function editResult(data: Json, asked: Json): Json {
  const { replacements, diff, structured_patch } = data;
  const tolerant = data.tolerant as string[];
  return present({
    path: asked.path,
    replacements,
    diff,
    structured_patch,
    tolerant: tolerant.length > 0 ? tolerant : undefined,
  });
}
