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
  const issue = success ? undefined : error.issues.find((one) => !isMerelyNewer(one as Issue));
  if (issue === undefined) return { value: value as z.output<S> };
  return { problem: { field: issue.path.join('.'), fault: issue.message ?? issue.code } };
}

type Issue = {
  code: string;
  path: PropertyKey[];
  message?: string;
  note?: string;
  input?: unknown;
  errors?: Issue[][];
};

/** A field, or a kind of entry, that this version does not know. */
function isMerelyNewer({ code, note, errors = [] }: Issue): boolean {
  if (code === 'unrecognized_keys') return true;
  if (code !== 'invalid_union') return false;
  // Of an event whose type is not known, nothing else was looked at.
  if (note === 'No matching discriminator') return true;
  return errors.some((branch) => branch.length > 0 && branch.every(isMerelyNewer));
}
