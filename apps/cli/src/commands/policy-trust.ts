// `codelab policy trust`: shows the workspace's configuration as it is now, then lets exactly that text count in full.
import '../shared.ts';
import { ToolError, visible } from '@codelab/protocol';
import { readWorkspaceText } from '@codelab/runtime';
import { defaultHome, setTrust, workspaceConfigPath } from '@codelab/server';
import { commonOptions, realRoot } from '../command-line/compose-options.ts';
import { defineCommand } from '../command-line/define-command.ts';
import { writeText } from '../output/write-text.ts';

const { workspace, json } = commonOptions;

export const policyTrust = defineCommand({
  words: '',
  takes: { min: 0, max: 0 },
  about: `Lets this workspace's ${workspaceConfigPath} loosen policy as well, as long as its text stays as it is now.
The text is shown first; in a terminal you are asked.`,
  options: { workspace, json },
  async run({ options }) {
    const root = realRoot(options.workspace);
    const text = readWorkspaceText(root, workspaceConfigPath);
    if (text === undefined)
      throw new ToolError(
        'FILE_NOT_FOUND',
        `${root} has no ${workspaceConfigPath}; there is nothing to trust.`,
      );
    if (!options.json) writeText(1, `${workspaceConfigPath}:\n${visible(text).trimEnd()}\n\n`);
    if (!options.json && !(await isSure())) return 1;
    if (readWorkspaceText(root, workspaceConfigPath) !== text)
      throw new ToolError('STALE', 'The file has changed since it was shown. Look again.');
    await setTrust(defaultHome(), root, text);
    writeText(
      1,
      options.json
        ? `${JSON.stringify({ workspace: root, trusted: true })}\n`
        : 'Trusted until the text changes. `codelab policy untrust` takes it back.\n',
    );
    return 0;
  },
});

// Outside a terminal the command itself is the user's word.
async function isSure(): Promise<boolean> {
  const { openTerminal } = await import('../terminal/open-terminal.ts');
  using terminal = openTerminal({ isInsisted: false });
  if (terminal === undefined) return true;
  const { select } = await import('../terminal/select.ts');
  const answer = await select(terminal, {
    choices: [
      { key: 'y', label: 'Trust it', hint: 'what it allows counts from now on', value: true },
      { key: 'n', label: 'Leave it', hint: 'it may only tighten', value: false },
    ],
    footer: () => '↑↓ or a letter, then Enter',
    signal: new AbortController().signal,
  });
  return answer === true;
}
