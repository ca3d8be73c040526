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

/** The form of seed 002. An internal error of the gateway has the usual form. */
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

/** The form of seed 001. */
export const KodeError = lazily(() =>
  z.union([z.strictObject({ error: z.string(), message: z.string() }), ErrorAnswer()]),
);

type Refusal = { code: string; message: string; details: Record<string, unknown> | undefined };

/** A refusal in any of these forms. A newer gateway may have codes that are unknown here. Without a schema: pages load no schemas. */
export function readRefusal(body: unknown): Refusal | undefined {
  if (!isObject(body)) return undefined;
  const { error, message, detail, error_code, metadata } = body;
  if (isObject(error)) return refusal(error.code, error.message, error.details);
  if (detail !== undefined) return refusal(error_code, detail, metadata);
  return refusal(error, message, undefined);
}

function refusal(code: unknown, message: unknown, details: unknown): Refusal | undefined {
  if (typeof code !== 'string' || typeof message !== 'string') return undefined;
  if (details !== undefined && !isObject(details)) return undefined;
  return { code, message, details };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The form of OpenAI's own errors. */
export const ModelError = lazily(() =>
  z.strictObject({
    error: z.strictObject({ message: z.string(), type: z.string(), param: z.null(), code: z.string() }),
  }),
);

export type AnswerProblem = { field: string; fault: string };

/** The value as received, or the first error: strict about named fields, lenient about others, because a newer gateway may send more. */
export function parseAnswer<S extends z.ZodMiniType>(
  schema: S,
  value: unknown,
): { value: z.output<S> } | { problem: AnswerProblem } {
  const { success, error } = schema.safeParse(value);
  const issues = success ? [] : (error.issues as Issue[]);
  const issue = issues.find((candidate) => !isMerelyNewer(candidate, value));
  if (issue === undefined) return { value: value as z.output<S> };
  return { problem: { field: issue.path.join('.'), fault: issue.code } };
}

type Issue = { code: string; path: PropertyKey[]; discriminator?: string; errors?: Issue[][] };

/** A field, or a kind of entry, that this version does not know. `whole` is the value that the issue's path leads through. */
function isMerelyNewer({ code, path, discriminator, errors = [] }: Issue, input: unknown): boolean {
  if (code === 'unrecognized_keys') return true;
  if (code !== 'invalid_union') return false;
  const value = at(input, path);
  // Entries of an unknown type are not checked further.
  if (discriminator !== undefined) return typeof value === 'string';
  return errors.some((branch) => branch.every((issue) => isMerelyNewer(issue, value)));
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  let target = value;
  for (const key of path) target = (target as Record<PropertyKey, unknown> | undefined)?.[key];
  return target;
}
