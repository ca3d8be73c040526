// A rename as a patch: the server names the places that change, each touched file is sent to it as it is on the disk now, and it is asked
// again until no text was new to it. So the patch is based on exactly the texts that it will be applied to.
import { diffLines, ToolError } from '@codelab/protocol';
import type { FilePatch } from '../patch/file-patch.ts';
import { formatPatch } from '../patch/format-patch.ts';
import { hunksFrom, splitAtLineFeeds } from '../patch/unified-diff.ts';
import { openRegular, readWhole, tooLarge } from '../workspace/read-bytes.ts';
import { decodeText } from '../workspace/text-files.ts';
import type { AnswerEdit, AnswerWorkspaceEdit } from './answers.ts';
import { askAt } from './look-up.ts';
import { fromServer, lineStarts, linesOf, offsetOf, type PositionEncoding, pathIn } from './places.ts';
import { isUnanswered, type NamedPlace, type QuestionContext } from './questions.ts';
import { languageOfFile } from './server/find-server.ts';
import type { LiveServer } from './server/live-server.ts';
import type { ServedLanguage } from './server/lsp-settings.ts';
import { type UnservedAnswer, unserved } from './standing.ts';

export type RenameRequest = NamedPlace & { path: string; newName: string; mostFiles: number };
export type RenamePatch = { server: string; patch: string; places: number };

const mostRounds = 4;
const fallback = 'Find the places with lsp_references or grep, and change them with edit_file.';

/** Returns the patch, or why there is no rename. */
export async function renameAsPatch(
  request: RenameRequest,
  caller: QuestionContext,
): Promise<RenamePatch | UnservedAnswer> {
  const { path, newName, mostFiles, ...place } = request;
  const context: QuestionContext = { ...caller, keepsOpen: true };
  const { languages } = await context.lsp.pool();
  for (let round = 0; round < mostRounds; round++) {
    const extraParams = { newName };
    const answer = await askAt(path, {
      place,
      context,
      answer: 'workspaceEdit',
      method: 'textDocument/rename',
      ability: 'renameProvider',
      extraParams,
    });
    if (isUnanswered(answer)) return unserved(answer, fallback);
    const { server } = answer;
    const edit = answer.result;
    const edits = edit === null ? new Map<string, AnswerEdit[]>() : editsByPath(edit, context, server);
    if (edits.size === 0) return nothing(server);
    if (edits.size > mostFiles)
      throw new ToolError(
        'INVALID_ARGUMENTS',
        `The rename changes ${edits.size} files; at most ${mostFiles} are changed by one call.`,
      );
    const texts = readTexts([...edits.keys()], context);
    // The server may know a file by its content at the server's start.
    if (!tellTexts(texts, server, languages)) continue;
    return patchOf(edits, texts, server);
  }
  throw new ToolError('STALE', 'The files keep changing, so the rename was cancelled. Try again.');
}

function nothing({ found: { server } }: LiveServer): UnservedAnswer {
  const message = 'The server finds nothing to rename at this place.';
  return { ok: false, server_status: 'error', server, message, fallback };
}

function editsByPath(
  edit: AnswerWorkspaceEdit,
  context: QuestionContext,
  { documents, found }: LiveServer,
): Map<string, AnswerEdit[]> {
  const root = context.workspace.root.real;
  const fileEdits = [
    ...Object.entries(edit.changes ?? {}).map(([uri, edits]) => ({ uri, edits, version: undefined })),
    ...(edit.documentChanges ?? []).map(({ textDocument: { uri, version }, edits }) => ({
      uri,
      edits,
      version,
    })),
  ];
  const byPath = new Map<string, AnswerEdit[]>();
  for (const { uri, edits, version } of fileEdits) {
    if (edits.length === 0) continue;
    const path = pathIn(root, uri);
    if (path === undefined)
      throw new ToolError(
        'PATH_OUTSIDE_WORKSPACE',
        `${found.server} would also change ${uri.slice(0, 200)}, which is outside of the workspace. Nothing was changed.`,
      );
    const open = documents.get(path);
    if (typeof version === 'number' && open !== undefined && version !== open.version)
      throw new ToolError('STALE', `${path} was changed while the rename was worked out. Try it again.`);
    byPath.set(path, [...(byPath.get(path) ?? []), ...edits]);
  }
  return byPath;
}

type FileText = { text: string; hasBom: boolean };

function readTexts(paths: readonly string[], { workspace, limits }: QuestionContext): Map<string, FileText> {
  return new Map(
    paths.map((path) => {
      using at = workspace.locate(path, { followLast: true, access: 'write', pathChars: limits.pathChars });
      using file = openRegular(at);
      if (Number(file.stat.size) > limits.patchedFileBytes)
        throw tooLarge(path, Number(file.stat.size), limits.patchedFileBytes);
      return [path, decodeText(readWhole(file, path), path)];
    }),
  );
}

/** False when a text was new to the server. */
function tellTexts(
  texts: ReadonlyMap<string, FileText>,
  { documents, found }: LiveServer,
  languages: readonly ServedLanguage[],
): boolean {
  let isKnown = true;
  for (const [path, { text }] of texts) {
    const before = documents.get(path)?.version;
    const language = languageOfFile(path, languages);
    const isServed = language?.language.name === found.language;
    if (!isServed) continue;
    const { version } = documents.sync(path, language?.id ?? '', { text, isUnsaved: false });
    isKnown &&= version === before;
  }
  return isKnown;
}

function patchOf(
  edits: ReadonlyMap<string, AnswerEdit[]>,
  texts: ReadonlyMap<string, FileText>,
  { encoding, found }: LiveServer,
): RenamePatch {
  const files = [...edits]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([path, list]): FilePatch[] => {
      const { text, hasBom } = texts.get(path) as FileText;
      const mark = hasBom ? '\ufeff' : '';
      const before = splitAtLineFeeds(mark + text);
      const after = splitAtLineFeeds(mark + applyServerEdits(text, list, encoding, path));
      const hunks = hunksFrom(before, after, diffLines(before, after));
      return hunks.length === 0 ? [] : [{ operation: 'update', oldPath: path, newPath: path, hunks }];
    });
  const places = [...edits.values()].reduce((sum, list) => sum + list.length, 0);
  return { server: found.server, patch: formatPatch(files), places };
}

/** All edits refer to the current text; edits that overlap are refused. */
export function applyServerEdits(
  text: string,
  edits: readonly AnswerEdit[],
  encoding: PositionEncoding,
  path: string,
): string {
  const starts = lineStarts(text);
  const lines = linesOf(text);
  const offset = (at: AnswerEdit['range']['start']): number => {
    const character = fromServer(lines[at.line] ?? '', at.character, encoding);
    const offset = offsetOf(starts, text, { line: at.line, character });
    if (offset === undefined) throw unusableAnswer(path, 'names a line that the file does not have');
    return offset;
  };
  const spans = edits
    .map(({ range, newText }) => ({ from: offset(range.start), to: offset(range.end), newText }))
    .sort((a, b) => a.from - b.from || a.to - b.to);
  let result = '';
  let at = 0;
  for (const { from, to, newText } of spans) {
    if (from < at || to < from) throw unusableAnswer(path, 'has edits that overlap');
    result += text.slice(at, from) + newText;
    at = to;
  }
  return result + text.slice(at);
}

function unusableAnswer(path: string, problem: string): ToolError {
  return new ToolError('EXECUTION_FAILED', `The server’s answer ${problem} in ${path}. Nothing was changed.`);
}
