// Every tool there is. Adding one: its file in catalogue/, a line here, a scenario folder.
import { createDirectory } from './catalogue/create-directory.ts';
import { deleteFile } from './catalogue/delete-file.ts';
import { listFiles } from './catalogue/list-files.ts';
import { moveFile } from './catalogue/move-file.ts';
import { promptUser } from './catalogue/prompt-user.ts';
import { readFile } from './catalogue/read-file.ts';
import { writeFile } from './catalogue/write-file.ts';
import type { Tool } from './define-tool.ts';

export const catalogue: readonly Tool[] = [
  readFile,
  writeFile,
  listFiles,
  createDirectory,
  deleteFile,
  moveFile,
  promptUser,
];
