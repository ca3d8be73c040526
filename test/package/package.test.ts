import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { programPackage, variants } from '../../scripts/pack/program.ts';
import { makeTarball } from '../../scripts/pack/tarball.ts';
import { emptyPlace, offline } from '../support/installed-program.ts';

const repository = join(import.meta.dirname, '../..');
const { name, version, files } = programPackage(repository);
const textOf = (path: string): string =>
  Buffer.from(files.find((file) => file.name === path)?.contents ?? []).toString();

describe('the package', () => {
  test('is one npm package of at most 20 MB that depends on machine code alone, and only where there is some', () => {
    const size = files.reduce((sum, { contents }) => sum + contents.length, 0);
    expect(size).toBeLessThan(20e6);
    expect(JSON.parse(textOf('package.json'))).toMatchObject({
      name: 'codelab',
      version,
      bin: { codelab: 'cli/bin/codelab' },
      os: ['!win32'],
      engines: { node: '>=24' },
      optionalDependencies: { '@lydell/node-pty': expect.any(String), '@vscode/ripgrep': expect.any(String) },
    });
    expect(JSON.parse(textOf('package.json'))).not.toHaveProperty('dependencies');
    expect(files.filter(({ name }) => /\.(ts|map)$|node_modules/.test(name))).toEqual([]);
    const code = files.filter(({ name }) => /^cli\/dist\/.*\.m?js$/.test(name));
    expect(code.map(({ name }) => name)).toContainEqual(expect.stringMatching(/core-[\da-f]{8}\.js$/));
    expect(code.filter(({ contents }) => contents.some((byte) => byte > 127))).toEqual([]);
  });

  test('has the program that traces writes for Linux, executable', () => {
    const found = files.filter(({ name }) => name.startsWith('cli/dist/trace-writes-'));
    expect(found.map(({ name, isExecutable }) => [name, isExecutable])).toContainEqual([
      `cli/dist/trace-writes-${process.arch}`,
      true,
    ]);
    const windows = programPackage(repository, variants.windows).files;
    expect(windows.filter(({ name }) => /trace-writes-(x64|arm64)$/.test(name))).toEqual([]);
  });

  test('is another one for Windows, whose npm starts a command by its first line: with Node', () => {
    const { name, files } = programPackage(repository, variants.windows);
    const contents = new Map(files.map((file) => [file.name, Buffer.from(file.contents).toString()]));
    const manifest = JSON.parse(contents.get('package.json') ?? '');
    expect([name, manifest]).toEqual([
      'codelab-windows',
      expect.objectContaining({ name, bin: { codelab: 'cli/bin/codelab.js' }, os: ['win32'] }),
    ]);
    expect(contents.get(manifest.bin.codelab)).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  test('holds exactly the files of the page that its list names', () => {
    const stored = Object.entries(JSON.parse(textOf('web/dist/files.json')) as Record<string, string>);
    const expected = stored.map(([path, ending]) => `web/dist/${path}${ending}`);
    const unlisted = ['web/dist/index.html', 'web/dist/files.json'];
    const names = files.map((file) => file.name).filter((path) => path.startsWith('web/dist/'));
    const packed = names.filter((path) => !unlisted.includes(path));
    expect(packed.toSorted()).toEqual(expected.toSorted());
  });

  test('has the same bytes whatever order its files come in', () => {
    const [first, second] = [makeTarball(files), makeTarball(files.toReversed())];
    expect(first.equals(second)).toBe(true);
    expect([first[9], first.readUInt32LE(4)]).toEqual([255, 0]);
    expect(gunzipSync(first).length % 512).toBe(0);
  });

  test('names every package inside it, with its licence, in the notices and in the bill of materials', () => {
    const bundled = JSON.parse(
      readFileSync(join(repository, 'apps/cli/dist/packages.json'), 'utf8'),
    ) as string[];
    expect(bundled).toContain('node_modules/fastify');
    const sbom = JSON.parse(textOf('sbom.cdx.json'));
    const notices = textOf('THIRD-PARTY-NOTICES.txt');
    expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', serialNumber: uuid });
    for (const folder of bundled) {
      const manifest = JSON.parse(readFileSync(join(repository, folder, 'package.json'), 'utf8'));
      const purl = `pkg:npm/${manifest.name.replace('@', '%40')}@${manifest.version}`;
      expect(sbom.components).toContainEqual(
        expect.objectContaining({ purl, scope: 'required', licenses: [expect.anything()] }),
      );
      expect(notices).toContain(`\n${manifest.name} ${manifest.version} (${manifest.license})\n`);
    }
    expect(notices).toMatch(/\nreact 19.*\n(.*\n){2}MIT License/);
    const optional = sbom.components.filter(({ scope }: { scope: string }) => scope === 'optional');
    expect(optional.map(({ group, name }: Record<string, string>) => `${group}/${name}`)).toEqual([
      '@lydell/node-pty',
      '@vscode/ripgrep',
    ]);
  });
});

const uuid = expect.stringMatching(
  /^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
);

describe.runIf(process.platform !== 'win32')(
  'installed by another user with an empty home and no registry',
  { timeout: 60_000 },
  () => {
    const place = emptyPlace();
    const command = join(place.prefix, 'bin', 'codelab');
    afterAll(() => place[Symbol.dispose]());

    beforeAll(async () => {
      const tarball = place.write(`${name}-${version}.tgz`, files);
      const { code, stderr } = await place.run('npm', [
        'install',
        '--global',
        '--prefix',
        place.prefix,
        ...offline,
        tarball,
      ]);
      expect([code, stderr]).toEqual([0, '']);
      expect(readdirSync(join(place.prefix, 'lib', 'node_modules'))).toEqual(['codelab']);
    }, 60_000);

    test('codelab doctor finds everything it requires', async () => {
      const { code, stdout, stderr } = await place.run(command, ['doctor']);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toContain('Everything required is here.');
      expect(stdout).toContain(join(place.home, '.local/state/codelab'));
    });

    test('a call loads only the parts of Node that it uses', async () => {
      const script = "process.on('exit', () => process.stderr.write(process.moduleLoadList.join('\\n')))";
      const args = [`--import=data:text/javascript,${script}`, command, 'tool', 'list_files', '{}'];
      const { code, stderr } = await place.run('node', args);
      expect([code, stderr]).toEqual([0, expect.stringContaining('NativeModule sqlite')]);
      const costly = [
        'http',
        'net',
        'worker_threads',
        'internal/fs/promises',
        'internal/fs/streams',
        'internal/readline/interface',
      ];
      expect(costly.filter((name) => stderr.includes(`NativeModule ${name}\n`))).toEqual([]);
    });

    test('codelab run works with the demo model', async () => {
      const { code, stdout } = await place.run(command, ['run', '--model', 'demo', 'list the files']);
      expect([code, stdout]).toEqual([0, expect.stringContaining('Done:')]);
    });

    test('codelab tool searches without the ripgrep that could not be installed', async () => {
      const args = ['tool', 'search_in_project', '{"query":"nowhere-to-be-found"}'];
      const { code, stdout } = await place.run(command, args);
      expect([code, JSON.parse(stdout)]).toMatchObject([0, { result: { matches: [], total: 0 } }]);
    });

    test('a terminal without its machine code is refused with the next step', async () => {
      const args = [
        'tool',
        'run_persistent',
        '{"process_id":"a","command":"true","pty":true}',
        '--approve',
        'all',
      ];
      const { stdout } = await place.run(command, args);
      expect(stdout).toContain('npm install -g @lydell/node-pty');
    });

    test('codelab serve answers with the page and its parts', async () => {
      const child = place.start(command, ['serve', '--port', '0', '--model', 'demo']);
      try {
        const { origin, code } = await linkOf(child.stdout);
        const login = {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ code }),
        };
        const signedIn = await fetch(`${origin}/login`, login);
        const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
        const page = await (await fetch(`${origin}/`, { headers: { cookie } })).text();
        const [script] = /\/assets\/[\w.-]+\.js/.exec(page) ?? [];
        const part = await fetch(`${origin}${script}`, { headers: { 'accept-encoding': 'br' } });
        expect([part.status, part.headers.get('content-encoding')]).toEqual([200, 'br']);
        expect((await part.text()).length).toBeGreaterThan(1000);
      } finally {
        child.kill('SIGTERM');
        await once(child, 'close');
      }
    });

    test('codelab mcp greets and lists its tools', async () => {
      const clientInfo = { name: 'test', version: '1' };
      const messages = [
        {
          id: 1,
          method: 'initialize',
          params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
        },
        { method: 'notifications/initialized' },
        { id: 2, method: 'tools/list' },
      ].map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
      const { stdout } = await place.run(command, ['mcp'], messages.join(''));
      const answers = stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(answers[0]).toMatchObject({ id: 1, result: { serverInfo: { name: 'codelab', version } } });
      expect(answers[1].result.tools.map((tool: { name: string }) => tool.name)).toContain('read_file');
    });

    test('leaves nothing outside of its home', () => {
      expect(readdirSync(place.workspace)).toEqual([]);
      expect(existsSync(join(place.home, '.local/state/codelab'))).toBe(true);
    });
  },
);

async function linkOf(output: NodeJS.ReadableStream): Promise<{ origin: string; code: string }> {
  for await (const line of createInterface(output)) {
    const link = /^Open (\S+)/.exec(line)?.[1];
    if (link === undefined) continue;
    const { port, searchParams } = new URL(link);
    return { origin: `http://127.0.0.1:${port}`, code: searchParams.get('code') ?? '' };
  }
  throw new Error('codelab serve ended before it listened');
}
