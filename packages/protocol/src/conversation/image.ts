// An image for a model: attached to a user's message, or part of a tool's result. The log has it with its turn or call.
import * as z from 'zod/mini';
import { lazily } from '../input.ts';

/** The types that every provider accepts. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;

export const imageLimits = {
  /** The largest image before base64 encoding: Anthropic accepts 5 MB of base64. */
  bytes: 3_750_000,
  /** The most images in one message or result. */
  count: 8,
};

/** The first bytes of each type, which decide the type whatever the file's name. */
const signatures: readonly [type: (typeof imageTypes)[number], at: number, bytes: readonly number[]][] = [
  ['image/png', 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/jpeg', 0, [0xff, 0xd8, 0xff]],
  ['image/gif', 0, [0x47, 0x49, 0x46, 0x38]],
  ['image/webp', 8, [0x57, 0x45, 0x42, 0x50]],
];

/** Undefined when the bytes are not an image that models accept. */
export function imageType(bytes: Uint8Array): ImagePart['mediaType'] | undefined {
  return signatures.find(([, at, mark]) => mark.every((byte, i) => bytes[at + i] === byte))?.[0];
}

export const ImagePart = lazily(() =>
  z.strictObject({
    mediaType: z.enum(imageTypes),
    /** Base64. */
    data: z.string(),
    /** The file or tool that the image comes from. */
    name: z.optional(z.string()),
  }),
);
export type ImagePart = z.infer<ReturnType<typeof ImagePart>>;
