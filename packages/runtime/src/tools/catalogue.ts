// Every tool there is. CONTRIBUTING.md says how to add one.

import type { Tool } from '../tool/define-tool.ts';
import { commitReviewTool } from './changes/commit-review.ts';
import { discardChangesTool } from './changes/discard-changes.ts';
import { redoTool } from './changes/redo.ts';
import { restoreHeldBackTool } from './changes/restore-held-back.ts';
import { undoTool } from './changes/undo.ts';
import { executeCommandTool } from './commands/execute-command.ts';
import { killProcessTool } from './commands/kill-process.ts';
import { listProcessesTool } from './commands/list-processes.ts';
import { readProcessTool } from './commands/read-process.ts';
import { runCommandTool } from './commands/run-command.ts';
import { runPersistentTool } from './commands/run-persistent.ts';
import { writeProcessTool } from './commands/write-process.ts';
import { applyPatchTool } from './edits/apply-patch.ts';
import { applyPatchReviewTool } from './edits/apply-patch-review.ts';
import { editFileTool } from './edits/edit-file.ts';
import { multiEditTool } from './edits/multi-edit.ts';
import { notebookEditTool } from './edits/notebook-edit.ts';
import { createDirectoryTool } from './files/create-directory.ts';
import { deleteFileTool } from './files/delete-file.ts';
import { findFilesTool } from './files/find-files.ts';
import { listFilesTool } from './files/list-files.ts';
import { moveFileTool } from './files/move-file.ts';
import { readFileTool } from './files/read-file.ts';
import { searchInProjectTool } from './files/search-in-project.ts';
import { writeFileTool } from './files/write-file.ts';
import { gitBranchTool } from './git/git-branch.ts';
import { gitCommitTool } from './git/git-commit.ts';
import { gitDiffTool } from './git/git-diff.ts';
import { gitLogTool } from './git/git-log.ts';
import { gitStatusTool } from './git/git-status.ts';
import { lspDefinitionTool } from './lsp/lsp-definition.ts';
import { lspDiagnosticsTool } from './lsp/lsp-diagnostics.ts';
import { lspHoverTool } from './lsp/lsp-hover.ts';
import { lspReferencesTool } from './lsp/lsp-references.ts';
import { lspRenameTool } from './lsp/lsp-rename.ts';
import { lspSymbolsTool } from './lsp/lsp-symbols.ts';
import { promptUserTool } from './prompt-user.ts';
import { skillTool } from './skill.ts';
import { todoreadTool } from './todoread.ts';
import { todowriteTool } from './todowrite.ts';

/**
 * The version of the tool set. Seed 000 counts 1.0 (its first six tools), 1.1 (listing, searching, commands) and 2.0 (all it names). Ours has
 * all of them and more. A tool or an optional argument that is added raises the second number, one that is changed or removed the first.
 */
export const toolSetVersion = '2.2';

export const catalogue: readonly Tool[] = [
  readFileTool,
  writeFileTool,
  editFileTool,
  multiEditTool,
  notebookEditTool,
  applyPatchTool,
  applyPatchReviewTool,
  listFilesTool,
  searchInProjectTool,
  findFilesTool,
  createDirectoryTool,
  deleteFileTool,
  moveFileTool,
  runCommandTool,
  executeCommandTool,
  runPersistentTool,
  readProcessTool,
  writeProcessTool,
  listProcessesTool,
  killProcessTool,
  gitDiffTool,
  gitStatusTool,
  gitLogTool,
  gitBranchTool,
  gitCommitTool,
  lspDiagnosticsTool,
  lspDefinitionTool,
  lspHoverTool,
  lspReferencesTool,
  lspSymbolsTool,
  lspRenameTool,
  promptUserTool,
  todoreadTool,
  todowriteTool,
  skillTool,
  undoTool,
  redoTool,
  discardChangesTool,
  commitReviewTool,
  restoreHeldBackTool,
];
