// The first start at a terminal: a server of one's own is connected by its address.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { json, modelServer } from '../support/model-server.ts';
import { textAnswer } from '../support/run-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { hasTmux, openTerminal } from '../support/terminal.ts';

const launcher = join(import.meta.dirname, '../..', 'apps', 'cli', 'bin', 'codelab.js');
// The port is closed, so that no server on the machine that runs the tests is used.
const nowhere = Object.fromEntries(
  ['OLLAMA_HOST', 'LMSTUDIO_BASE_URL', 'LLAMACPP_BASE_URL', 'VLLM_BASE_URL'].map((name) => [
    name,
    'http://127.0.0.1:9',
  ]),
);

test.runIf(hasTmux)(
  'a server without a key is connected by its address; what is wrong is said, and what was typed stays',
  async () => {
    await using other = await modelServer(({ path }) =>
      path.endsWith('/models') ? json({ data: [{ id: 'tiny' }] }) : textAnswer('Hello.'),
    );
    using scratch = scratchFolder();
    const { PATH = '', HOME = '' } = process.env;
    const env = { PATH, HOME, ...nowhere, CODELAB_HOME: scratch.home, NO_COLOR: '1' };
    using terminal = openTerminal(scratch.home, 100, 40);
    terminal.run(`cd ${scratch.root} && ${process.execPath} ${launcher}; sleep 60`, env);
    await terminal.see('How should agents work');
    terminal.press('a', 'Enter');
    await terminal.see('Connect a provider…');
    terminal.press('Connect', 'Enter');
    await terminal.see('Whose models?');
    terminal.press('Other', 'Enter');
    await terminal.see('Address of Other (OpenAI-compatible):');
    terminal.press('ftp://x', 'Enter');
    await terminal.see('This is not an http or https address');
    await terminal.until(
      'the address is there to correct',
      () =>
        terminal.screen().trimEnd().endsWith('Address of Other (OpenAI-compatible): ftp://x') || undefined,
    );
    terminal.press('C-u', '127.0.0.1:9', 'Enter');
    await terminal.see('(not shown; Enter for none):');
    terminal.press('Enter');
    const refused = await terminal.see('Start the server or correct the base URL.');
    expect(refused).not.toContain('codelab model add');
    await terminal.until(
      'the address is there to correct',
      () =>
        terminal.screen().trimEnd().endsWith('Address of Other (OpenAI-compatible): http://127.0.0.1:9') ||
        undefined,
    );
    terminal.press('C-u', new URL(other.url).host, 'Enter');
    await terminal.until(
      'the key is asked again',
      () => terminal.screen().trimEnd().endsWith('Enter for none):') || undefined,
    );
    terminal.press('Enter');
    await terminal.see('Other (OpenAI-compatible) answers. Which model?');
    terminal.press('Enter');
    await terminal.see('· custom/tiny ·');
    expect(JSON.parse(readFileSync(join(scratch.home, 'config.json'), 'utf8'))).toEqual({
      model: 'custom/tiny',
      providers: { custom: { base_url: `http://${new URL(other.url).host}` } },
    });
  },
  60_000,
);
