// `codelab policy trust` shows the workspace's configuration, then puts exactly that text in effect; `untrust` ends that.
import '../../shared.ts';
import { ToolError, visible, visibleLine } from '@codelab/protocol';
import { readWorkspaceText } from '@codelab/runtime';
import { defaultHome, setInstructionTrust, setTrust, workspaceConfigPath } from '@codelab/server';
import { commonOptions, defineCommand, realRoot } from '../../command-line/define-command.ts';
import { writeText } from '../../command-line/process.ts';

/** `codelab policy trust`: shows the workspace's configuration as it is now, then puts exactly that text in effect. */
const { workspace, json } = commonOptions;

export const policyTrust = defineCommand({
  words: '',
  takes: { min: 0, max: 0 },
  about: `Trusts this workspace's ${workspaceConfigPath}, so that it can also loosen policy, and its instructions for agents (AGENTS.md,
CLAUDE.md). The files are shown first, and in a terminal you confirm. Changed files have to be trusted again.`,
  options: { workspace, json },
  async run({ options }) {
    const root = realRoot(options.workspace);
    const text = readWorkspaceText(root, workspaceConfigPath);
    const instructions = await readInstructions(root);
    if (text === undefined && instructions.length === 0)
      throw new ToolError(
        'FILE_NOT_FOUND',
        `${root} has no ${workspaceConfigPath}, AGENTS.md or CLAUDE.md; there is nothing to trust.`,
      );
    const config = text === undefined ? [] : [{ path: workspaceConfigPath, text }];
    if (!options.json)
      for (const file of [...config, ...instructions])
        writeText(1, `${visibleLine(file.path)}:\n${visible(file.text).trimEnd()}\n\n`);
    if (!options.json && !(await isSure())) return 1;
    if (readWorkspaceText(root, workspaceConfigPath) !== text)
      throw new ToolError('STALE', 'The file has changed since it was shown. Read it again.');
    if (text !== undefined) await setTrust(defaultHome(), root, text);
    await setInstructionTrust(defaultHome(), root, 'trusted');
    writeText(1, options.json ? `${JSON.stringify({ workspace: root, trusted: true })}\n` : trusted);
    return 0;
  },
});

const trusted = `Trusted: the settings until their text changes, instructions in this workspace from now on. \`codelab policy untrust\` reverses this.
`;

/** All instructions of the workspace, trusted or not. */
async function readInstructions(root: string): Promise<{ path: string; text: string }[]> {
  const { rootInstructions } = await import('@codelab/server/agent');
  const { readUntrusted } = await import('../../instructions/trust-question.ts');
  const { files, untrusted } = await rootInstructions(defaultHome(), root);
  return [...files.filter(({ from }) => from === 'workspace'), ...readUntrusted(root, untrusted)];
}

/** Without a terminal, running the command is the confirmation. */
async function isSure(): Promise<boolean> {
  const { openTty } = await import('../../terminal/open-terminal.ts');
  using terminal = openTty({ isInsisted: false });
  if (terminal === undefined) return true;
  const { select } = await import('../../terminal/select.ts');
  const answer = await select(terminal, {
    choices: [
      { key: 'y', label: 'Trust it', hint: 'its allow rules apply from now on', value: true },
      { key: 'n', label: 'Leave it', hint: 'it can only tighten policy', value: false },
    ],
    footer: () => '↑↓ or a letter, then Enter',
    signal: new AbortController().signal,
  });
  return answer === true;
}

/** `codelab policy untrust`: from then on the workspace's configuration may only tighten the rules. */
export const policyUntrust = defineCommand({
  words: '',
  takes: { min: 0, max: 0 },
  about: `Stops trusting this workspace's ${workspaceConfigPath} and its instructions for agents.`,
  options: { workspace, json },
  async run({ options }) {
    const root = realRoot(options.workspace);
    await setTrust(defaultHome(), root, undefined);
    await setInstructionTrust(defaultHome(), root, 'declined');
    writeText(
      1,
      options.json
        ? `${JSON.stringify({ workspace: root, trusted: false })}\n`
        : 'Not trusted: its allow rules are ignored, and agents do not see its instructions.\n',
    );
    return 0;
  },
});
