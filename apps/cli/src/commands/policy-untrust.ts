// `codelab policy untrust`: the workspace's configuration may only tighten again.
import '../shared.ts';
import { defaultHome, setInstructionTrust, setTrust, workspaceConfigPath } from '@codelab/server';
import { commonOptions, realRoot } from '../command-line/compose-options.ts';
import { defineCommand } from '../command-line/define-command.ts';
import { writeText } from '../output/write-text.ts';

const { workspace, json } = commonOptions;

export const policyUntrust = defineCommand({
  words: '',
  takes: { min: 0, max: 0 },
  about: `Takes back the trust in this workspace's ${workspaceConfigPath} and in its instructions for agents.`,
  options: { workspace, json },
  async run({ options }) {
    const root = realRoot(options.workspace);
    await setTrust(defaultHome(), root, undefined);
    await setInstructionTrust(defaultHome(), root, 'declined');
    writeText(
      1,
      options.json
        ? `${JSON.stringify({ workspace: root, trusted: false })}\n`
        : 'Not trusted: what it allows does not count, and agents are not told its instructions.\n',
    );
    return 0;
  },
});
