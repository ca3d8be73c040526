/** Makes docs/screenshots/vscode-*.png: the extension in a real editor with the demo model, in both themes. Usage: node scripts/vscode-screenshots.ts */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EditorWindow, editorBench } from '../test/support/editor-bench.ts';
import { installCodeServer } from './install-code-server.ts';
import { shrinkPng } from './shrink-png.ts';

const root = join(import.meta.dirname, '..');
const found = installCodeServer();
if ('missing' in found) throw new Error(found.missing);

await using bench = await editorBench({
  program: found.program,
  files: sampleFiles(),
  settings: {
    'codelab.gateway.command': join(root, 'node_modules', '.bin', 'codelab'),
    'codelab.gateway.model': 'demo',
    'window.autoDetectColorScheme': true,
  },
});
for (const colorScheme of ['light', 'dark'] as const) {
  const window = await bench.open(colorScheme, { colorScheme });
  await showChange(window);
  const png = await window.page.screenshot({ animations: 'disabled', caret: 'hide' });
  writeFileSync(join(root, 'docs', 'screenshots', `vscode-${colorScheme}.png`), shrinkPng(png));
  await window.page.close();
}

/** A question about a change in three parts, one of them left out, with the diff editor beside it. */
async function showChange(window: EditorWindow): Promise<void> {
  const { page, chat } = window;
  await window.openChat();
  await chat.getByRole('textbox').waitFor();
  await window.trust();
  await page
    .getByRole('tab', { name: 'Workspace Trust' })
    .getByRole('button', { name: /^Close/ })
    .click();
  const before = readFileSync(join(window.root, 'src', 'cart.js'), 'utf8');
  const content = before
    .replace('{ ...line, quantity } : line', '{ ...line, quantity: line.quantity + quantity } : line')
    .replace('sum + line.price, 0)', 'sum + line.price * line.quantity, 0)')
    .replace('subtotal(cart) > freeShippingFrom', 'subtotal(cart) >= freeShippingFrom');
  await chat.getByText('is not trusted: the agent').waitFor({ state: 'detached' });
  await window.say('read src/cart.js');
  await chat.getByRole('button', { name: 'Send', exact: true }).waitFor();
  await window.say(`call write_file ${JSON.stringify({ path: 'src/cart.js', content })}`);
  const approval = chat.locator('[data-approval]');
  await approval.getByRole('button', { name: 'Open diff' }).click();
  await page.locator('.tab', { hasText: 'proposed change' }).waitFor();
  await approval.getByRole('checkbox').last().uncheck();
  await page.waitForLoadState('networkidle');
}

/** The sample shop, once for each theme. */
function sampleFiles(): Record<string, string> {
  const scratch = mkdtempSync(join(tmpdir(), 'codelab-sample-'));
  cpSync(join(root, 'examples', 'hello-shop'), scratch, { recursive: true });
  const names = readdirSync(scratch, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(scratch, name)).isFile(),
  );
  const texts = names.map((name) => [name, readFileSync(join(scratch, name), 'utf8')] as const);
  rmSync(scratch, { recursive: true });
  return Object.fromEntries(
    ['light', 'dark'].flatMap((theme) => texts.map(([name, text]) => [`${theme}/${name}`, text])),
  );
}
