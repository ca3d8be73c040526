// The last words of the tour: what was done, refused or failed, as the results say it.
import type { Done } from './read-turn.ts';

export function tellTour(done: readonly Done[], tools: ReadonlySet<string>, wanted: number): string {
  const lines = [
    ...done.filter(({ tool }) => tool === 'list_files' || tool === 'search_in_project').flatMap(tellLook),
    ...tellEdits(done, tools, wanted),
    ...tellTests(done, tools),
  ];
  const isChanged = edits(done).some(({ isError }) => !isError);
  const next = isChanged ? '\n\nSay `undo` to take the edit back.' : '';
  return `That was the tour. What happened:\n${lines.map((line) => `- ${line}`).join('\n')}${next}`;
}

/** Looking is worth a word only when it failed. */
function tellLook({ tool, result, isError }: Done): string[] {
  return isError ? [`\`${tool}\` did not work: ${short(result)}`] : [];
}

function tellEdits(done: readonly Done[], tools: ReadonlySet<string>, wanted: number): string[] {
  const made = edits(done);
  if (made.length > 0)
    return made.map(({ result, isError }) =>
      isError ? `The edit was **not** made: ${short(result)}` : `The edit was made: ${short(result)}`,
    );
  if (wanted === 0) return ['Nothing had to be edited: the bugs were mended before.'];
  const none = !tools.has('multi_edit') && !tools.has('edit_file');
  return [none ? 'There is no tool to edit with here, so the bugs are still there.' : 'No edit was made.'];
}

function tellTests(done: readonly Done[], tools: ReadonlySet<string>): string[] {
  const run = done.find(({ tool }) => tool === 'run_command');
  if (run === undefined) {
    const why = tools.has('run_command') ? 'nothing was changed' : 'there is no tool to run them with here';
    return [`The tests were not run: ${why}.`];
  }
  const passed = counted(run.result, 'pass');
  const failed = counted(run.result, 'fail');
  if (passed === undefined || failed === undefined)
    return [`The tests gave no result I can read: ${short(run.result)}`];
  if (failed === 0) return [`The tests: all ${passed} pass.`];
  return [`The tests: ${passed} pass, **${failed} still fail**. Some bug is not mended.`];
}

/** From the last lines of `node --test`: `ℹ pass 7`, or `# pass 7`. */
function counted(output: string, what: 'pass' | 'fail'): number | undefined {
  const found = new RegExp(`^(?:#|ℹ) ${what} (\\d+)\\s*$`, 'm').exec(output)?.[1];
  return found === undefined ? undefined : Number(found);
}

function edits(done: readonly Done[]): Done[] {
  return done.filter(({ tool }) => tool === 'multi_edit' || tool === 'edit_file');
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
