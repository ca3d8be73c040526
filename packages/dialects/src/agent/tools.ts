// The tools of seed 004, with the further arguments that the agent runtime gave its model, and the others of seed 000 in the spelling of
// seed 004.
import * as z from 'zod/mini';
import { runCommandRow } from '../codelab/command-tools.ts';
import { applyPatchRow, editTools } from '../codelab/edit-tools.ts';
import {
  folderTools,
  lineForms,
  lineRange,
  lineRangeInput,
  listFilesRow,
  readFromWire,
  searchRow,
  writtenFromWire,
} from '../codelab/file-tools.ts';
import { gitCommitRow, gitDiffRow } from '../codelab/git-tools.ts';
import { promptUserRow } from '../codelab/session-tools.ts';
import { codelabTools } from '../codelab/tools.ts';
import type { Json, WireTool } from '../dialect.ts';
import { checkEncoding, present, readEncoding } from '../shared/values.ts';

export function agentTools(): readonly WireTool[] {
  const rows = [
    readFile,
    writeFile,
    ...editTools,
    applyPatchRow,
    listFilesRow({ showsModified: false }),
    searchInCode,
    ...folderTools,
    { ...runCommandRow, ending: commandEnding },
    gitDiffRow,
    gitCommitRow,
    promptUserRow,
  ];
  const names = new Set(rows.map(({ name }) => name));
  const others = codelabTools.filter(({ name }) => !names.has(name));
  return [...rows, ...others.map((row) => ({ ...row, isExtension: true as const }))];
}

/** Seed 004 has a code for a timeout, with the output until then beside it. */
function commandEnding({ timed_out }: Json): Json {
  if (timed_out !== true) return {};
  return { error: 'The command exceeded its time limit and was stopped.', error_code: 'TIMEOUT' };
}

const readFile: WireTool = {
  name: 'read_file',
  tool: 'read_file',
  input: () => z.strictObject({ path: z.string(), encoding: z.optional(z.string()), ...lineRangeInput() }),
  reshape: lineForms,
  toCore: (args, { paths }) =>
    present({
      path: paths.toCore(args.path as string),
      encoding: readEncoding(args.encoding),
      ...lineRange(args),
    }),
  toWire: ({ content, size, modified, start_line, end_line, has_more }) =>
    present({ content, size, modified, start_line, end_line, has_more }),
  fromWire: readFromWire,
};

const writeFile: WireTool = {
  name: 'write_file',
  tool: 'write_file',
  input: () =>
    z.strictObject({
      path: z.string(),
      content: z.string(),
      encoding: z.optional(z.string()),
      create_dirs: z.optional(z.boolean()),
      keep_line_endings: z.optional(z.boolean()),
      // Accepted and ignored: every change can be undone.
      backup: z.optional(z.boolean()),
    }),
  toCore({ path, content, encoding, create_dirs, keep_line_endings }, { paths }) {
    checkEncoding(encoding);
    return present({
      path: paths.toCore(path as string),
      content,
      create_parents: create_dirs,
      keep_line_endings,
    });
  },
  toWire: ({ bytes_written }) => ({ success: true, bytes_written }),
  fromWire: writtenFromWire,
};

const searchInCode: WireTool = searchRow({
  name: 'search_in_code',
  match: ({ file, line, column, match, text }) => ({
    file,
    line,
    column,
    matched_text: match,
    line_content: text,
  }),
  total: 'total_matches',
});
