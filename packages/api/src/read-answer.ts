// Reads the JSON of an answer: strict about what is named, lenient about what is not, since a newer gateway may say more.
import type * as z from 'zod/mini';

type Schema = z.ZodMiniType;
export type AnswerProblem = { field: string; fault: string };

/** The value as it came, with fields that are not named here, or the first thing that does not fit. */
export function readAnswer<S extends Schema>(
  schema: S,
  value: unknown,
): { value: z.output<S> } | { problem: AnswerProblem } {
  const { success, error } = schema.safeParse(value);
  const issues = success ? [] : (error.issues as Issue[]);
  const issue = issues.find((one) => !isMerelyNewer(one, value));
  if (issue === undefined) return { value: value as z.output<S> };
  return { problem: { field: issue.path.join('.'), fault: issue.code } };
}

type Issue = {
  code: string;
  path: PropertyKey[];
  discriminator?: string;
  errors?: Issue[][];
};

/** A field, or a kind of entry, that this version does not know. `whole` is what the issue's path leads through. */
function isMerelyNewer({ code, path, discriminator, errors = [] }: Issue, whole: unknown): boolean {
  if (code === 'unrecognized_keys') return true;
  if (code !== 'invalid_union') return false;
  const value = at(whole, path);
  // Of an entry whose type is not known, nothing else was looked at.
  if (discriminator !== undefined) return typeof value === 'string';
  return errors.some((branch) => branch.every((one) => isMerelyNewer(one, value)));
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const key of path) found = (found as Record<PropertyKey, unknown> | undefined)?.[key];
  return found;
}
