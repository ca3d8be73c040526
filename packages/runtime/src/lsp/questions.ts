// The questions that tools ask a language server about a place in a file, and the answers that tools return: bounded, in UTF-16 units,
// and without anything of files that a rule keeps from the caller.
import { type Limits, ToolError, visible } from '@codelab/protocol';
import { isProtected } from '../policy/built-in-rules.ts';
import { openRegular, readOpen, regular } from '../workspace/read-bytes.ts';
import { decodeText } from '../workspace/text-files.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type LspPosition, type LspRange, pathIn, rangeFrom, toServer } from './places.ts';
import { type DocumentText, filePrint, linesIn, type OpenDocument } from './server/documents.ts';
import type { LiveServer } from './server/live-server.ts';
import type { ServedFile, ServerPool, UnansweredQuestion } from './server/server-pool.ts';

/** The part of a call's context that a question needs. */
export type QuestionContext = {
  lsp: { pool(): Promise<ServerPool>; readonly answerMs: number };
  workspace: Workspace;
  limits: Limits;
  signal: AbortSignal;
  unsaved(path: string): string | undefined;
  isDenied(tool: string, path: string): boolean;
  mayRead(path: string): boolean;
  /** Files stay open for the next question of the same task, however many there are. */
  keepsOpen?: true;
};

export type AskedServer = { server: LiveServer; document: OpenDocument; served: ServedFile };

/** Each open file is checked before a question, so their number is bounded. */
const mostOpen = 32;

/** Sends the server the current texts, then asks. `path` is a workspace path. */
export async function askServer<T>(
  path: string,
  context: QuestionContext,
  ask: (server: AskedServer) => Promise<T>,
): Promise<T | UnansweredQuestion> {
  const pool = await context.lsp.pool();
  return await pool.use(path, context.signal, async (served) => {
    const { server, files, languageId } = served;
    const telling = files.tell(server);
    if (telling !== undefined) await telling;
    const openDocument = server.documents.get(path);
    const current = (openDocument && sameText(openDocument, context)) ?? (await textOf(path, context));
    if (!context.keepsOpen) server.documents.trim(mostOpen);
    refresh(server, path, context);
    const document = server.documents.sync(path, languageId, current);
    return await ask({ server, document, served });
  });
}

export function isUnanswered(answer: object): answer is UnansweredQuestion {
  return 'status' in answer && 'message' in answer;
}

/** A file that is open and has not changed need not be read again. */
function sameText(
  { path, text, isUnsaved, print }: OpenDocument,
  context: QuestionContext,
): DocumentText | undefined {
  const isSame = !isUnsaved && print !== '' && filePrint(context.workspace.root.real, path) === print;
  return isSame && context.unsaved(path) === undefined ? { text, isUnsaved, print } : undefined;
}

/** An editor's unsaved text takes precedence over the file. */
async function textOf(
  path: string,
  { workspace, limits, signal, unsaved }: QuestionContext,
): Promise<DocumentText> {
  const text = unsaved(path);
  if (text !== undefined) return { text, isUnsaved: true };
  using place = workspace.locate(path, { followLast: true, access: 'read', pathChars: limits.pathChars });
  regular(place);
  using file = openRegular(place);
  // The print is taken before the file is read, so a change during the read is noticed at the next question.
  const print = filePrint(workspace.root.real, path);
  const bytes = await readOpen(file, path, Math.min(limits.readBytes, mostText), signal);
  return { text: decodeText(bytes, path).text, isUnsaved: false, print };
}

const mostText = 4 * 1024 * 1024;

/** Sends the new text of open files that have changed; closes those that were deleted. */
function refresh({ documents }: LiveServer, askedPath: string, context: QuestionContext): void {
  for (const document of documents.all()) {
    const { path, isUnsaved, print } = document;
    if (path === askedPath) continue;
    const unsaved = context.unsaved(path);
    if (unsaved !== undefined) documents.sync(path, '', { text: unsaved, isUnsaved: true });
    else if (isUnsaved || filePrint(context.workspace.root.real, path) !== print)
      reread(documents, path, context);
  }
}

function reread(documents: LiveServer['documents'], path: string, context: QuestionContext): void {
  const text = textOnDisk(path, context);
  if (text === undefined) documents.close(path);
  else documents.sync(path, '', { text, isUnsaved: false });
}

function readNow(fd: number, size: number, path: string): string {
  const { readSync } = process.getBuiltinModule('node:fs');
  const bytes = Buffer.alloc(size);
  const count = readSync(fd, bytes, 0, size, 0);
  return decodeText(bytes.subarray(0, count), path).text;
}

/** A position that a caller names: by its character, or by a word in its line. */
export type NamedPlace = { line: number; character?: number | undefined; symbol?: string | undefined };

/** The position in the server's encoding; throws when the file has no such position. */
export function positionFor(
  { text }: OpenDocument,
  place: NamedPlace,
  { encoding }: LiveServer,
): LspPosition {
  const lines = linesIn(text);
  const line = lines[place.line];
  if (line === undefined)
    throw new ToolError('INVALID_ARGUMENTS', `There is no such line: the file has ${lines.length} lines.`, {
      field: 'line',
      lines: lines.length,
    });
  const character = characterIn(line, place);
  if (character > line.length)
    throw new ToolError('INVALID_ARGUMENTS', `There is no such character: the line has ${line.length}.`, {
      field: 'character',
      characters: line.length,
    });
  return { line: place.line, character: toServer(line, character, encoding) };
}

function characterIn(line: string, { character, symbol }: NamedPlace): number {
  if (character !== undefined) return character;
  if (symbol === undefined || symbol === '')
    throw new ToolError(
      'INVALID_ARGUMENTS',
      'Give `character`, or in `symbol` the name that stands in this line.',
      {
        field: 'character',
      },
    );
  const word = wordIn(line, symbol);
  if (word === -1)
    throw new ToolError(
      'INVALID_ARGUMENTS',
      `This line does not hold ${JSON.stringify(symbol.slice(0, 100))}: ${visible(line.trim().slice(0, 200))}`,
      {
        field: 'symbol',
      },
    );
  return word;
}

/** Prefers the symbol as a whole word over a part of another word. */
function wordIn(line: string, symbol: string): number {
  const isPart = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}_$]/u.test(char);
  for (let at = line.indexOf(symbol); at !== -1; at = line.indexOf(symbol, at + 1))
    if (!isPart(line[at - 1]) && !isPart(line[at + symbol.length])) return at;
  return line.indexOf(symbol);
}

export type FoundPlace = {
  uri: string;
  range: LspRange;
  /** For a file in the workspace: its path, and the line itself where the file is open or small. */
  path?: string;
  text?: string;
};

/** The places that an answer names. For places outside the workspace only the URI is returned, and nothing is read. */
export function describePlaces(
  found: readonly { uri: string; range: LspRange }[],
  tool: string,
  context: QuestionContext,
  { encoding }: LiveServer,
): FoundPlace[] {
  const root = context.workspace.root.real;
  const texts = new Map<string, string[] | undefined>();
  return found.flatMap(({ uri, range }): FoundPlace[] => {
    const path = pathIn(root, uri);
    if (path === undefined) return [{ uri: visible(uri.slice(0, 2000)), range }];
    if (context.isDenied(tool, path)) return [];
    if (!texts.has(path)) texts.set(path, texts.size < mostRead ? linesAt(path, context) : undefined);
    const lines = texts.get(path);
    const text = lines?.[range.start.line];
    return [
      {
        uri,
        path,
        range: rangeFrom(range, lines, encoding),
        ...(text !== undefined && { text: visible(text.trim().slice(0, 200)) }),
      },
    ];
  });
}

const mostRead = 50;

/** The text of a file on the disk, read synchronously; undefined when it cannot be read. */
export function textOnDisk(
  path: string,
  { workspace, limits: { pathChars } }: QuestionContext,
): string | undefined {
  try {
    using place = workspace.locate(path, { followLast: true, access: 'read', pathChars });
    using file = openRegular(place);
    const size = Number(file.stat.size);
    return size > mostText ? undefined : readNow(file.fd, size, path);
  } catch {
    return undefined;
  }
}

/** Reads under the path rules; a file that cannot be read has no lines to show. */
function linesAt(path: string, context: QuestionContext): string[] | undefined {
  // A file that may hold secrets is shown only to callers who may read it unasked.
  if (isProtected(path) && !context.mayRead(path)) return undefined;
  const text = context.unsaved(path) ?? textOnDisk(path, context);
  return text === undefined ? undefined : linesIn(text);
}
