// What undo and redo answer: what was taken back, call by call, and what was refused, file by file.
import { ErrorCode } from '@codelab/protocol';
import * as z from 'zod/mini';

export const TakeBackOutput = () =>
  z.strictObject({
    taken_back: z.array(
      z.strictObject({ session: z.string(), call_id: z.string(), paths: z.array(z.string()) }),
    ),
    refused: z.array(z.strictObject({ path: z.string(), reason: z.string(), code: ErrorCode() })),
    /** How many effects each set of changes had, in order. */
    steps: z.array(z.int()),
  });

export type TakeBackData = z.infer<ReturnType<typeof TakeBackOutput>>;
