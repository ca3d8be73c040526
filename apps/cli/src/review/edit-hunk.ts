// Opens one hunk in the user's editor, as `e` in `git add -p`. Undefined when the user drops the edit.

import { type DiffHunk, hunkFromEditor, ToolError, writeDiff } from '@codelab/protocol';
import { openEditorDraft } from '../terminal/editor-draft.ts';
import { printNotice, type Tty } from '../terminal/open-terminal.ts';

const guide = `# To remove a "+" line, delete it.
# To keep a "-" line, replace its "-" with a space.
# Lines that start with a space are context and must stay.
# The line numbers above are recalculated. Lines starting with # are removed.
# If the hunk does not apply, you can edit it again. An empty hunk cancels the edit.
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
      text: `# Edit the hunk; instructions are below.\n${writeDiff([{ header: [], hunks: [hunk] }])}${guide}`,
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
