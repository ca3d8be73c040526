// Asks once, at a terminal, whether agents may follow the instructions of a workspace.
import { visible, visibleLine } from '@codelab/protocol';
import { readBoundedText, Workspace } from '@codelab/runtime';
import { setInstructionTrust } from '@codelab/server';
import { type Instructions, instructionName, rootInstructions } from '@codelab/server/agent';
import { realRoot } from '../command-line/define-command.ts';
import { byteSize } from '../output/units.ts';
import type { Tty } from '../terminal/open-terminal.ts';
import { select } from '../terminal/select.ts';

type Places = { home: string; workspace: string };

/** A user who leaves with Escape is asked again next time. */
export async function askInstructionTrust(terminal: Tty, { home, workspace }: Places): Promise<void> {
  const root = realRoot(workspace);
  const { untrusted, trust } = await rootInstructions(home, root);
  if (untrusted.length === 0 || trust !== undefined) return;
  const { output, paint } = terminal;
  const texts = readUntrusted(root, untrusted);
  const fileTexts = texts.map(
    ({ path, text }) => `${visibleLine(path)} (${byteSize(Buffer.byteLength(text))})`,
  );
  output.write(`${paint('bold', 'This workspace has instructions for agents:')} ${fileTexts.join(', ')}\n`);
  for (;;) {
    const answer = await select(terminal, {
      choices: [
        {
          key: 'y',
          label: 'Follow them',
          hint: 'agents get them in this workspace from now on',
          value: 'trusted',
        },
        { key: 'v', label: 'View them first', value: 'view' },
        { key: 'n', label: 'Do not follow them', hint: 'agents may still read the files', value: 'declined' },
      ] as const,
      footer: () => '↑↓ or a letter, then Enter. `codelab policy trust` and `untrust` change it later.',
      signal: new AbortController().signal,
    });
    if (answer === undefined) return;
    if (answer !== 'view') return await setInstructionTrust(home, root, answer);
    for (const { path, text } of texts)
      output.write(`${paint('bold', visibleLine(path))}\n${visible(text).trimEnd()}\n\n`);
  }
}

/** One line for each file. */
export function instructionRows({ files, untrusted, trust, problems }: Instructions): string[][] {
  const reason = trust === 'declined' ? 'you declined them' : 'not trusted: `codelab policy trust`';
  return [
    ...files.map((file) => [visibleLine(instructionName(file)), byteSize(Buffer.byteLength(file.text))]),
    ...untrusted.map((path) => [visibleLine(path), `not used, ${reason}`]),
    ...problems.map((problem) => [visibleLine(problem)]),
  ];
}

/** The texts of the instructions that are not used. */
export function readUntrusted(root: string, paths: readonly string[]): { path: string; text: string }[] {
  using workspace = Workspace.open(root);
  return paths.map((path) => ({
    path,
    text: readBoundedText(workspace, path, { maxBytes: 256 * 1024, followLast: true }) ?? '',
  }));
}
