// The first start in a folder: one screen that explains the two ways to work, and a choice that is saved for the workspace.
import { type PolicyMode, visibleLine } from '@codelab/protocol';
import {
  type ComposeOptions,
  type LoadedConfig,
  loadConfig,
  settingsRoot,
  setWorkspaceMode,
  workspaceMode,
} from '@codelab/server';
import { realRoot } from '../command-line/define-command.ts';
import { wrapText } from '../output/text-width.ts';
import type { Tty } from '../terminal/open-terminal.ts';
import { select } from '../terminal/select.ts';
import { unheldNote } from './mode-words.ts';

type Places = Pick<ComposeOptions, 'home' | 'workspace' | 'mode'>;

/** Asks where nobody has set or chosen a mode yet. A user who leaves with Escape is asked again next time. */
export async function askMode(terminal: Tty, { home, workspace, mode }: Places): Promise<void> {
  const root = settingsRoot(home, realRoot(workspace));
  if (mode !== undefined || workspaceMode(home, root) !== undefined) return;
  const config = await loadConfig({ home, root, mode, env: process.env });
  if (config.isModeNamed) return;
  terminal.output.write(await explanation(terminal, root, config));
  const chosenMode = await select<PolicyMode>(terminal, {
    choices: [
      {
        key: 'a',
        label: 'Ask each time',
        hint: 'reading runs; changes and commands ask you',
        value: 'balanced',
      },
      {
        key: 'l',
        label: 'Let it work, then review',
        hint: 'it works in the sandbox; you review the result',
        value: 'review',
      },
    ],
    footer: () => '↑↓ or a letter, then Enter · kept for this folder · Shift-Tab switches later',
    signal: new AbortController().signal,
  });
  if (chosenMode !== undefined) await setWorkspaceMode(home, root, chosenMode);
}

async function explanation(terminal: Tty, root: string, { sandbox }: LoadedConfig): Promise<string> {
  const { paint, size } = terminal;
  const columns = Math.min(100, size().columns - 3);
  const paragraph = (text: string): string[] =>
    wrapText(text, columns).map((line) => `  ${line.trimStart()}`);
  const lines = [
    '',
    paint('bold', `  How should agents work in ${visibleLine(root)}?`),
    '',
    ...paragraph(
      'Let it work: edits in this folder and commands in a sandbox without network run without a question. At the end of a turn you go through the changes, keep or discard each, comment on lines, and commit. What you discard is restored byte for byte.',
    ),
    '',
    ...paragraph(
      'Either way it asks before it uses the network, leaves this folder, deletes what can’t be restored, destroys git history, or changes files that run later (hooks, CI, package scripts).',
    ),
    '',
    ...(await unheldNote({ sandbox }, 'review')).flatMap((text) => [
      ...paragraph(text).map((line) => paint('yellow', line)),
      '',
    ]),
  ];
  return `${lines.join('\n')}\n`;
}
