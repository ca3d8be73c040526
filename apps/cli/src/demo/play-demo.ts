// The tour: a read that runs unasked, a write that needs approval, a write that is denied, and the record that proves it all.
import { randomUUID } from 'node:crypto';
import { type ApprovalRequest, type Outcome, visible } from '@codelab/protocol';
import { type AnswerApproval, answerApproval, type Host, runCall } from '@codelab/runtime';
import type { Composed } from '@codelab/server';
import { approvalText } from '../approval/approval-text.ts';
import { callRecords } from '../audit/call-records.ts';
import { timelineText } from '../audit/timeline-text.ts';
import { type Interruption, writeText } from '../command-line/process.ts';
import type { Paint } from '../output/paint.ts';
import { hangText, screenWidth } from '../output/text-width.ts';

type Stage = {
  composed: Composed;
  session: string;
  answer: AnswerApproval;
  interruption: Interruption;
  paint: Paint;
};

const file = 'src/format.js';

export async function playDemo(stage: Stage): Promise<void> {
  const { paint } = stage;
  const printLines = (...lines: string[]): void => writeText(1, `${lines.join('\n')}\n`);

  printLines(
    '',
    heading(paint, 1, 'Reading changes nothing, so it runs unasked'),
    command(paint, 'read_file', { path: file }),
  );
  const read = await call(stage, 'read_file', { path: file });
  const before = read.status === 'completed' ? String(read.data.content) : '';
  printLines(
    ...quote(paint, before.split('\n').slice(0, 4)),
    paint('dim', `   │ … ${before.split('\n').length - 5} more lines`),
  );

  printLines('', heading(paint, 2, 'Writing asks you first'));
  printLines('   An agent is asked to show the progress. It wants to write this:');
  // The file has CRLF line endings, and the text read from it has LF.
  const change = { path: file, content: sampleChange(before), keep_line_endings: true };
  const write = await call(stage, 'write_file', change);
  printLines(...outcomeLines(paint, write));

  printLines('', heading(paint, 3, 'Some things can’t be allowed'));
  const hook = { path: '.git/hooks/pre-commit', content: 'sh evil.sh\n' };
  printLines(command(paint, 'write_file', hook));
  printLines(...outcomeLines(paint, await call(stage, 'write_file', hook)));

  printLines('', heading(paint, 4, 'Everything is recorded, and the record can be verified'), '');
  const { log } = stage.composed;
  const events = await log.read(stage.session);
  printLines(...timelineText(callRecords(events), { paint, columns: screenWidth() }), '');
  const { damage } = await log.audit(stage.session);
  if (damage === undefined)
    printLines(`${paint('green', '✔ complete')}  ${events.length} entries, every hash matches`);
  else printLines(`${paint('red', '✖ broken')}  ${damage.problem}`);
}

async function call(stage: Stage, tool: string, args: Record<string, unknown>): Promise<Outcome> {
  const { composed, session, answer, interruption } = stage;
  const by = { who: 'codelab demo', via: 'script' };
  const toolCall = { id: randomUUID(), session, tool, args, dialect: 'codelab' as const, by };
  const outcome = await runCall(composed.host, toolCall, interruption.signal, answer);
  interruption.signal.throwIfAborted();
  return outcome;
}

function outcomeLines(paint: Paint, outcome: Outcome): string[] {
  if (outcome.status === 'completed') {
    const effects = outcome.effects.map(({ op, path }) => `${op} ${path}`).join(', ');
    return [`   ${paint('green', '✔ done')}  ${visible(effects || 'nothing had to change')}`];
  }
  const { code, message } = outcome.error;
  const label = code === 'PERMISSION_DENIED' ? 'denied' : outcome.status;
  return hangText(`   ${paint('red', `✖ ${label}`)}  `, visible(message), screenWidth());
}

function heading(paint: Paint, number: number, text: string): string {
  return `${paint(['bold', 'black', 'bgCyan'], ` ${number} `)} ${paint('bold', text)}`;
}

function command(paint: Paint, tool: string, args: object): string {
  return paint('cyan', `   $ codelab tool ${tool} '${JSON.stringify(args)}'`);
}

function quote(paint: Paint, lines: readonly string[]): string[] {
  return lines.map((line) => `${paint('dim', '   │')} ${visible(line.replace(/\r$/, ''))}`);
}

// The change that the demo proposes: an agent's answer to "show how much is done".

function sampleChange(before: string): string {
  return before
    .replaceAll('\r\n', '\n')
    .replace("const done = '[x]';", "const done = '[✓]';")
    .replace(
      "  return notes.map(formatNote).join('\\n');",
      `  const finished = notes.filter((note) => note.done).length;
  return [...notes.map(formatNote), \`\${finished} of \${notes.length} done\`].join('\\n');`,
    );
}

/** Without a user at the terminal, the demo shows the question, says that it decides by itself, and approves. */
export async function approveDemo(host: Host, approval: ApprovalRequest, paint: Paint): Promise<void> {
  const lines = approvalText(approval, { columns: 100, paint });
  const remark = paint('yellow', '✔ Approved by the demo itself: there is no terminal to ask you.');
  writeText(1, `\n${lines.join('\n')}\n\n${remark}\n`);
  await answerApproval(host, {
    session: approval.session,
    approvalId: approval.id,
    decision: { kind: 'approve' },
    by: { who: 'codelab demo', via: 'script' },
  });
}
