// `codelab completion`: the script that a shell loads. completion/complete.ts answers its questions at each Tab.
import '../shared.ts';
import { defineCommand, nearestName, UsageError } from '../command-line/define-command.ts';
import { writeText } from '../command-line/process.ts';
import { shellScripts, shells } from '../completion/shell-scripts.ts';

export const completion = defineCommand({
  words: 'bash|zsh|fish',
  takes: { min: 1, max: 1 },
  about: `Prints a script that completes commands, options, sessions, models, profiles and settings in your shell.`,
  options: {},
  examples: [
    `echo 'eval "$(codelab completion bash)"' >> ~/.bashrc`,
    `echo 'eval "$(codelab completion zsh)"' >> ~/.zshrc`,
    'codelab completion fish > ~/.config/fish/completions/codelab.fish',
  ],
  run({ words: [shell = ''] }) {
    const shellName = shells.find((candidate) => candidate === shell);
    if (shellName === undefined) {
      const nearest = nearestName(shell, shells);
      const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
      throw new UsageError(`Give one shell: ${shells.join(', ')}.${hint}`);
    }
    writeText(1, shellScripts[shellName]);
    return 0;
  },
});
