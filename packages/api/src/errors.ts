// Refusals, in the form that the clients of each area read.
import { ErrorCode } from '@codelab/protocol';
import * as z from 'zod/mini';
import { jsonObject, lazily } from './shared.ts';

export const ErrorAnswer = lazily(() =>
  z.strictObject({
    error: z.strictObject({ code: ErrorCode(), message: z.string(), details: z.optional(jsonObject()) }),
  }),
);
export type ErrorAnswer = z.infer<ReturnType<typeof ErrorAnswer>>;

/** Seed 002's form. A defect of the gateway is told in the usual one. */
export const PluginError = lazily(() =>
  z.union([
    z.strictObject({
      detail: z.string(),
      error_code: ErrorCode(),
      timestamp: z.string(),
      metadata: jsonObject(),
    }),
    ErrorAnswer(),
  ]),
);

/** Seed 001's form. */
export const KodeError = lazily(() =>
  z.union([z.strictObject({ error: z.string(), message: z.string() }), ErrorAnswer()]),
);

type Refusal = { code: string; message: string; details: Record<string, unknown> | undefined };

/** A refusal in any of these forms. A newer gateway may have codes that are not known here. */
export function readRefusal(body: unknown): Refusal | undefined {
  const { success, data } = AnyRefusal().safeParse(body);
  if (!success) return undefined;
  if ('detail' in data) return { code: data.error_code, message: data.detail, details: data.metadata };
  if ('message' in data) return { code: data.error, message: data.message, details: undefined };
  return { ...data.error, details: data.error.details };
}

const AnyRefusal = lazily(() =>
  z.union([
    z.object({
      error: z.object({ code: z.string(), message: z.string(), details: z.optional(jsonObject()) }),
    }),
    z.object({ detail: z.string(), error_code: z.string(), metadata: z.optional(jsonObject()) }),
    z.object({ error: z.string(), message: z.string() }),
  ]),
);

/** The form of OpenAI's own errors. */
export const ModelError = lazily(() =>
  z.strictObject({
    error: z.strictObject({ message: z.string(), type: z.string(), param: z.null(), code: z.string() }),
  }),
);

/** Reads the JSON of an answer: strict about what is named, lenient about what is not, since a newer gateway may say more. */
type Schema = z.ZodMiniType;
export type AnswerProblem = { field: string; fault: string };

/** The value as it came, with fields that are not named here, or the first thing that does not fit. */
export function parseAnswer<S extends Schema>(
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
