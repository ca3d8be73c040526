// A workspace with language servers: the real ones of this checkout, or the fake one of `lsp-fake.ts`.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Outcome, PolicyMode } from '@codelab/protocol';
import { type Workbench, workbench } from './workbench.ts';

export type LspBench = Workbench & {
  /** The data of a call that was completed. */
  ask(tool: string, args: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** The number of this host's processes: servers, their wrappers and their children. */
  processes(): number;
};

type Options = {
  files: Record<string, string>;
  lsp?: object;
  mode?: PolicyMode;
};

const checkout = join(import.meta.dirname, '..', '..');
const bin = join(checkout, 'node_modules', '.bin');

/** Programs of the checkout, since tests must not depend on what the machine has on its PATH. */
export const realServers = {
  ts: { command: join(bin, 'tsc'), args: ['--lsp', '--stdio'] },
  sh: { command: join(bin, 'bash-language-server'), args: ['start'] },
  pyright: { command: join(bin, 'pyright-langserver'), args: ['--stdio'] },
};

export const fakeServer = (mode: string): object => ({
  command: process.execPath,
  args: [join(import.meta.dirname, 'lsp-fake.ts'), mode],
  extensions: ['.fake'],
});

export async function lspBench({ files, lsp, mode }: Options): Promise<LspBench> {
  const folder = mkdtempSync(join(tmpdir(), 'codelab-lsp-'));
  const home = join(folder, 'home');
  mkdirSync(home, { mode: 0o700 });
  const config = { lsp, sandbox_shows: [import.meta.dirname] };
  writeFileSync(join(home, 'config.json'), JSON.stringify(config), { mode: 0o600 });
  const bench = await workbench({ files, folder, ...(mode && { mode }) });
  const marks = new Set<string>();
  return Object.assign(bench, {
    async ask(tool: string, args: Record<string, unknown>) {
      const outcome = await bench.call(tool, args);
      note(home, marks);
      return dataOf(outcome);
    },
    processes() {
      note(home, marks);
      return countMarked(marks);
    },
    async [Symbol.asyncDispose](this: Workbench) {
      await dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  });

  async function dispose(): Promise<void> {
    await bench.host[Symbol.asyncDispose]();
    await bench.log.close();
  }
}

function dataOf(outcome: Outcome): Record<string, unknown> {
  if (outcome.status !== 'completed') throw new Error(JSON.stringify(outcome.error));
  return outcome.data;
}

/** The names of this host's children, which its processes carry in their environment. */
function note(home: string, marks: Set<string>): void {
  try {
    for (const name of readdirSync(join(home, 'processes'))) marks.add(name.replace(/\..*$/, ''));
  } catch {
    // No child was ever started.
  }
}

function countMarked(marks: ReadonlySet<string>): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => [...marks].some((mark) => environmentOf(pid).includes(`CODELAB_CALL=${mark}.`)))
    .length;
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    return '';
  }
}
