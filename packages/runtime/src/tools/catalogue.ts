// Every tool there is. Adding one: its file here, a line here, a scenario folder.

import type { Tool } from '../tool/define-tool.ts';
import { applyPatch } from './apply-patch.ts';
import { applyPatchReview } from './apply-patch-review.ts';
import { createDirectory } from './create-directory.ts';
import { deleteFile } from './delete-file.ts';
import { editFile } from './edit-file.ts';
import { executeCommand } from './execute-command.ts';
import { findFiles } from './find-files.ts';
import { gitBranch } from './git-branch.ts';
import { gitCommit } from './git-commit.ts';
import { gitDiff } from './git-diff.ts';
import { gitLog } from './git-log.ts';
import { gitStatus } from './git-status.ts';
import { killProcess } from './kill-process.ts';
import { listFiles } from './list-files.ts';
import { listProcesses } from './list-processes.ts';
import { moveFile } from './move-file.ts';
import { multiEdit } from './multi-edit.ts';
import { notebookEdit } from './notebook-edit.ts';
import { promptUser } from './prompt-user.ts';
import { readFile } from './read-file.ts';
import { readProcess } from './read-process.ts';
import { redo } from './redo.ts';
import { restoreHeldBack } from './restore-held-back.ts';
import { runCommand } from './run-command.ts';
import { runPersistent } from './run-persistent.ts';
import { searchInProject } from './search-in-project.ts';
import { skill } from './skill.ts';
import { todoread } from './todoread.ts';
import { todowrite } from './todowrite.ts';
import { undo } from './undo.ts';
import { writeFile } from './write-file.ts';
import { writeProcess } from './write-process.ts';

/**
 * The version of the tool set. Seed 000 counts 1.0 (its first six tools), 1.1 (listing, searching, commands) and 2.0 (all it names). Ours has
 * all of them and more. A tool or an optional argument that is added raises the second number, one that is changed or removed the first.
 */
export const toolSetVersion = '2.1';

export const catalogue: readonly Tool[] = [
  readFile,
  writeFile,
  editFile,
  multiEdit,
  notebookEdit,
  applyPatch,
  applyPatchReview,
  listFiles,
  searchInProject,
  findFiles,
  createDirectory,
  deleteFile,
  moveFile,
  runCommand,
  executeCommand,
  runPersistent,
  readProcess,
  writeProcess,
  listProcesses,
  killProcess,
  gitDiff,
  gitStatus,
  gitLog,
  gitBranch,
  gitCommit,
  promptUser,
  todoread,
  todowrite,
  skill,
  undo,
  redo,
  restoreHeldBack,
];
