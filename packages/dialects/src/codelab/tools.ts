// Seed 000's tools: relative paths, a whole file or a range of its lines, folders made on writing.
import type { WireTool } from '../dialect.ts';
import type { PathSpelling } from '../shared/paths.ts';
import { processTools, runCommand } from './command-tools.ts';
import { applyPatch, applyPatchReview, editTools, notebookEdit } from './edit-tools.ts';
import { folderTools, listFiles, readFile, searchInProject, writeFile } from './file-tools.ts';
import { gitBranch, gitCommit, gitDiff, gitLog, gitStatus } from './git-tools.ts';
import { noteTools, promptUser, task, undoTools } from './session-tools.ts';

export function makeTools(paths: PathSpelling): readonly WireTool[] {
  return [
    readFile(paths),
    writeFile(paths),
    ...editTools(paths),
    notebookEdit(paths),
    applyPatch,
    applyPatchReview,
    ...undoTools(paths),
    listFiles(paths, { showsModified: true }),
    searchInProject(paths),
    ...folderTools(paths),
    runCommand(paths),
    ...processTools(paths),
    gitDiff(paths),
    gitStatus(paths),
    gitLog(paths),
    gitBranch,
    gitCommit(paths),
    promptUser,
    ...noteTools,
    task,
  ];
}
