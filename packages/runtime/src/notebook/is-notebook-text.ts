/** Whether a text is still a notebook: JSON, not nested beyond reason, an object with cells. */
import { ToolError } from '@codelab/protocol';
import { memberOf } from './member-of.ts';
import { readDocument } from './read-document.ts';

/** Before nbformat 4 the cells were in worksheets; such a file may be edited as text. */
export function isNotebookText(text: string): boolean {
  try {
    const top = readDocument(text);
    const cells = memberOf(top, 'cells') ?? memberOf(top, 'worksheets');
    return cells !== undefined && text[cells.valueStart] === '[';
  } catch (error) {
    if (error instanceof ToolError) return false;
    throw error;
  }
}
