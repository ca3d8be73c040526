// Refusals, in the form that the clients of each area read.
import { ErrorCode } from '@codelab/protocol';
import * as z from 'zod/mini';
import { json, lazily } from './shared.ts';

export const ErrorAnswer = lazily(() =>
  z.strictObject({
    error: z.strictObject({ code: ErrorCode(), message: z.string(), details: z.optional(json()) }),
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
      metadata: json(),
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
      error: z.object({ code: z.string(), message: z.string(), details: z.optional(json()) }),
    }),
    z.object({ detail: z.string(), error_code: z.string(), metadata: z.optional(json()) }),
    z.object({ error: z.string(), message: z.string() }),
  ]),
);

/** The form of OpenAI's own errors. */
export const ModelError = lazily(() =>
  z.strictObject({
    error: z.strictObject({ message: z.string(), type: z.string(), param: z.null(), code: z.string() }),
  }),
);
