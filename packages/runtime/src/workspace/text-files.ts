// Text files: lossless conversion between bytes and text, the change from a tool's new text to the bytes on the disk, and a cache of
// recently read texts.
import { isUtf8 } from 'node:buffer';
import type { BigIntStats } from 'node:fs';
import { type Diff, type Effect, type FileState, type Limits, ToolError } from '@codelab/protocol';
import { unifiedDiff } from '../patch/unified-diff.ts';
import { digestedFile } from '../platform/digest.ts';
import { type Change, fileState, newTemp } from './commit/change.ts';
import { defaultMode, identity } from './directory.ts';
import type { Located } from './locate.ts';
import { openRegular, readBytes, readWhole, tooLarge } from './read-bytes.ts';
import { Workspace } from './workspace.ts';

/**
 * Lossless conversion between bytes and text. Bytes that are not UTF-8 are refused, never repaired; files that are only read may have
 * another encoding.
 */
export type Text = { text: string; hasBom: boolean };

/** Encodings for reading a file that is not UTF-8. Such a file can't be edited. */
export const otherEncodings = ['utf-16le', 'latin1'] as const;
export type OtherEncoding = (typeof otherEncodings)[number];

/** `later`: a part that does not begin with the first byte of the file has no byte order mark, whatever its first bytes are. */
export function decodeText(bytes: Buffer, path: string, part: 'whole' | 'later' = 'whole'): Text {
  checkText(bytes, path);
  const hasBom = part === 'whole' && startsWithBom(bytes);
  return { text: bytes.toString('utf8', hasBom ? 3 : 0), hasBom };
}

function checkText(bytes: Buffer, path: string): void {
  if (isUtf16(bytes)) throw encodingError(path, 'is UTF-16 text');
  if (bytes.includes(0)) throw encodingError(path, 'is a binary file (it holds a NUL byte)');
  if (!isUtf8(bytes)) throw encodingError(path, 'is not valid UTF-8');
}

/** A whole file in the encoding chosen by the reader. */
export function decodeAs(encoding: OtherEncoding, bytes: Buffer, path: string): Text {
  if (encoding === 'latin1') {
    if (bytes.includes(0)) throw encodingError(path, 'is a binary file (it holds a NUL byte)');
    return { text: bytes.toString('latin1'), hasBom: false };
  }
  const hasBom = bytes[0] === 0xff && bytes[1] === 0xfe;
  const text = bytes.toString('utf16le', hasBom ? 2 : 0);
  if (bytes.length % 2 !== 0 || !text.isWellFormed()) throw encodingError(path, 'is not valid UTF-16LE');
  if (text.includes('\0')) throw encodingError(path, 'is a binary file (it holds a NUL character)');
  return { text, hasBom };
}

function encodeText({ text, hasBom }: Text): Buffer {
  return Buffer.from(hasBom ? `\ufeff${text}` : text, 'utf8');
}

export function startsWithBom(bytes: Buffer): boolean {
  return bytes.length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function isUtf16(bytes: Buffer): boolean {
  return (
    bytes.length >= 2 &&
    ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
  );
}

function encodingError(path: string, fault: string): ToolError {
  return new ToolError('ENCODING_ERROR', `${path} ${fault}; it was left as it is.`);
}

// The change of one text file, from a tool's new text to the bytes on the disk. Every edit-kind tool uses it.

/** The file as the plan found it; `state` is null when it does not exist. The text is decoded on first use. */
export type OldText = Readonly<Text> & { bytes: Buffer; identity: string; state: FileState | null };

export type TextChange = {
  path: string;
  before: string | null;
  after: string;
  bytes: number;
  operation: 'created' | 'updated' | 'unchanged';
  diff: Diff;
  changes: Change[];
};

export async function readOldText(
  place: Located,
  { limits, signal }: { limits: Limits; signal: AbortSignal },
): Promise<OldText> {
  if (place.stat === undefined)
    return { text: '', bytes: Buffer.alloc(0), hasBom: false, identity: 'absent', state: null };
  const { bytes: found, stat } = await readBytes(place, limits.writeBytes, signal);
  checkText(found, place.asked);
  const { bytes, digest } = digestedFile(found);
  if (bytes !== found) release(found);
  const hasBom = startsWithBom(bytes);
  let text: string | undefined;
  return {
    get text() {
      text ??= bytes.toString('utf8', hasBom ? 3 : 0);
      return text;
    },
    ...{ bytes, hasBom, identity: identity(stat), state: fileState(stat, digest) },
  };
}

// A read buffer that is not needed is released immediately: many large buffers make the garbage collector mark the whole heap.
function release({ buffer }: Buffer): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** `diff` is one that the tool already has; without it the texts are compared. */
export function planTextChange(
  place: Located,
  old: OldText,
  newText: string,
  { limits }: { limits: Limits },
  diff?: Diff,
): TextChange {
  const { path } = place;
  const after = withoutGivenMark(newText, old);
  const bytes = encodeText({ text: after, hasBom: old.hasBom });
  const before = old.state === null ? null : old.text;
  const operation = before === null ? 'created' : before === after ? 'unchanged' : 'updated';
  const changes = operation === 'unchanged' ? [] : putBytes(place, old, bytes, limits);
  const shown = diff ?? unifiedDiff({ path, before, after, maxBytes: limits.diffBytes });
  return { path, before, after, bytes: bytes.length, operation, diff: shown, changes };
}

/** The changes that give the file these bytes. */
export function putBytes(place: Located, old: OldText, bytes: Buffer, { writeBytes }: Limits): Change[] {
  if (bytes.length > writeBytes) throw tooLarge(place.asked, bytes.length, writeBytes);
  return [...missingDirectories(place), putFile(place.path, old, bytes)];
}

function putFile(path: string, { state, identity: expected }: OldText, bytes: Buffer): Change {
  const mode = state?.mode ?? 0o666 & ~process.umask();
  const after: FileState = { type: 'file', size: bytes.length, mode, digest: digestedFile(bytes).digest };
  const intent: Effect =
    state === null
      ? { op: 'create', path, before: null, after }
      : { op: 'update', path, before: state, after, trashId: '0' };
  return { op: 'put', intent, expected, source: { bytes, mode }, temp: newTemp() };
}

// The old file's byte order mark is kept anyway; content with another one does not get a second mark.
function withoutGivenMark(newText: string, old: OldText): string {
  const isGiven = old.hasBom && newText.startsWith('\ufeff') && !old.text.startsWith('\ufeff');
  return isGiven ? newText.slice(1) : newText;
}

/** The folders that have to be created. */
export function missingDirectories({
  path,
  missing,
}: {
  path: string;
  missing: readonly string[];
}): Change[] {
  const existing = path.split('/').slice(0, -1 - missing.length);
  const mode = defaultMode();
  return missing.map((_, i): Change => {
    const folder = [...existing, ...missing.slice(0, i + 1)].join('/');
    return {
      op: 'mkdir',
      intent: { op: 'mkdir', path: folder, before: null, after: { type: 'directory', size: 0, mode } },
    };
  });
}

/** Reads one small text file of a workspace for CodeLab itself, under the same path rules as any tool. */
const maxConfigBytes = 1024 * 1024;

/** Undefined when the file does not exist. */
export function readWorkspaceText(root: string, path: string): string | undefined {
  using workspace = Workspace.open(root);
  return readBoundedText(workspace, path, { maxBytes: maxConfigBytes, followLast: false });
}

export function readBoundedText(
  workspace: Workspace,
  path: string,
  { maxBytes, followLast }: { maxBytes: number; followLast: boolean },
): string | undefined {
  using place = workspace.locate(path, { followLast, access: 'read', pathChars: 4096 });
  if (place.stat === undefined) return undefined;
  using file = openRegular(place);
  if (file.stat.size > maxBytes)
    throw new ToolError('FILE_TOO_LARGE', `${path} is larger than ${maxBytes} bytes.`);
  return decodeText(readWhole(file, path), path).text;
}

/**
 * Texts of recently read files. A text is reused only when the file just found has the identity of the cached version; revoking read
 * permission changes that identity too.
 */
const maxBytes = 32 * 1024 * 1024;
// A file changed within the clock's resolution of being read could change again without its times showing it. The change time is compared, because no
// program can set it back.
const grainNs = 50_000_000n;

type CachedText = { text: Text; bytes: number; until: number };

export type ReadCache = {
  get(stat: BigIntStats): Text | undefined;
  put(stat: BigIntStats, text: Text, keepMs: number): void;
};

export function createReadCache(now: () => number = Date.now): ReadCache {
  const cached = new Map<string, CachedText>();
  let total = 0;
  const drop = (key: string): void => {
    total -= cached.get(key)?.bytes ?? 0;
    cached.delete(key);
  };
  return {
    get(stat) {
      const key = identity(stat);
      const cachedText = cached.get(key);
      if (cachedText === undefined) return undefined;
      if (cachedText.until > now()) return cachedText.text;
      drop(key);
      return undefined;
    },
    put(stat, text, keepMs) {
      const bytes = Number(stat.size);
      const fresh = BigInt(now()) * 1_000_000n - stat.ctimeNs < grainNs;
      if (keepMs <= 0 || fresh || bytes > maxBytes / 4) return;
      const key = identity(stat);
      drop(key);
      cached.set(key, { text, bytes, until: now() + keepMs });
      total += bytes;
      for (const oldest of cached.keys()) {
        if (total <= maxBytes) break;
        drop(oldest);
      }
    },
  };
}
