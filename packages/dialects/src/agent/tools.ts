// Seed 004's tools, with the further arguments that the agent runtime gave its model.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';
import type { PathSpelling } from '../path-spelling.ts';
import { applyPatch } from '../rows/apply-patch.ts';
import { checkEncoding } from '../rows/check-encoding.ts';
import { createDirectory } from '../rows/create-directory.ts';
import { deleteFile } from '../rows/delete-file.ts';
import { editFile } from '../rows/edit-file.ts';
import { gitCommit } from '../rows/git-commit.ts';
import { gitDiff } from '../rows/git-diff.ts';
import { lineRange, lineRangeInput } from '../rows/line-range.ts';
import { listFiles } from '../rows/list-files.ts';
import { moveFile } from '../rows/move-file.ts';
import { multiEdit } from '../rows/multi-edit.ts';
import { promptUser } from '../rows/prompt-user.ts';
import { runCommand } from '../rows/run-command.ts';
import { present } from '../write/present.ts';
import { searchInCode } from './search-in-code.ts';

const readFile = (paths: PathSpelling): WireTool => ({
  name: 'read_file',
  tool: 'read_file',
  input: () => z.strictObject({ path: z.string(), encoding: z.optional(z.string()), ...lineRangeInput() }),
  toCore(args) {
    checkEncoding(args.encoding);
    return present({ path: paths.toCore(args.path as string), ...lineRange(args) });
  },
  toWire: ({ content, size, modified, start_line, end_line, has_more }) =>
    present({ content, size, modified, start_line, end_line, has_more }),
});

const writeFile = (paths: PathSpelling): WireTool => ({
  name: 'write_file',
  tool: 'write_file',
  input: () =>
    z.strictObject({
      path: z.string(),
      content: z.string(),
      encoding: z.optional(z.string()),
      create_dirs: z.optional(z.boolean()),
      keep_line_endings: z.optional(z.boolean()),
      // Accepted and not needed: every change can be taken back.
      backup: z.optional(z.boolean()),
    }),
  toCore({ path, content, encoding, create_dirs, keep_line_endings }) {
    checkEncoding(encoding);
    return present({
      path: paths.toCore(path as string),
      content,
      create_parents: create_dirs,
      keep_line_endings,
    });
  },
  toWire: ({ bytes_written }) => ({ success: true, bytes_written }),
});

export const makeTools = (paths: PathSpelling): readonly WireTool[] => [
  readFile(paths),
  writeFile(paths),
  editFile(paths),
  multiEdit(paths),
  applyPatch,
  listFiles(paths, { showsModified: false }),
  searchInCode(paths),
  createDirectory(paths),
  deleteFile(paths),
  moveFile(paths),
  runCommand(paths),
  gitDiff(paths),
  gitCommit(paths),
  promptUser,
];
