// Opens one hunk in the user's editor, as `e` in `git add -p`. Undefined when the user drops the edit.

import { type DiffHunk, hunkFromEditor, ToolError, writeDiff } from '@codelab/protocol';
import { openEditorDraft } from '../terminal/editor-draft.ts';
import { printNotice, type Tty } from '../terminal/open-terminal.ts';

const guide = `# To leave out a line that is added ("+"), delete it.
# To keep a line that is removed ("-"), put a blank in place of the "-".
# Lines with a blank before them stand in the file and must stay.
# The numbers above are counted anew. Lines starting with # go.
# When it does not apply, you can edit it again. Without any line the edit is dropped.
`;

/** `wantsAgain` is called when the edited hunk can't be used. */
export async function editHunk(
  terminal: Tty,
  hunk: DiffHunk,
  wantsAgain: () => Promise<boolean>,
): Promise<DiffHunk | undefined> {
  try {
    using draft = openEditorDraft(terminal, {
      name: 'hunk.diff',
      text: `# Edit the hunk; what to know stands below it.\n${writeDiff([{ header: [], hunks: [hunk] }])}${guide}`,
    });
    for (;;) {
      const edited = hunkFromEditor(hunk, await draft.edit());
      if (edited === undefined) printNotice(terminal, 'The edit was discarded.');
      if (typeof edited !== 'string') return edited;
      printNotice(terminal, edited);
      if (!(await wantsAgain())) return undefined;
    }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    printNotice(terminal, error.message);
    return undefined;
  }
}
