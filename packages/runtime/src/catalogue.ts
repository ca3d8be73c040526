// Every tool there is. Adding one: its file in catalogue/, a line here, a scenario folder.

import { applyPatch } from './catalogue/apply-patch.ts';
import { applyPatchReview } from './catalogue/apply-patch-review.ts';
import { createDirectory } from './catalogue/create-directory.ts';
import { deleteFile } from './catalogue/delete-file.ts';
import { editFile } from './catalogue/edit-file.ts';
import { listFiles } from './catalogue/list-files.ts';
import { moveFile } from './catalogue/move-file.ts';
import { multiEdit } from './catalogue/multi-edit.ts';
import { notebookEdit } from './catalogue/notebook-edit.ts';
import { promptUser } from './catalogue/prompt-user.ts';
import { readFile } from './catalogue/read-file.ts';
import { redo } from './catalogue/redo.ts';
import { undo } from './catalogue/undo.ts';
import { writeFile } from './catalogue/write-file.ts';
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
  createDirectory,
  deleteFile,
  moveFile,
  promptUser,
  undo,
  redo,
];
