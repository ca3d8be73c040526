// A corpus of hostile text through every door it can come in by: nothing of it runs, nothing asks another host, nothing breaks the policy.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser } from '../support/browser.ts';
import { notBuilt, type PageBench, pageBench } from '../support/page-bench.ts';
import { scriptedModel } from '../support/scripted-model.ts';

type Json = Record<string, unknown>;

const boom = 'window.__xss=1;alert(1)';
const corpus = [
  `<script>${boom}</script>`,
  `<img src=x onerror="${boom}">`,
  `<svg onload="${boom}"><animate onbegin="${boom}" attributeName=x></svg>`,
  `<iframe srcdoc="<script>parent.__xss=1</script>"></iframe>`,
  `"><details open ontoggle="${boom}">`,
  `</textarea></title></style></script><script>${boom}</script>`,
  `<a href="javascript:${boom}">a</a>`,
  `<style>@import "https://evil.example/x.css";body{background:url(https://evil.example/x.png)}</style>`,
  '<link rel=stylesheet href=https://evil.example/x.css><base href=https://evil.example/>',
  '<meta http-equiv=refresh content="0;url=https://evil.example/">',
  '<form action=https://evil.example><button autofocus onfocus=window.__xss=1>x</button></form>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.__xss=1&gt;">',
  "#{window.__xss=1}{{constructor.constructor('window.__xss=1')()}}",
  '\u202etxt.exe\u2066\u200b\u0000\u001b]0;owned\u0007\u001b]8;;javascript:window.__xss=1\u0007link\u001b]8;;\u0007',
];

const markdown = [
  '[one](javascript:window.__xss=1) [two](JaVaScRiPt:window.__xss=1) [three](java&#10;script:window.__xss=1)',
  '[four](data:text/html,<script>parent.__xss=1</script>) [five](vbscript:x) [six](//evil.example/y)',
  '![image](https://evil.example/pixel.png) ![x](javascript:window.__xss=1) ![y](x" onerror="window.__xss=1)',
  '<javascript:window.__xss=1> <https://evil.example/auto"onmouseover="window.__xss=1> https://evil.example/plain',
  '[ref]: javascript:window.__xss=1\n\n[ref] and [again][ref]',
  '```html"><img src=x onerror=window.__xss=1>\n<script>window.__xss=1</script>\n```',
  '| a | b |\n|---|---|\n| <img src=x onerror=window.__xss=1> | `<script>window.__xss=1</script>` |',
  '> <svg/onload=window.__xss=1>\n\n# <script>window.__xss=1</script>\n\n- <b onclick=window.__xss=1>bold</b>',
];

const everything = [...markdown, ...corpus].join('\n\n');
// Strings that are text on a disk, and may be printed.
const writable = corpus.map((line) => line.replaceAll('\u0000', '')).join('\n');
const fileNames = [
  '<img src=x onerror=window.__xss=1>.txt',
  '"><svg onload=window.__xss=1>.html',
  "'-window.__xss=1-'.js",
  'javascript:window.__xss=1',
];

describe.skipIf((noBrowser ?? notBuilt) !== undefined)('hostile text', () => {
  let web: PageBench;
  let page: Page;
  let session: string;
  const otherArgs: string[] = [];
  const dialogs: string[] = [];

  beforeAll(async () => {
    const files = Object.fromEntries(fileNames.map((name) => [name, `${writable}\n`]));
    web = await pageBench({ files: { ...files, 'run.sh': printing() }, script: model(), mode: 'strict' });
    session = await web.session(`<img src=x onerror="${boom}">`);
    page = await web.open({ session });
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== web.gateway.running.url && !/^(data|blob):/.test(request.url()))
        otherArgs.push(request.url());
    });
  });
  afterAll(() => web[Symbol.asyncDispose]());

  const untouched = async (): Promise<void> => {
    expect(await page.evaluate('window.__xss')).toBeUndefined();
    expect(dialogs).toEqual([]);
    expect(otherArgs).toEqual([]);
    expect(web.problems.filter((problem) => !/status of 4\d\d/.test(problem))).toEqual([]);
    const foreign = `[...document.querySelectorAll('script:not([src]),iframe,object,embed,form[action],base,a[href]')]
      .filter((one) => one.tagName !== 'A' || !/^(https?:|#|\\/|blob:)/.test(one.getAttribute('href')))
      .map((one) => one.outerHTML)`;
    expect(await page.evaluate(foreign)).toEqual([]);
    // Attributes can execute code, too.
    const handlers = `[...document.querySelectorAll('*')].flatMap((one) => [...one.attributes])
      .filter(({ name }) => /^on/i.test(name)).map(({ name, value }) => name + '=' + value)`;
    expect(await page.evaluate(handlers)).toEqual([]);
    expect(await page.locator('[role=log] img').count()).toBe(0);
  };

  test('said by a model, in a title, in a call and its result', async () => {
    await sendMessage(page, 'go');
    await page.getByRole('log').getByText('Done ·').waitFor();
    await page.getByRole('log').getByText('window.__xss=1').first().waitFor();
    const folded = page.getByRole('log').locator('button[aria-expanded=false]');
    for (let remaining = await folded.count(); remaining > 0; remaining--) await folded.first().click();
    await untouched();
    expect(await page.title()).not.toContain('owned');
  });

  test('in names and texts of files', async () => {
    for (const name of fileNames) {
      await page.getByRole('treeitem', { name, exact: true }).click();
      await page
        .getByRole('textbox', { name: `Text of ${name}` })
        .getByText('<script>')
        .first()
        .waitFor();
      await untouched();
    }
  });

  test('in a diff that waits, its review, its rule and an answer', async () => {
    await page
      .getByRole('navigation', { name: 'Places' })
      .getByRole('button', { name: 'Conversation' })
      .click();
    const ended = ask('write_file', { path: fileNames[0], content: `${markdown.join('\n')}\n${writable}\n` });
    const card = page.locator('[data-approval]');
    await card.waitFor();
    await untouched();
    await card.getByRole('button', { name: 'Always…' }).click();
    await page.getByRole('dialog').getByText('Applies to').waitFor();
    await untouched();
    await page.keyboard.press('Escape');
    await card.getByRole('button', { name: 'Edit…' }).click();
    await page.getByRole('dialog').waitFor();
    await untouched();
    await page.keyboard.press('Escape');
    await card.getByRole('button', { name: 'Review hunks…' }).click();
    await page.getByRole('button', { name: 'Approve all' }).waitFor();
    await untouched();
    await page.getByRole('button', { name: 'Approve all' }).click();
    expect(await ended).toMatchObject({ outcome: { status: 'completed' } });
    const asked = ask('run_command', { command: `echo '${corpus[1]}' > out.txt && rm '${fileNames[1]}'` });
    await page
      .getByRole('navigation', { name: 'Places' })
      .getByRole('button', { name: 'Conversation' })
      .click();
    await card.waitFor();
    await card.getByRole('button', { name: 'Reject…' }).click();
    await page.keyboard.type(`<img src=x onerror=${boom}>`);
    await page.keyboard.press('Enter');
    expect(await asked).toMatchObject({ outcome: { error: { code: 'REJECTED' } } });
    await untouched();
  });

  test('printed by a process, and in the changes, the record and the list of sessions', async () => {
    await ask('run_persistent', { command: 'sh run.sh', process_id: 'bad', ready_pattern: 'end' }, true);
    await page.getByRole('tab', { name: 'Processes' }).click();
    await page.locator('.xterm-rows').getByText('onerror').first().waitFor();
    await untouched();
    expect(await page.title()).not.toContain('owned');
    await page.getByRole('tab', { name: 'Changes' }).click();
    await page
      .getByTitle(/^Show what changed/)
      .first()
      .click();
    await page.getByRole('article').getByText('__xss').first().waitFor();
    await untouched();
    await page.getByRole('tab', { name: 'Audit' }).click();
    await page.getByRole('group', { name: 'Timeline of calls' }).waitFor();
    await untouched();
    await page.getByRole('navigation', { name: 'Places' }).getByRole('button', { name: 'Sessions' }).click();
    await page.getByRole('list', { name: 'Your sessions' }).getByText('<img src=x').waitFor();
    await untouched();
  });

  test('as a rule, in the settings, and in what went wrong', async () => {
    const rule = {
      id: `<img src=x onerror=${boom}>`,
      effect: 'allow',
      tool: 'run_command',
      reason: corpus[0],
      command: ['echo'],
    };
    const body = JSON.stringify({ rule, scope: 'user' });
    const kept = await web.gateway.request('/api/v1/policy/rules', { method: 'POST', body });
    await page.getByRole('navigation', { name: 'Places' }).getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('list', { name: 'Rules' }).waitFor();
    if (kept.ok) await page.getByText('<script>window.__xss=1').first().waitFor();
    await untouched();
    await ask('read_file', { path: `missing-${corpus[1]}` }, true);
    await page
      .getByRole('navigation', { name: 'Places' })
      .getByRole('button', { name: 'Conversation' })
      .click();
    await page.getByRole('log').getByText('FILE_NOT_FOUND').first().waitFor();
    await untouched();
  });

  async function ask(tool: string, args: Json, approve = false): Promise<Json> {
    const body = JSON.stringify({ tool, args, ...(approve && { approve }) });
    const answer = await web.gateway.request(`/api/v1/sessions/${session}/calls`, { method: 'POST', body });
    return (await answer.json()) as Json;
  }
});

function model() {
  return scriptedModel([
    {
      text: everything,
      calls: [
        ['list_files', { path: '.' }],
        ['read_file', { path: fileNames[0] ?? '' }],
      ],
    },
    { text: everything },
  ]);
}

/** A script that prints all of it, sequences for the terminal included. */
function printing(): string {
  return `cat <<'END_OF_CORPUS'\n${writable}\nEND_OF_CORPUS\nprintf '\\033]0;owned\\007\\033]52;c;b3duZWQ=\\007end\\n'\nexec cat\n`;
}

async function sendMessage(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message to the agent' }).fill(text);
  await page.keyboard.press('Enter');
}
