// Opens the call's arguments in the user's editor. The result is checked like any JSON from outside.
import { type Decision, limitProfiles, parseJson, ToolError } from '@codelab/protocol';
import { openEditorDraft } from '../terminal/editor-draft.ts';
import { printNotice } from '../terminal/open-terminal.ts';
import { type ApprovalPrompt, askRetry } from './approval-prompt.ts';

type Args = Record<string, unknown>;

export async function editArguments(prompt: ApprovalPrompt): Promise<Decision | undefined> {
  const { approval, terminal } = prompt;
  try {
    const args = await edited(prompt, `${JSON.stringify(approval.args, null, 2)}\n`);
    return args && { kind: 'edit', args };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    printNotice(terminal, error.message);
    return undefined;
  }
}

async function edited(prompt: ApprovalPrompt, before: string): Promise<Args | undefined> {
  const { terminal } = prompt;
  using draft = openEditorDraft(terminal, { name: 'arguments.json', text: before });
  for (;;) {
    const after = await draft.edit();
    if (after === before) {
      printNotice(terminal, 'Nothing was changed.');
      return undefined;
    }
    const args = read(after);
    if (typeof args !== 'string') return args;
    printNotice(terminal, args);
    if (!(await askRetry(prompt))) return undefined;
  }
}

/** The arguments, or what is wrong with them. */
function read(text: string): Args | string {
  const { argsBytes: bytes, argsDepth: depth } = limitProfiles.plugin;
  try {
    const value = parseJson(text, { bytes, depth });
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Args) : 'The arguments must be one JSON object.';
  } catch (error) {
    if (error instanceof ToolError) return error.message;
    throw error;
  }
}
