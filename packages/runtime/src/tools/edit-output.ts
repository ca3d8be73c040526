// What the text-editing tools answer.
import * as z from 'zod/mini';
import { HunkSchema } from './hunk-schema.ts';

export const EditOutput = () =>
  z.strictObject({
    path: z.string(),
    operation: z.enum(['created', 'updated', 'unchanged']),
    replacements: z.int(),
    occurrences: z.array(z.int()),
    tolerant: z.array(z.string()),
    additions: z.int(),
    deletions: z.int(),
    diff: z.string(),
    structured_patch: z.array(HunkSchema()),
    original: z.optional(z.string()),
  });
