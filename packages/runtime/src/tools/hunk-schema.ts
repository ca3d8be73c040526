// A hunk of a structured patch, as results carry it.
import * as z from 'zod/mini';

export const HunkSchema = () =>
  z.strictObject({
    oldStart: z.int(),
    oldLines: z.int(),
    newStart: z.int(),
    newLines: z.int(),
    lines: z.array(z.string()),
  });
