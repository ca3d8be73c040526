// Seed 000's tools: relative paths, a whole file or a range of its lines, folders made on writing.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';
import { plainPaths } from '../plain-paths.ts';
import { applyPatch } from '../rows/apply-patch.ts';
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
import { skill } from '../rows/skill.ts';
import { todoread } from '../rows/todoread.ts';
import { todowrite } from '../rows/todowrite.ts';
import { present } from '../write/present.ts';
import { applyPatchReview } from './apply-patch-review.ts';
import { gitBranch } from './git-branch.ts';
import { gitLog } from './git-log.ts';
import { gitStatus } from './git-status.ts';
import { killProcess } from './kill-process.ts';
import { listProcesses } from './list-processes.ts';
import { notebookEdit } from './notebook-edit.ts';
import { readProcess } from './read-process.ts';
import { redo } from './redo.ts';
import { restoreHeldBack } from './restore-held-back.ts';
import { runPersistent } from './run-persistent.ts';
import { searchInProject } from './search-in-project.ts';
import { task } from './task.ts';
import { undo } from './undo.ts';
import { writeProcess } from './write-process.ts';

const readFile: WireTool = {
  name: 'read_file',
  tool: 'read_file',
  input: () => z.strictObject({ path: z.string(), ...lineRangeInput() }),
  toCore: (args) => present({ path: args.path, ...lineRange(args) }),
  toWire: ({ content, encoding, start_line, end_line, has_more }) =>
    present({ content, encoding, start_line, end_line, has_more }),
};

const writeFile: WireTool = {
  name: 'write_file',
  tool: 'write_file',
  input: () =>
    z.strictObject({ path: z.string(), content: z.string(), keep_line_endings: z.optional(z.boolean()) }),
  toCore: (args) => args,
  toWire: ({ bytes_written }) => ({ success: true, bytes_written }),
};

export const tools: readonly WireTool[] = [
  readFile,
  writeFile,
  editFile(plainPaths),
  multiEdit(plainPaths),
  notebookEdit,
  applyPatch,
  applyPatchReview,
  undo,
  redo,
  restoreHeldBack,
  listFiles(plainPaths, { showsModified: true }),
  searchInProject,
  createDirectory(plainPaths),
  deleteFile(plainPaths),
  moveFile(plainPaths),
  runCommand(plainPaths),
  runPersistent,
  readProcess,
  writeProcess,
  listProcesses,
  killProcess,
  gitDiff(plainPaths),
  gitStatus,
  gitLog,
  gitBranch,
  gitCommit(plainPaths),
  promptUser,
  todoread,
  todowrite,
  skill,
  task,
];
