// The tools of seed 000: relative paths, a whole file or a range of its lines, folders created on writing.
import type { WireTool } from '../dialect.ts';
import { processTools, runCommandRow } from './command-tools.ts';
import { applyPatchReviewRow, applyPatchRow, editTools, notebookEditRow } from './edit-tools.ts';
import { folderTools, listFilesRow, readFileRow, searchInProjectRow, writeFileRow } from './file-tools.ts';
import { gitBranchRow, gitCommitRow, gitDiffRow, gitLogRow, gitStatusRow } from './git-tools.ts';
import { lspTools } from './lsp-tools.ts';
import { noteTools, promptUserRow, taskRow, undoTools } from './session-tools.ts';

export const codelabTools: readonly WireTool[] = [
  readFileRow,
  writeFileRow,
  ...editTools,
  notebookEditRow,
  applyPatchRow,
  applyPatchReviewRow,
  ...undoTools,
  listFilesRow({ showsModified: true }),
  searchInProjectRow,
  ...folderTools,
  runCommandRow,
  ...processTools,
  gitDiffRow,
  gitStatusRow,
  gitLogRow,
  gitBranchRow,
  gitCommitRow,
  ...lspTools,
  promptUserRow,
  ...noteTools,
  taskRow,
];
