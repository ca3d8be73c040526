/** The failure of a notebook that is not JSON, with the place where reading stopped. */
import type { ToolError } from '@codelab/protocol';
import { notebookFault } from './notebook-fault.ts';

export function invalidJson(source: string, offset: number): ToolError {
  const before = source.slice(0, offset);
  const line = before.split('\n').length;
  const column = offset - before.lastIndexOf('\n');
  return notebookFault('Notebook is not valid JSON.', { line, column, offset });
}
