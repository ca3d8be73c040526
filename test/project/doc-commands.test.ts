// Every command that a document shows runs as written in a fresh folder, or has its reason below why a test can't run it. Each `codelab` command,
// also one within a sentence, fits the tables that the command line is parsed by.
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parseCommandLine, UsageError } from '../../apps/cli/src/command-line/define-command.ts';
import { findCommand } from '../../apps/cli/src/run-command.ts';
import { chatEnd, json, modelServer, textCompletion } from '../support/model-server.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const root = join(import.meta.dirname, '../..');
const pages = globSync(['*.md', 'docs/**/*.md', '{packages,apps}/*/README.md', 'examples/**/*.md'], {
  cwd: root,
  exclude: (name) => name === 'node_modules',
})
  .map((page) => page.replaceAll('\\', '/'))
  // The changelog also names commands of earlier versions.
  .filter((page) => page !== 'CHANGELOG.md')
  .map((page) => ({ page, text: readFileSync(join(root, page), 'utf8') }));

/** `in a project`: a repository with a recorded call and a model; otherwise the folder is empty. */
const mark =
  /(?:<!-- test: runs as written( in a project)? -->\n)?```(?:sh|bash|shell|console)\n([\s\S]*?)```/g;
const blocks = pages.flatMap(({ page, text }) =>
  [...text.matchAll(mark)].map(([matched, project, script = ''], index) => ({
    ...{ page, index, script },
    isRun: matched.startsWith('<!--'),
    isInProject: project !== undefined,
  })),
);

const suite =
  'a suite, a measurement or a release of this repository; docs.test.ts checks that the script exists';
const chat = 'a chat that runs until the user leaves; test/chat drives it in a terminal';
const serve = 'a server that runs until it is stopped; test/gateway starts it';
const install = 'test/package makes and installs the tarball';
const nats = 'needs a nats-server at a fixed address; test/nats starts its own';
const otherProgram = 'a program of somebody else';

/** By page: how a line begins, and why no test runs it. */
const damagedLog = 'needs a damaged log; test/command-line/state-folder.test.ts moves one aside';
const notRun: Record<string, Record<string, string>> = {
  'AGENTS.md': { 'npm ': suite, 'npx vitest': suite },
  'CONTRIBUTING.md': { 'npm ': suite },
  'README.md': {
    'npm install -g': install,
    'codelab doctor': 'docs/install.md runs it',
    'codelab model use ': 'asks in a terminal; test/cli drives it',
    'codelab serve ': serve,
    'codelab  ': chat,
    'npm install && npm ': suite,
  },
  'apps/web/README.md': { 'npm start': serve },
  'docs/audit.md': {
    'python3 docs/verify-export.py': 'the key is the reader’s own; test/audit verifies an export with it',
    'mkdir ': damagedLog,
    'cp -r ': damagedLog,
    'CODELAB_LOG=sqlite:': damagedLog,
  },
  'docs/install.md': {
    'npm install ': install,
    'cd dist ': install,
    'npm run pack': install,
  },
  'docs/mcp-server.md': { 'claude ': otherProgram },
  'docs/models.md': {
    'codelab run --model llamacpp': 'needs a model server at a fixed address; test/llm starts its own',
    'OPENROUTER_API_KEY=': 'the key is the reader’s own',
    'OPENAI_BASE_URL=': 'needs a model server at a fixed address; test/llm starts its own',
  },
  'docs/reliability.md': { 'npm run sweep': suite },
  'docs/scale-out.md': { 'nats-server': nats, codelab: nats, 'CODELAB_LOG=': nats },
  'docs/vscode.md': {
    'npm run ': suite,
    'npx vitest': suite,
    'code --install-extension': otherProgram,
    'node scripts/vscode-screenshots.ts': 'needs an editor and a browser; test:editor opens the same pages',
  },
  'examples/cluster/README.md': {
    'examples/cluster/start.sh': 'test/project/examples.test.ts starts it',
    'curl ': 'DIR stands for a folder of the reader; examples.test.ts sends the same request',
  },
  'examples/programs/README.md': { 'node examples/': 'test/project/examples.test.ts runs each program' },
};

test.for(blocks.filter(({ isRun }) => isRun))(
  'the commands of $page (block $index) run as written',
  { timeout: 60_000 },
  async ({ script, isInProject }) => {
    using scratch = scratchFolder();
    await using model = await modelServer(({ path }) =>
      path.endsWith('/models')
        ? json({ data: [{ id: 'any' }] })
        : { pieces: [textCompletion('["total"]'), chatEnd] },
    );
    const { NO_COLOR: _, ...inherited } = process.env;
    const env = {
      ...inherited,
      PATH: [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
      CODELAB_HOME: scratch.home,
      CODELAB_KEYS: join(scratch.folder, 'keys'),
      OPENAI_API_KEY: 'key',
      OPENAI_BASE_URL: `${model.url}/v1`,
    };
    const project = [
      'git init --quiet && echo "export const total = 1;" > index.js && git add .',
      'codelab tool read_file \'{"path":"index.js"}\'',
      'codelab model use openai/any',
    ];
    // -e ends at the first command that fails, -x names it.
    const lines = ['set -o pipefail', ...(isInProject ? project : []), script].join('\n');
    const child = promisify(execFile)('bash', ['-exc', lines], { cwd: scratch.root, env });
    child.child.stdin?.end();
    await child;
  },
);

test('a block that is not run says why, line by line', () => {
  const used = new Set<string>();
  const unexplained = blocks
    .filter(({ isRun }) => !isRun)
    .flatMap(({ page, script }) =>
      script
        .split('\n')
        .filter((line) => line.trim() !== '')
        .filter((line) => {
          const start = Object.keys(notRun[page] ?? {}).find((key) => line.startsWith(key));
          if (start !== undefined) used.add(`${page}: ${start}`);
          return start === undefined;
        })
        .map((line) => `${page}: ${line}`),
    );
  expect(unexplained).toEqual([]);
  const entries = Object.entries(notRun).flatMap(([page, starts]) =>
    Object.keys(starts).map((start) => `${page}: ${start}`),
  );
  expect(entries.filter((entry) => !used.has(entry))).toEqual([]);
});

const shellWords = /"(?:[^"\\]|\\.)*"|'[^']*'|[a-z]+\|[a-z]+|\|\|?|&&|[;>#]|[^\s|&;>#]+/g;

const mentioned = pages.flatMap(({ page, text }) => {
  const inSentences = [...text.matchAll(/`(codelab [^`\n]+)`/g)].map(([, command = '']) => command);
  const inBlocks = blocks.filter((block) => block.page === page).flatMap(({ script }) => script.split('\n'));
  return [...inSentences, ...inBlocks].flatMap(codelabCommands).map((words) => ({ page, words }));
});

/** The first words of what an anchor's signature covers, not a command. */
const noCommands = ['codelab seal 1'];

test('every codelab command that a document names has that name and those options', async () => {
  expect(mentioned.length).toBeGreaterThan(80);
  const faults = new Set<string>();
  for (const { page, words } of mentioned) {
    if (noCommands.includes(['codelab', ...words].join(' '))) continue;
    const fault = await faultOf(words);
    if (fault !== undefined) faults.add(`${page}: codelab ${words.join(' ')}: ${fault}`);
  }
  expect([...faults]).toEqual([]);
});

async function faultOf(words: readonly string[]): Promise<string | undefined> {
  try {
    const command = findCommand(words);
    if (command !== undefined) parseCommandLine(await command.load(), command.args);
    return undefined;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    // A sentence names a command without its arguments, or with MODE for one of its modes.
    const isShortened = error.message.startsWith('Missing argument');
    const isPlaceholder =
      / must be one of: /.test(error.message) && words.some((word) => /^[A-Z]+$/.test(word));
    return isShortened || isPlaceholder ? undefined : error.message;
  }
}

/** The words after `codelab` of each such command in a line of shell; `a|b` in a name means two commands. */
function codelabCommands(line: string): string[][] {
  const parts = [...line.matchAll(shellWords)].map(([part]) => part);
  const comment = parts.indexOf('#');
  const commands: string[][] = [[]];
  for (const part of comment < 0 ? parts : parts.slice(0, comment))
    if (/^(?:\|\|?|&&|[;>])$/.test(part)) commands.push([]);
    else commands.at(-1)?.push(part);
  return commands
    .map((command) => command.slice(command.findIndex((part) => !/^[A-Z_]+=/.test(part))))
    .filter(([program]) => program === 'codelab')
    .map(([, ...words]) => words.map(asTyped).filter((word) => word !== ''))
    .flatMap(alternatives);
}

/** Without the quotes, and without the brackets and dots of a form such as `[PATH…]`. */
function asTyped(part: string): string {
  if (/^["']/.test(part)) return part.slice(1, -1) || ' ';
  return part.replaceAll(/[[\]…]/g, '');
}

function alternatives(words: readonly string[]): string[][] {
  const at = words.findIndex((word) => /^[a-z]+\|[a-z]+$/.test(word));
  if (at < 0) return [[...words]];
  return (words[at] ?? '').split('|').map((word) => words.with(at, word));
}
