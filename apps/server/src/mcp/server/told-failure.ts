// The structured content of a call that failed: the failure, and what to do next.
import * as z from 'zod/mini';

export const ToldFailure = () =>
  z.object({
    error: z.object({
      code: z.string(),
      message: z.string(),
      next: z.string(),
      details: z.optional(z.record(z.string(), z.unknown())),
    }),
  });
export type ToldFailure = z.infer<ReturnType<typeof ToldFailure>>;
