// The fields that say something: no message of ours carries null or undefined.
import type { Json } from '../dialect.ts';

export function present(fields: Json): Json {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  );
}
