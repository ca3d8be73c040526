// The result of a call to a server: its texts joined, images for the model, other data named by type and size, all of it bounded.
import { ImagePart, imageLimits, imageTypes } from '@codelab/protocol';
import * as z from 'zod/mini';

export const CallResultShape = () =>
  z.looseObject({
    content: z.optional(z.array(z.looseObject({ type: z.string() }))),
    structuredContent: z.optional(z.unknown()),
    isError: z.optional(z.boolean()),
  });
export type CallResult = z.infer<ReturnType<typeof CallResultShape>>;

export const McpOutput = () =>
  z.strictObject({
    text: z.string(),
    truncated: z.boolean(),
    structured: z.optional(z.unknown()),
    images: z.optional(z.array(ImagePart())),
  });
export type McpOutput = z.infer<ReturnType<typeof McpOutput>>;

const mostDepth = 32;
const mostParts = 1000;

export function readToolResult({ content = [], structuredContent }: CallResult, maxBytes: number): McpOutput {
  const parts = content.slice(0, mostParts).map(partText);
  const isLonger = content.length > parts.length;
  const { text, isCut } = cutMiddle(parts.join('\n').toWellFormed(), maxBytes);
  const structured = structuredContent === undefined ? undefined : plainValue(structuredContent, mostDepth);
  const isTooMuch = structured !== undefined && Buffer.byteLength(JSON.stringify(structured)) > maxBytes;
  const truncated = isCut || isLonger || isTooMuch;
  const images = content.flatMap(imageOf).slice(0, imageLimits.count);
  return {
    text,
    truncated,
    ...(structured !== undefined && !isTooMuch && { structured }),
    ...(images.length > 0 && { images }),
  };
}

function imageOf(part: Record<string, unknown> & { type: string }): ImagePart[] {
  const mediaType = imageTypes.find((type) => type === part.mimeType);
  if (part.type !== 'image' || mediaType === undefined || typeof part.data !== 'string') return [];
  // A provider would refuse the whole request if the data were not base64.
  const isSound = bytesOf(part.data) <= imageLimits.bytes && /^[A-Za-z0-9+/]+={0,2}$/.test(part.data);
  return isSound ? [{ mediaType, data: part.data }] : [];
}

function partText(part: Record<string, unknown> & { type: string }): string {
  const resource = fieldsOf(part.resource);
  switch (part.type) {
    case 'text':
      return textOf(part.text);
    case 'image':
    case 'audio':
      return `[${part.type} ${short(part.mimeType)}, ${bytesOf(part.data)} bytes]`;
    case 'resource':
      return typeof resource.text === 'string'
        ? `[${short(resource.uri)}]\n${resource.text}`
        : `[${short(resource.uri)} ${short(resource.mimeType)}, ${bytesOf(resource.blob)} bytes]`;
    case 'resource_link':
      return `[${short(part.uri)} ${short(part.name)}]`;
    default:
      return `[${short(part.type)}]`;
  }
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function short(value: unknown): string {
  return textOf(value).slice(0, 500);
}

function bytesOf(base64: unknown): number {
  return typeof base64 === 'string' ? Buffer.byteLength(base64, 'base64') : 0;
}

function cutMiddle(text: string, maxBytes: number): { text: string; isCut: boolean } {
  if (text.length * 3 <= maxBytes) return { text, isCut: false };
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return { text, isCut: false };
  const half = Math.floor(maxBytes / 2);
  // A character that was cut in two is dropped.
  const head = bytes
    .subarray(0, half)
    .toString()
    .replace(/\ufffd+$/, '');
  const tail = bytes
    .subarray(bytes.length - half)
    .toString()
    .replace(/^\ufffd+/, '');
  return { text: `${head}\n[… ${bytes.length - 2 * half} bytes left out …]\n${tail}`, isCut: true };
}

/** Keeps what a log can store: well-formed texts, no `__proto__`, not too deep. */
function plainValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return '…';
  if (Array.isArray(value)) return value.map((item) => plainValue(item, depth - 1));
  const fields = Object.entries(value).filter(([key]) => key !== '__proto__');
  return Object.fromEntries(fields.map(([key, item]) => [key.toWellFormed(), plainValue(item, depth - 1)]));
}
