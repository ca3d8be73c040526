// The changes of the turns of a chat, so that the latest one can be undone: edits through the editor, commands through the runtime.
import { ToolError } from '@codelab/protocol';
import * as vscode from 'vscode';
import { type AppliedEdit, documentText, editText } from './editor-documents.ts';

type Made = { kind: 'edit'; edit: AppliedEdit } | { kind: 'command'; undo(): Promise<boolean> };

type UndoneTurn = {
  undone: number;
  /** Paths of files that were changed since. */
  refused: string[];
};

export type TurnChanges = {
  /** Starts a new turn: later changes belong to it. */
  begin(): void;
  noteEdit(edit: AppliedEdit): void;
  noteCommand(undo: () => Promise<boolean>): void;
  /** Undefined when no turn has changed a file. */
  undoLast(): Promise<UndoneTurn | undefined>;
};

const keptTurns = 50;

export function createTurnChanges(): TurnChanges {
  const turns: Made[][] = [];
  const add = (made: Made): void => {
    const last = turns.at(-1);
    if (last === undefined) turns.push([made]);
    else last.push(made);
  };
  return {
    begin() {
      if (turns.at(-1)?.length !== 0) turns.push([]);
      turns.splice(0, turns.length - keptTurns);
    },
    noteEdit: (edit) => add({ kind: 'edit', edit }),
    noteCommand: (undo) => add({ kind: 'command', undo }),
    async undoLast() {
      const at = turns.findLastIndex((turn) => turn.length > 0);
      const turn = turns[at];
      if (turn === undefined) return undefined;
      const notUndone: Made[] = [];
      const result: UndoneTurn = { undone: 0, refused: [] };
      for (const made of turn.toReversed()) {
        const isDone = made.kind === 'edit' ? await undoEdit(made.edit) : await made.undo();
        if (isDone) result.undone++;
        else if (made.kind === 'edit') {
          result.refused.push(vscode.workspace.asRelativePath(made.edit.uri));
          notUndone.unshift(made);
        }
      }
      turns[at] = notUndone;
      return result;
    },
  };
}

/** False when the file is no longer as the edit left it. */
async function undoEdit({ uri, before, after }: AppliedEdit): Promise<boolean> {
  if ((await documentText(uri)) !== after) return false;
  if (before === null) {
    const edit = new vscode.WorkspaceEdit();
    edit.deleteFile(uri, { ignoreIfNotExists: true });
    return await vscode.workspace.applyEdit(edit);
  }
  try {
    return (await editText(uri, after, before)) !== undefined;
  } catch (error) {
    if (error instanceof ToolError) return false;
    throw error;
  }
}
