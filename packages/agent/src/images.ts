// Images on their way to a model: made from a file's bytes, found in a tool's result, and counted before they are sent.
import {
  type ImagePart,
  imageLimits,
  imageType,
  imageTypes,
  type Outcome,
  ToolError,
} from '@codelab/protocol';

/** Throws a ToolError that says what to do instead. */
export function imageFrom(bytes: Buffer, name: string): ImagePart {
  const mediaType = imageType(bytes);
  if (mediaType === undefined)
    throw new ToolError(
      'INVALID_ARGUMENTS',
      `${name} is not a PNG, JPEG, GIF or WebP image. Convert it first.`,
    );
  if (bytes.length > imageLimits.bytes)
    throw new ToolError(
      'FILE_TOO_LARGE',
      `${name} has ${bytes.length} bytes; an image may have ${imageLimits.bytes}. Make it smaller first.`,
    );
  return { mediaType, data: bytes.toString('base64'), name };
}

/** The images of a result: its field `images`, of whatever tool. */
export function imagesOf(outcome: Outcome): ImagePart[] {
  if (outcome.status !== 'completed' || !Array.isArray(outcome.data.images)) return [];
  return outcome.data.images.filter(isImage).slice(0, imageLimits.count);
}

function isImage(value: unknown): value is ImagePart {
  if (typeof value !== 'object' || value === null) return false;
  const { mediaType, data } = value as Partial<ImagePart>;
  return imageTypes.some((type) => type === mediaType) && typeof data === 'string';
}

/** Providers count by the size in pixels; this is about what they charge for the largest one they don't scale down. */
export const tokensPerImage = 1600;
