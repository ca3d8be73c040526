// Seed 001's file tools.
import type { WireTool } from '../dialect.ts';
import type { PathSpelling } from '../path-spelling.ts';
import { bash } from './bash.ts';
import { edit } from './edit.ts';
import { globTool } from './glob-tool.ts';
import { grepTool } from './grep-tool.ts';
import { ls } from './ls.ts';
import { multiEdit } from './multi-edit.ts';
import { notebookEditCell } from './notebook-edit-cell.ts';
import { replace } from './replace.ts';
import { todoWrite } from './todo-write.ts';
import { view } from './view.ts';

export function makeTools(paths: PathSpelling): readonly WireTool[] {
  return [view, replace, edit, multiEdit, notebookEditCell, ls, grepTool, globTool, bash, todoWrite].map(
    (row) => row(paths),
  );
}
