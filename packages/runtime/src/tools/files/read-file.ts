// Reads a text file, whole or a page of its lines. Unsaved text of an editor takes precedence over the file on the disk.
import type { BigIntStats } from 'node:fs';
import { ImagePart, imageLimits, imageType, phrase, ToolError } from '@codelab/protocol';
import * as z from 'zod/mini';
import { defineTool, type PlanContext, type RunContext } from '../../tool/define-tool.ts';
import { identity, staleError } from '../../workspace/directory.ts';
import type { Located } from '../../workspace/locate.ts';
import { openRegular, readOpen, regular, tooLarge } from '../../workspace/read-bytes.ts';
import { readFilePage } from '../../workspace/read-page.ts';
import {
  decodeAs,
  decodeText,
  type OtherEncoding,
  otherEncodings,
  type Text,
} from '../../workspace/text-files.ts';
import type { OutputPage } from './read-output.ts';
import { tellLines } from './tell-lines.ts';

const Input = () =>
  z.strictObject({
    path: z.string(),
    start_line: z.optional(z.int().check(z.positive())),
    max_lines: z.optional(z.int().check(z.positive())),
    /** The caller can look at images: an image in a format that models accept is returned as one. */
    as_image: z.optional(z.boolean()),
    /** The encoding of a whole file that is not UTF-8. */
    encoding: z.optional(z.enum(otherEncodings)),
  });

const Output = () =>
  z.strictObject({
    path: z.string(),
    content: z.string(),
    encoding: z.enum(['utf-8', ...otherEncodings]),
    has_bom: z.boolean(),
    size: z.int(),
    /** Missing for unsaved text, and where a client read the file and reported no time. */
    modified: z.optional(z.string()),
    start_line: z.optional(z.int()),
    end_line: z.optional(z.int()),
    has_more: z.optional(z.boolean()),
    /** For a part of an earlier call's output: the bytes shown, and the path of the next part. */
    start_byte: z.optional(z.int()),
    end_byte: z.optional(z.int()),
    next: z.optional(z.string()),
    /** Instead of a text. */
    images: z.optional(z.array(ImagePart())),
    /** For a page: the file's number of lines, if known. */
    total_lines: z.optional(z.int()),
  });

const mediumBytes = 1024 * 1024;
const maxPageBytes = 1024 * 1024;

export const readFileTool = defineTool<
  z.infer<ReturnType<typeof Input>>,
  z.infer<ReturnType<typeof Output>>,
  { path: string; unsaved: string | undefined } | { page: OutputPage }
>({
  name: 'read_file',
  kind: 'read',
  readsUnsaved: true,
  summary: 'Read a text file, whole or some of its lines. Each line has its number and a tab before it.',
  input: Input,
  output: Output,

  async plan({ path: requestedPath, start_line, max_lines, encoding, as_image }, context) {
    const page = requestedPath.startsWith('output:') ? await outputPage(requestedPath, context) : undefined;
    if (page !== undefined) return planPage(page);
    const { workspace, limits, unsaved } = context;
    using place = workspace.locate(requestedPath, {
      followLast: true,
      access: 'read',
      pathChars: limits.pathChars,
    });
    const { path, links } = place;
    const text = unsaved(path);
    // An unsaved file may not exist on the disk yet; an existing entry must be a regular file.
    const stat = text !== undefined && place.stat === undefined ? undefined : regular(place);
    const size = text === undefined ? Number(stat?.size) : Buffer.byteLength(text);
    const isPaged = start_line !== undefined || max_lines !== undefined;
    if (isPaged && encoding !== undefined)
      throw new ToolError('INVALID_ARGUMENTS', 'Only UTF-8 text is read by lines. Leave `encoding` out.', {
        field: 'encoding',
      });
    const maxBytes = as_image === true ? Math.max(limits.readBytes, imageLimits.bytes) : limits.readBytes;
    if (!isPaged && size > maxBytes) throw tooLarge(requestedPath, size, maxBytes);
    const isLarge = size > mediumBytes;
    return {
      plan: {
        summary: phrase('plan.read', { path }),
        risk: isLarge ? 'medium' : 'low',
        riskReason: phrase(isLarge ? 'risk.readsMuch' : 'risk.onlyReads'),
        touches: [{ asked: requestedPath, path, access: 'read' }],
        notes: [
          ...links.map((link) => phrase('note.linkRead', { link, path })),
          ...(text === undefined ? [] : [phrase('note.unsavedRead')]),
        ],
        basis: [],
      },
      intents: [],
      prepared: { path, unsaved: text },
    };
  },

  async run(input, planned, context) {
    if ('page' in planned) return { data: planned.page, effects: [] };
    const { start_line, max_lines } = input;
    const isWhole = start_line === undefined && max_lines === undefined;
    const lines = { first: start_line ?? 1, count: max_lines ?? Number.MAX_SAFE_INTEGER };
    // No version of the file was seen.
    if (planned.unsaved !== undefined)
      return { data: unsavedData(planned.path, planned.unsaved, isWhole ? undefined : lines), effects: [] };
    using place = context.workspace.locate(input.path, {
      followLast: true,
      access: 'read',
      pathChars: context.limits.pathChars,
    });
    // Policy judged the planned path. When a link leads elsewhere by now, the plan is stale.
    if (place.path !== planned.path) throw staleError(input.path);
    const image = isWhole && input.as_image === true ? await imageIn(place, context) : undefined;
    if (image !== undefined)
      return { data: image.data, effects: [], seen: [{ path: place.path, print: identity(image.stat) }] };
    const { data, stat } = isWhole
      ? await readWhole(place, input.encoding, context)
      : await page(place, lines, context);
    return { data, effects: [], seen: [{ path: place.path, print: identity(stat) }] };
  },

  tell(data) {
    if (data.images !== undefined) return `[${data.path}: an image of ${data.size} bytes]`;
    return data.start_byte === undefined ? tellLines(data) : tellPage(data);
  },
  tellPlainly(data) {
    if (data.start_byte !== undefined) return tellPage(data);
    return data.content || tellLines(data);
  },
});

function tellPage({ content, next }: Pick<Data, 'content' | 'next'>): string {
  return next === undefined ? content : `${content}\n[… continues at ${next} …]`;
}

async function outputPage(requestedPath: string, context: PlanContext): Promise<OutputPage | undefined> {
  const { readOutput } = await import('./read-output.ts');
  return await readOutput(requestedPath, context);
}

/** This session has already been shown the output, so no approval is needed. */
function planPage(page: OutputPage) {
  const plan = {
    summary: phrase('plan.read', { path: page.path }),
    risk: 'low' as const,
    riskReason: phrase('risk.onlyReads'),
    touches: [],
    notes: [],
    basis: [],
  };
  return { plan, intents: [], prepared: { page } };
}

type Data = z.infer<ReturnType<typeof Output>>;
type Read = { data: Data; stat: BigIntStats };
type Lines = { first: number; count: number };

function unsavedData(path: string, text: string, range: Lines | undefined): Data {
  const facts = { path, encoding: 'utf-8' as const, has_bom: false, size: Buffer.byteLength(text) };
  if (range === undefined) return { ...facts, content: text };
  const allLines = text === '' ? [] : text.split(/(?<=\n)/);
  const lines = allLines.slice(range.first - 1, range.first - 1 + range.count);
  return { ...facts, content: lines.join(''), ...rangeOf(range.first, lines.length, allLines.length) };
}

function rangeOf(first: number, count: number, lineCount: number): Partial<Data> {
  const last = first + count - 1;
  return count === 0
    ? { start_line: 0, end_line: 0, has_more: false, total_lines: lineCount }
    : { start_line: first, end_line: last, has_more: last < lineCount, total_lines: lineCount };
}

function facts(stat: BigIntStats): { size: number; modified: string } {
  return { size: Number(stat.size), modified: stat.mtime.toISOString() };
}

/** Undefined when the file is not an image. */
async function imageIn(place: Located, { signal }: RunContext): Promise<Read | undefined> {
  using file = openRegular(place);
  if (Number(file.stat.size) > imageLimits.bytes) return undefined;
  const bytes = await readOpen(file, place.asked, imageLimits.bytes, signal);
  const mediaType = imageType(bytes);
  if (mediaType === undefined) return undefined;
  const images = [{ mediaType, data: bytes.toString('base64'), name: place.path }];
  const none = { content: '', encoding: 'utf-8' as const, has_bom: false };
  return { data: { path: place.path, ...none, ...facts(file.stat), images }, stat: file.stat };
}

async function readWhole(
  place: Located,
  encoding: OtherEncoding | undefined,
  context: RunContext,
): Promise<Read> {
  const { cache, limits } = context;
  if (encoding !== undefined) {
    using file = openRegular(place);
    const bytes = await readOpen(file, place.asked, limits.readBytes, context.signal);
    const { text, hasBom } = decodeAs(encoding, bytes, place.asked);
    const data = { path: place.path, content: text, encoding, has_bom: hasBom, ...facts(file.stat) };
    return { data, stat: file.stat };
  }
  const fileStat = regular(place);
  const cached = cache.get(fileStat);
  if (cached !== undefined) return wholeOf(place, cached, fileStat);
  using file = openRegular(place);
  const { stat } = file;
  const text = decodeText(await readOpen(file, place.asked, limits.readBytes, context.signal), place.asked);
  cache.put(stat, text, limits.readCacheMs);
  return wholeOf(place, text, stat);
}

function wholeOf({ path }: Located, { text, hasBom }: Text, stat: BigIntStats): Read {
  return { data: { path, content: text, encoding: 'utf-8', has_bom: hasBom, ...facts(stat) }, stat };
}

async function page(place: Located, lines: Lines, { limits, signal }: RunContext): Promise<Read> {
  using file = openRegular(place);
  const { stat } = file;
  const page = await readFilePage(file, {
    ...lines,
    asked: place.asked,
    maxBytes: Math.min(limits.readBytes, maxPageBytes),
    maxScan: limits.pagedFileBytes,
    signal,
  });
  const { text } = decodeText(page.bytes, place.asked, lines.first === 1 ? 'whole' : 'later');
  const start_line = page.lines === 0 ? 0 : lines.first;
  const end_line = page.lines === 0 ? 0 : lines.first + page.lines - 1;
  const total = page.total === undefined ? {} : { total_lines: page.total };
  const range = { start_line, end_line, has_more: page.hasMore, ...total };
  const data = {
    path: place.path,
    content: text,
    encoding: 'utf-8' as const,
    has_bom: page.hasBom,
    ...facts(stat),
    ...range,
  };
  return { data, stat };
}
