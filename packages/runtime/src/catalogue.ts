// Every tool there is. Adding one: its file in catalogue/, a line here, a scenario folder.

import { applyPatch } from './catalogue/apply-patch.ts';
import { applyPatchReview } from './catalogue/apply-patch-review.ts';
import { createDirectory } from './catalogue/create-directory.ts';
import { deleteFile } from './catalogue/delete-file.ts';
import { editFile } from './catalogue/edit-file.ts';
import { executeCommand } from './catalogue/execute-command.ts';
import { findFiles } from './catalogue/find-files.ts';
import { gitBranch } from './catalogue/git-branch.ts';
import { gitCommit } from './catalogue/git-commit.ts';
import { gitDiff } from './catalogue/git-diff.ts';
import { gitLog } from './catalogue/git-log.ts';
import { gitStatus } from './catalogue/git-status.ts';
import { killProcess } from './catalogue/kill-process.ts';
import { listFiles } from './catalogue/list-files.ts';
import { listProcesses } from './catalogue/list-processes.ts';
import { moveFile } from './catalogue/move-file.ts';
import { multiEdit } from './catalogue/multi-edit.ts';
import { notebookEdit } from './catalogue/notebook-edit.ts';
import { promptUser } from './catalogue/prompt-user.ts';
import { readFile } from './catalogue/read-file.ts';
import { readProcess } from './catalogue/read-process.ts';
import { redo } from './catalogue/redo.ts';
import { restoreHeldBack } from './catalogue/restore-held-back.ts';
import { runCommand } from './catalogue/run-command.ts';
import { runPersistent } from './catalogue/run-persistent.ts';
import { searchInProject } from './catalogue/search-in-project.ts';
import { skill } from './catalogue/skill.ts';
import { todoread } from './catalogue/todoread.ts';
import { todowrite } from './catalogue/todowrite.ts';
import { undo } from './catalogue/undo.ts';
import { writeFile } from './catalogue/write-file.ts';
import { writeProcess } from './catalogue/write-process.ts';
import type { Tool } from './define-tool.ts';

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
