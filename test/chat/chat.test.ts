// The chat at a real terminal: what is typed, what is answered, what is asked, what is taken back, and what stands on the screen.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ChatBench, chatBench } from '../support/chat-bench.ts';
import { hasTmux } from '../support/terminal.ts';

const lines = Array.from({ length: 40 }, (_, i) => (i % 18 === 1 ? 'old' : `line ${i + 1}`));
const rule = '─'.repeat(89);
const hint = '❯ Ask for something · / commands · @ files · ! shell';

let bench: ChatBench;
beforeEach(() => {
  bench = chatBench({ 'a.txt': `${lines.join('\n')}\n`, 'src/cart.js': 'let a;\n' });
});
afterEach(() => bench[Symbol.dispose]());

describe.runIf(hasTmux)('with the demo model', { timeout: 60_000 }, () => {
  test('a prompt, an answer, an approval by hunk, an undo', async () => {
    await bench.start(['--model', 'demo']);
    bench.send('replace old by new in a.txt');
    await bench.until('the menu', () => {
      const screen = bench.screen().join('\n');
      if (screen.includes('next page')) bench.press('e');
      return screen.includes('h hunks') || undefined;
    });
    bench.press('C-u', 'h', 'Enter');
    await bench.see('(1/3) Take this hunk');
    bench.press('y');
    await bench.see('(2/3) Take this hunk');
    bench.press('n');
    await bench.see('(3/3) Take this hunk');
    bench.press('y');
    await bench.see('y  Yes');
    bench.press('y', 'Enter');
    await bench.see('Done:');
    const answered = await bench.idle();
    expect(answered.slice(answered.indexOf('✔ Approved hunk 1, 3'))).toEqual([
      '✔ Approved hunk 1, 3',
      '',
      '✔ Edit a.txt · +2 −2 · only the hunks you took',
      '',
      'Done:',
      '',
      expect.stringContaining('  A human took only some hunks'),
      ...answered.slice(answered.indexOf('✔ Approved hunk 1, 3') + 7, -5),
      '',
      rule,
      hint,
      rule,
      expect.stringMatching(/^ {2}demo \(no AI\) · build · strict.* · \d% context$/),
    ]);
    expect(written()).toBe(`${lines.with(1, 'new').with(37, 'new').join('\n')}\n`);
    bench.send('/diff');
    await bench.see('hunk 2 of 2');
    bench.send('/undo');
    const screen = await bench.see('restored a.txt');
    expect(screen.slice(-8)).toEqual([
      '❯ /undo',
      '',
      '  restored a.txt',
      '',
      rule,
      hint,
      rule,
      expect.stringContaining('demo (no AI)'),
    ]);
    expect(written()).toBe(`${lines.join('\n')}\n`);
    bench.send('/redo');
    await bench.until('it is changed again', () => (written().includes('new') ? true : undefined));
  });

  test('the screen of a whole turn', async () => {
    await bench.start(['--model', 'demo']);
    bench.send('read src/cart.js');
    await bench.see('Done:');
    const screen = await bench.idle();
    expect(screen).toEqual([
      expect.stringMatching(/^CodeLab \d+\.\d+\.\d+ · demo model: a script, no AI · /),
      'Mode strict: asks before every change and command · Shift-Tab switches · /help for more',
      '',
      '❯ read src/cart.js',
      '',
      'I am the demo model: a script, no AI, and I use no network. The tools, the approvals and',
      'the undo are real.',
      '',
      'I call read_file.',
      '',
      '✔ Read src/cart.js',
      '',
      'Done:',
      '',
      '  let a;',
      '',
      expect.stringMatching(/^ {2}1 step · \d\.\d s$/),
      '',
      rule,
      hint,
      rule,
      expect.stringMatching(
        /^ {2}demo \(no AI\) · build · strict: asks before every change and command · \d% context$/,
      ),
    ]);
  });

  test('the first start in a folder explains two ways to work, and keeps the choice', async () => {
    bench.launch(['--model', 'demo'], { CODELAB_MODE: '' });
    await bench.see('How should agents work in');
    await bench.see('Either way it asks before it uses the network');
    bench.press('Enter', 'l');
    await bench.see('❯ l  Let it work, then review');
    bench.press('Enter');
    await bench.see('demo (no AI) · build · review: works, then you review');
    bench.send('replace old by new in a.txt');
    await bench.see('Done:');
    await bench.idle();
    expect(written()).toBe(`${lines.map((line) => (line === 'old' ? 'new' : line)).join('\n')}\n`);
    // A change of the mode is of this session; what was chosen for the folder is what the next one starts with.
    bench.press('BTab', 'BTab');
    await bench.see('demo (no AI) · build · balanced: asks before each change');
    bench.launch(['--model', 'demo', '--continue'], { CODELAB_MODE: '' });
    await bench.see('❯ replace old by new in a.txt');
    await bench.see('balanced: asks before each change');
    await bench.start(['--model', 'demo'], { CODELAB_MODE: '' });
    await bench.see('review: works, then you review');
    await bench.start(['--model', 'demo', '--mode', 'strict'], { CODELAB_MODE: '' });
    await bench.see('strict: asks before every change and command');
  });

  test('commands: help, a wrong one, roles, pinned files, sessions', async () => {
    await bench.start(['--model', 'demo']);
    bench.send('/help');
    await bench.see('/undo [TURN]');
    await bench.see('stops the agent');
    // A long line is wrapped, not cut off.
    await bench.see('earlier message');
    bench.send('/modle');
    await bench.see('There is no command /modle. Did you mean /model?');
    bench.press('BTab');
    await bench.see('demo (no AI) · build · balanced: asks before each change');
    bench.press('BTab');
    await bench.see('demo (no AI) · build · review: works, then you review');
    bench.press('BTab');
    await bench.see('Plan only: the agent reads and plans, and changes nothing.');
    await bench.see('demo (no AI) · plan: changes nothing · review');
    bench.send('/mode balanced');
    await bench.see('demo (no AI) · plan: changes nothing · balanced');
    bench.send('/context add src/cart.js');
    await bench.see('• src/cart.js');
    bench.send('list src');
    await bench.see('✔ Listed src/');
    bench.send('/new');
    await bench.see('New session.');
    bench.send('/resume');
    await bench.see('❯ /resume');
    bench.send('/context');
    await bench.until(
      'the pinned file',
      () => bench.screen().join('\n').split('• src/cart.js').length > 2 || undefined,
    );
  });

  test('!command runs unasked, live, and can be taken back', async () => {
    await bench.start(['--model', 'demo']);
    bench.send('!echo written > b.txt; cat b.txt');
    const screen = await bench.see('exit code 0');
    expect(screen.join('\n')).toContain('✔ $ echo written > b.txt; cat b.txt · exit code 0\n  │ written\n');
    expect(readFileSync(join(bench.root, 'b.txt'), 'utf8')).toBe('written\n');
    bench.send('/undo');
    await bench.see('removed b.txt');
  });

  test('Tab completes a file, Up brings back what was typed, also in the next chat', async () => {
    await bench.start(['--model', 'demo']);
    bench.type('read @car');
    await bench.see('❯ src/cart.js');
    bench.press('Tab');
    await bench.see('❯ read @src/cart.js');
    bench.press('Enter');
    await bench.see('I am the demo model');
    bench.press('C-d');
    expect(await bench.ended()).toEqual({ code: 0, terminal: 'icanonecho' });
    await bench.start(['--model', 'demo']);
    bench.press('Up');
    await bench.see('❯ read @src/cart.js');
  });

  test('the window may change its size at any time', async () => {
    await bench.start(['--model', 'demo']);
    bench.send('/tools');
    await bench.see('write_file');
    bench.type('a line that is being typed');
    for (const [columns, rows] of [
      [50, 45],
      [40, 20],
      [120, 45],
      [61, 30],
      [90, 45],
    ] as const) {
      bench.resize(columns, rows);
      const screen = await bench.until('the frame is drawn anew', () => {
        const now = bench.screen();
        return now.includes('─'.repeat(columns - 1)) ? now : undefined;
      });
      expect(screen.filter((line) => line.includes('being typed'))).toEqual(['❯ a line that is being typed']);
      expect(screen.filter((line) => line.includes('demo (no AI)')).length).toBe(1);
    }
  });

  test('Ctrl-C clears the line, twice on an empty one it leaves; SIGTERM leaves too; the terminal is as it was', async () => {
    await bench.start(['--model', 'demo']);
    bench.type('something');
    await bench.see('❯ something');
    bench.press('C-c');
    await bench.see('Cleared. ↑ brings it back.');
    await bench.see(hint);
    bench.press('C-c');
    await bench.see('Ctrl-C again to exit.');
    // A different key starts the input again.
    bench.press('Up');
    await bench.see('❯ something');
    bench.press('C-c', 'C-c');
    await bench.see('Ctrl-C again to exit.');
    bench.press('C-c');
    expect(await bench.ended()).toEqual({ code: 0, terminal: 'icanonecho' });
    await bench.start(['--model', 'demo']);
    process.kill(bench.pid(), 'SIGTERM');
    expect(await bench.ended()).toEqual({ code: 130, terminal: 'icanonecho' });
    await bench.start(['--model', 'demo']);
    bench.send('write b.txt: x');
    await bench.see('y yes');
    process.kill(bench.pid(), 'SIGTERM');
    expect(await bench.ended()).toEqual({ code: 130, terminal: 'icanonecho' });
    expect(existsSync(join(bench.root, 'b.txt'))).toBe(false);
  });
});

function written(): string {
  return readFileSync(join(bench.root, 'a.txt'), 'utf8');
}
