// The output schema of the tools that edit text.
import * as z from 'zod/mini';

// A hunk of a structured patch, as results carry it.
export const HunkSchema = () =>
  z.strictObject({
    oldStart: z.int(),
    oldLines: z.int(),
    newStart: z.int(),
    newLines: z.int(),
    lines: z.array(z.string()),
  });

// The result of the text-editing tools.
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
