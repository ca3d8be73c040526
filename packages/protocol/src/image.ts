// An image for a model: attached to what a user says, or part of a tool's result. The log keeps it with its turn or call.
import * as z from 'zod/mini';
import { lazily } from './schema.ts';

/** What every provider takes. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;

export const imageLimits = {
  /** Of one image, before it becomes base64: Anthropic takes 5 MB of base64. */
  bytes: 3_750_000,
  /** Of one message or one result. */
  count: 8,
};

export const ImagePart = lazily(() =>
  z.strictObject({
    mediaType: z.enum(imageTypes),
    /** Base64. */
    data: z.string(),
    /** The file or tool it comes from. */
    name: z.optional(z.string()),
  }),
);
export type ImagePart = z.infer<ReturnType<typeof ImagePart>>;
