// Seed 000's tools: relative paths, a whole file or a range of its lines, folders made on writing.
import type { WireTool } from '../dialect.ts';
import { processTools, runCommand } from './command-tools.ts';
import { applyPatch, applyPatchReview, editTools, notebookEdit } from './edit-tools.ts';
import { folderTools, listFiles, readFile, searchInProject, writeFile } from './file-tools.ts';
import { gitBranch, gitCommit, gitDiff, gitLog, gitStatus } from './git-tools.ts';
import { noteTools, promptUser, task, undoTools } from './session-tools.ts';

export const codelabTools: readonly WireTool[] = [
  readFile,
  writeFile,
  ...editTools,
  notebookEdit,
  applyPatch,
  applyPatchReview,
  ...undoTools,
  listFiles({ showsModified: true }),
  searchInProject,
  ...folderTools,
  runCommand,
  ...processTools,
  gitDiff,
  gitStatus,
  gitLog,
  gitBranch,
  gitCommit,
  promptUser,
  ...noteTools,
  task,
];
