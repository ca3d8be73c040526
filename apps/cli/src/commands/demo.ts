// `codelab demo`: a guided tour over a copy of the sample workspace. Scripted: no AI, no network.
import '../shared.ts';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { AnswerApproval } from '@codelab/runtime';
import { compose, defaultHome } from '@codelab/server';
import { defineCommand } from '../command-line/define-command.ts';
import { createInterruption, type Interruption, writeText } from '../command-line/process.ts';
import { copySample } from '../demo/copy-sample.ts';
import { approveDemo, playDemo } from '../demo/play-demo.ts';
import { type Paint, paintFor } from '../output/paint.ts';
import { openTty, type Tty } from '../terminal/open-terminal.ts';

export const demo = defineCommand({
  words: '',
  takes: { min: 0, max: 0 },
  about: `Plays a short tour in a copy of the sample workspace: a read, a write that needs your approval, a refusal, the record.
The tour is scripted: it uses no AI and no network.`,
  options: {},
  async run() {
    const paint = paintFor(1);
    const workspace = copySample('notes');
    const session = `demo-${randomUUID().slice(0, 8)}`;
    writeText(1, opening(workspace, paint));
    using interruption = createInterruption();
    using terminal = openTty({ isInsisted: false });
    try {
      await using composed = await compose({ workspace, home: defaultHome(), mode: 'strict' });
      const answer = answerOf({ host: composed.host, terminal, interruption, paint });
      await playDemo({ composed, session, answer, interruption, paint });
    } catch (error) {
      if (interruption.happened) return 130;
      throw error;
    }
    writeText(1, closing(workspace, session, paint));
    return 0;
  },
});

type Stage = {
  host: Parameters<typeof approveDemo>[0];
  terminal: Tty | undefined;
  interruption: Interruption;
  paint: Paint;
};

function answerOf({ host, terminal, interruption, paint }: Stage): AnswerApproval {
  if (terminal === undefined) return (approval) => approveDemo(host, approval, paint);
  return async (approval, signal) => {
    const { promptApproval } = await import('../approval/prompt-approval.ts');
    const { interrupt } = interruption;
    await promptApproval({ host, approval, terminal, signal, isOneOff: false, interrupt });
  };
}

function opening(workspace: string, paint: Paint): string {
  return `
${paint('bold', 'CodeLab')}  hands that people can trust
${paint('dim', 'A scripted tour: no AI takes part, nothing goes over the network, your files are not touched.')}
${paint('dim', `It plays in ${workspace}, a copy of examples/notes.`)}
`;
}

function closing(workspace: string, session: string, paint: Paint): string {
  const commands = [
    ...aliasFor('codelab'),
    `cd ${workspace}`,
    'codelab tool list_files \'{"recursive":true}\'',
    'codelab tool delete_file \'{"path":"data/notes.json"}\'',
    'codelab policy list',
    `codelab audit show ${session}`,
  ];
  return `
${paint('bold', 'Your turn')}
${commands.map((line) => paint('cyan', `   ${line}`)).join('\n')}

${paint('dim', '`codelab --help` lists everything, `codelab --model demo` is a chat. `codelab serve` opens the web IDE.')}
`;
}

/** After `npm install`, the command is in the repository's `node_modules/.bin`, which only npm looks in. */
function aliasFor(name: string): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const isOnPath = folders.some((at) => !at.includes('node_modules') && existsSync(join(at, name)));
  const launcher = process.argv[1];
  return isOnPath || launcher === undefined ? [] : [`alias ${name}=${launcher}`];
}
