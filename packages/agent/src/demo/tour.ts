// A tour over the sample workspace: look → search → propose an edit in several hunks → run the tests → report.
// The next step follows from the calls of this turn; a step whose tool is not offered is skipped, and the report says so.

import { demoHelp } from './demo-requests.ts';
import type { DemoStep, DemoTurn, FinishedCall } from './demo-turn.ts';

const file = 'src/cart.js';

const repairs = [
  {
    old_string: '{ ...line, quantity } : line',
    new_string: '{ ...line, quantity: line.quantity + quantity } : line',
  },
  { old_string: 'sum + line.price, 0)', new_string: 'sum + line.price * line.quantity, 0)' },
  { old_string: 'subtotal(cart) > freeShippingFrom', new_string: 'subtotal(cart) >= freeShippingFrom' },
];

export function playTour({ finishedCalls }: DemoTurn, tools: ReadonlySet<string>): DemoStep {
  const finishedCall = (...names: string[]): FinishedCall | undefined =>
    finishedCalls.find(({ tool }) => names.includes(tool));
  const may = (name: string): boolean => tools.has(name) && finishedCall(name) === undefined;

  if (!tools.has('read_file')) return end('I need the tool `read_file`, and there is none here.');
  const read = finishedCall('read_file');
  if (read === undefined) return readStep(tools);
  if (read.isError) return end(`I could not read ${file}: ${firstLine(read.result)}\n\n${otherWorkspace}`);
  const openRepairs = repairs.filter(({ old_string }) => read.result.includes(old_string));
  if (openRepairs.length === 0 && !repairs.every(({ new_string }) => read.result.includes(new_string)))
    return end(`${file} is not the one I know.\n\n${otherWorkspace}`);

  const edit = finishedCall('multi_edit', 'edit_file');
  if (edit === undefined && may('search_in_project')) return search();
  if (edit === undefined && openRepairs.length > 0) {
    const proposal = propose(openRepairs, tools);
    if (proposal !== undefined) return proposal;
  }
  // Without a change there is nothing new to test.
  const isChanged = finishedCalls.some(
    ({ tool, isError }) => !isError && (tool === 'multi_edit' || tool === 'edit_file'),
  );
  if ((isChanged || openRepairs.length === 0) && may('run_command')) return test(isChanged);
  return end(describeTour(finishedCalls, tools, openRepairs.length));
}

function readStep(tools: ReadonlySet<string>): DemoStep {
  const list = tools.has('list_files') ? [{ tool: 'list_files', args: { path: '.', recursive: true } }] : [];
  return {
    text: `I will look at this shop, fix what is wrong in ${file}, and run its tests. First I read.`,
    calls: [...list, { tool: 'read_file', args: { path: file } }],
  };
}

function search(): DemoStep {
  return {
    text: 'Quantities look suspicious. I search for every place that handles them.',
    calls: [{ tool: 'search_in_project', args: { query: 'quantity', path: 'src' } }],
  };
}

function propose(openRepairs: typeof repairs, tools: ReadonlySet<string>): DemoStep | undefined {
  const text = `I found ${count(openRepairs.length, 'bug')}: ${openRepairs.map(reasonOf).join('; ')}. I propose ${count(openRepairs.length, 'piece')} of one edit. Take all of them, or only some.`;
  if (tools.has('multi_edit'))
    return { text, calls: [{ tool: 'multi_edit', args: { path: file, edits: openRepairs } }] };
  if (tools.has('edit_file'))
    return {
      text,
      calls: openRepairs.map((repair) => ({ tool: 'edit_file', args: { path: file, ...repair } })),
    };
  return undefined;
}

function reasonOf({ old_string }: (typeof repairs)[number]): string {
  if (old_string.includes('...line')) return 'putting in a product again forgets how many there were';
  if (old_string.includes('price')) return 'the subtotal counts every product once';
  return 'shipping is not free at exactly 50.00';
}

function test(isChanged: boolean): DemoStep {
  return {
    text: isChanged
      ? 'The file is changed. I run the tests.'
      : 'The bugs are already fixed. I run the tests.',
    calls: [{ tool: 'run_command', args: { command: 'node --test' } }],
  };
}

const otherWorkspace = `My tour needs a copy of examples/hello-shop as its workspace. Here I can still do as I am told. ${demoHelp}`;

function end(text: string): DemoStep {
  return { text, calls: [] };
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

/** The report at the end of the tour: what was done, rejected or failed, by the results. */
function describeTour(
  finishedCalls: readonly FinishedCall[],
  tools: ReadonlySet<string>,
  openRepairs: number,
): string {
  const lines = [
    ...finishedCalls
      .filter(({ tool }) => tool === 'list_files' || tool === 'search_in_project')
      .flatMap(describeRead),
    ...describeEdits(finishedCalls, tools, openRepairs),
    ...describeTests(finishedCalls, tools),
  ];
  const isChanged = edits(finishedCalls).some(({ isError }) => !isError);
  const next = isChanged ? '\n\nSay `undo` to take the edit back.' : '';
  return `That was the tour. What happened:\n${lines.map((line) => `- ${line}`).join('\n')}${next}`;
}

/** A read is mentioned only when it failed. */
function describeRead({ tool, result, isError }: FinishedCall): string[] {
  return isError ? [`\`${tool}\` did not work: ${short(result)}`] : [];
}

function describeEdits(
  finishedCalls: readonly FinishedCall[],
  tools: ReadonlySet<string>,
  openRepairs: number,
): string[] {
  const finishedEdits = edits(finishedCalls);
  if (finishedEdits.length > 0)
    return finishedEdits.map(({ result, isError }) =>
      isError ? `The edit was **not** made: ${short(result)}` : `The edit was made: ${short(result)}`,
    );
  if (openRepairs === 0) return ['Nothing had to be edited: the bugs were already fixed.'];
  const none = !tools.has('multi_edit') && !tools.has('edit_file');
  return [none ? 'There is no tool to edit with here, so the bugs are still there.' : 'No edit was made.'];
}

function describeTests(finishedCalls: readonly FinishedCall[], tools: ReadonlySet<string>): string[] {
  const run = finishedCalls.find(({ tool }) => tool === 'run_command');
  if (run === undefined) {
    const reason = tools.has('run_command')
      ? 'nothing was changed'
      : 'there is no tool to run them with here';
    return [`The tests were not run: ${reason}.`];
  }
  const passCount = countIn(run.result, 'pass');
  const failed = countIn(run.result, 'fail');
  if (passCount === undefined || failed === undefined)
    return [`The tests gave no result I can read: ${short(run.result)}`];
  if (failed === 0) return [`The tests: all ${passCount} pass.`];
  return [`The tests: ${passCount} pass, **${failed} still fail**. Some bugs are not fixed.`];
}

/** From the last lines of `node --test`: `ℹ pass 7`, or `# pass 7`. */
function countIn(output: string, label: 'pass' | 'fail'): number | undefined {
  const countText = new RegExp(`^(?:#|ℹ) ${label} (\\d+)\\s*$`, 'm').exec(output)?.[1];
  return countText === undefined ? undefined : Number(countText);
}

function edits(finishedCalls: readonly FinishedCall[]): FinishedCall[] {
  return finishedCalls.filter(({ tool }) => tool === 'multi_edit' || tool === 'edit_file');
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
