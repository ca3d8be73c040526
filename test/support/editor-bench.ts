// A real VS Code in a real browser: code-server over a temp folder with our .vsix installed, and a page on its window.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { FrameLocator, Page } from 'playwright-core';
import { buildVscode } from '../../scripts/build-vscode.ts';
import { makeVsix } from '../../scripts/pack/vsix.ts';
import { openBrowser } from './browser.ts';

export type EditorBench = AsyncDisposable & {
  /** Holds the folders, the editor's own data and CodeLab's home. */
  folder: string;
  vsix: { bytes: number };
  /** A window on one of the folders. */
  open(name: string, options?: Look): Promise<EditorWindow>;
  /** Processes of this editor's own that still run, whose command line has this text. */
  processes(text: string): number[];
  /** Ends the editor's server, as its user would. */
  stop(): Promise<void>;
};

export type EditorWindow = {
  /** The folder that is open. */
  root: string;
  page: Page;
  /** The page inside the chat view. */
  chat: FrameLocator;
  /** Runs a command of the palette by its title. */
  command(title: string): Promise<void>;
  /** Brings the chat view to the front. */
  openChat(): Promise<void>;
  /** Says it in the chat, once that can be done. */
  say(text: string): Promise<void>;
  /** Opens a file in an editor, with the chat beside it. */
  openFile(name: string): Promise<void>;
  trust(): Promise<void>;
};

type Look = { viewport?: { width: number; height: number }; colorScheme?: 'dark' | 'light' };

type Options = {
  program: string;
  /** Below a folder each, such as `work/a.txt`. */
  files: Record<string, string>;
  settings?: Record<string, unknown>;
};

const root = join(import.meta.dirname, '..', '..');
const extensionId = 'codelab.codelab-vscode';

/** Hides everything that is not ours, and saves nothing automatically. */
const calm = {
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  'workbench.editor.useModal': 'off',
  'files.autoSave': 'off',
  'security.workspace.trust.banner': 'never',
  'extensions.ignoreRecommendations': true,
  // Other servers of this machine do not matter here.
  'remote.autoForwardPorts': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
};

export async function editorBench(options: Options): Promise<EditorBench> {
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'codelab-editor-'));
  stack.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const settings = JSON.stringify({ ...calm, ...options.settings });
  for (const [name, text] of Object.entries({ ...options.files, 'user/User/settings.json': settings })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const bytes = await installExtension(options.program, folder);
  stack.defer(() => endLeft(folder));
  const { child, port } = await serve(options.program, folder);
  stack.defer(() => end(child));
  const browser = stack.use(await openBrowser());
  const resources = stack.move();
  return {
    folder,
    vsix: { bytes },
    async open(name, { viewport = { width: 1280, height: 800 }, colorScheme = 'light' } = {}) {
      const page = await browser.page({ viewport, colorScheme, locale: 'en-US' });
      page.setDefaultTimeout(30_000);
      // The editor requests news from its vendor; these requests are blocked.
      await page.route(isOutside, (route) => route.abort());
      const opened = join(folder, name);
      await page.goto(`http://127.0.0.1:${port}/?folder=${opened}`);
      await page.locator('.monaco-workbench .statusbar').waitFor({ timeout: 60_000 });
      return { root: opened, ...windowOf(page) };
    },
    processes: (text) => processesOf(folder, text),
    stop: () => end(child),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

function windowOf(page: Page): Omit<EditorWindow, 'root'> {
  const chat = page.frameLocator(`iframe.webview.ready[src*="${extensionId}"]`).frameLocator('#active-frame');
  return {
    page,
    chat,
    openChat: () => openChat(page),
    async command(title) {
      await page.keyboard.press('F1');
      await page.locator('.quick-input-widget input[type=text]').fill(`>${title}`);
      // For a missing title, the palette offers similar ones.
      await page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first().click();
    },
    async say(text) {
      await chat.getByRole('textbox').fill(text);
      await chat.getByRole('button', { name: 'Send', exact: true }).click();
    },
    async openFile(name) {
      await page
        .getByRole('tab', { name: /^Explorer/ })
        .first()
        .click();
      await page.getByRole('treeitem', { name }).dblclick();
      await page.locator(`.tab[data-resource-name="${name}"]`).waitFor();
      await openChat(page);
    },
    async trust() {
      await page.getByRole('button', { name: /Restricted Mode/ }).click();
      await page.getByRole('button', { name: 'Trust', exact: true }).first().click();
      await page.getByRole('button', { name: /Restricted Mode/ }).waitFor({ state: 'detached' });
    },
  };
}

async function openChat(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'CodeLab' }).first().click();
}

/** As a user would: the packed file, by the editor's own command. */
async function installExtension(program: string, folder: string): Promise<number> {
  await buildVscode();
  const { name, bytes } = makeVsix(root);
  const file = join(folder, name);
  writeFileSync(file, bytes);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [program, '--install-extension', file, '--accept-server-license-terms', ...places(folder)],
    { encoding: 'utf8' },
  );
  if (status !== 0 || !stdout.includes('successfully installed')) throw new Error(`${stdout}${stderr}`);
  return bytes.length;
}

async function serve(program: string, folder: string): Promise<{ child: ChildProcess; port: string }> {
  const { VITEST: _, NODE_OPTIONS: __, ...env } = process.env;
  const flags = ['--host', '127.0.0.1', '--port', '0', '--without-connection-token', '--disable-telemetry'];
  const child = spawn(
    process.execPath,
    [program, ...flags, '--accept-server-license-terms', ...places(folder)],
    {
      env: { ...env, CODELAB_HOME: join(folder, 'home'), CODELAB_KEYS: join(folder, 'keys'), ...offline },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  let output = '';
  for await (const text of child.stdout ?? []) {
    output += String(text);
    const port = /agent listening on (\d+)/.exec(output)?.[1];
    if (port !== undefined) {
      child.stdout?.resume();
      return { child, port };
    }
  }
  throw new Error(`code-server ended: ${output}`);
}

/** No gallery of extensions. */
const offline = { EXTENSIONS_GALLERY: JSON.stringify({ serviceUrl: 'http://127.0.0.1:9' }) };

/** A view's resources have special addresses that the editor serves itself. */
function isOutside({ hostname }: URL): boolean {
  return hostname !== '127.0.0.1' && !hostname.endsWith('.vscode-cdn.net');
}

function places(folder: string): string[] {
  const at = (name: string): string => join(folder, name);
  return [
    '--user-data-dir',
    at('user'),
    '--server-data-dir',
    at('server'),
    '--extensions-dir',
    at('extensions'),
  ];
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
  await exited;
  clearTimeout(timer);
}

/** Kills what the editor has left, so that a test that fails leaves nothing on the machine. */
async function endLeft(folder: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const remaining = processesOf(folder, '');
    if (remaining.length === 0) return;
    // The processes have five seconds to end by themselves.
    if (tries >= 50) for (const pid of remaining) killOne(pid);
    await wait(100);
  }
}

function killOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone in the meantime.
  }
}

/** Found by folder and home, which no other process on the machine has. */
function processesOf(folder: string, text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').includes(text)) return false;
        const isHere = readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
        return isHere || readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`CODELAB_HOME=${folder}`);
      } catch {
        return false;
      }
    });
}
