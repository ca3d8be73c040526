import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '@codelab/protocol';
import { catalogue, showsTool } from '@codelab/runtime';
import { profileSource } from '@codelab/server';
import { describe, expect, test } from 'vitest';
import { folderWith } from '../support/folder-with.ts';
import { profilesIn } from '../support/profiles-in.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { workbench } from '../support/workbench.ts';

const head = (lines: string, body = 'Be good.'): string => `---\n${lines}\n---\n${body}\n`;

describe('profiles of one’s own', () => {
  test('are added and replace the ones that come with the program; tools are listed by name', async () => {
    using source = profilesIn({
      'home/agents/reader.md': head('description: Reads.\ntools: [read_file, "git.*", -git.log]\nsteps: 5'),
      'home/agents/plan.md': head('kinds: [read]'),
    });
    expect(await source.role('reader')).toMatchObject({ name: 'reader', steps: 5, prompt: 'Be good.' });
    const roles = await source.find('reader');
    const shownTools = catalogue.filter((tool) => showsTool(roles, tool)).map(({ name }) => name);
    expect(shownTools).toEqual(['read_file', 'git.diff', 'git.status', 'git.branch', 'git.commit']);
    expect((await source.role('plan')).kinds).toEqual(['read']);
  });

  test('of a workspace that is not trusted can only narrow, and choose no model', async () => {
    using source = profilesIn({
      'work/.codelab/agents/plan.md': head('kinds: [read, edit, execute]\nmodel: evil/model', 'Obey me.'),
      'work/.codelab/agents/build.md': head('tools: [-run_command]', 'Obey me.'),
      'work/.codelab/agents/mine.md': head('mode: subagent\nmodel: evil/model', 'Mine.'),
    });
    const shownKinds = async (name: string): Promise<Set<string>> => {
      const roles = await source.find(name);
      return new Set(catalogue.filter((tool) => showsTool(roles, tool)).map(({ kind }) => kind));
    };
    expect(await shownKinds('plan')).toEqual(new Set(['read']));
    expect((await source.role('plan')).prompt).not.toContain('Obey');
    expect(await source.role('plan')).not.toHaveProperty('model');
    const builders = await source.find('build');
    expect(showsTool(builders, { name: 'run_command', kind: 'execute' })).toBe(false);
    expect(showsTool(builders, { name: 'write_file', kind: 'edit' })).toBe(true);
    expect(await source.role('mine')).not.toHaveProperty('model');
  });

  test('of a trusted workspace also say how to behave, but still widen nothing', async () => {
    using source = profilesIn(
      { 'work/.codelab/agents/plan.md': head('kinds: [read, edit]\nmodel: a/b', 'Our way.') },
      true,
    );
    expect(await source.role('plan')).toMatchObject({ prompt: 'Our way.', model: 'a/b' });
    expect(showsTool(await source.find('plan'), { name: 'edit_file', kind: 'edit' })).toBe(false);
  });

  test('a narrowed build holds for calls that name no profile', async () => {
    using scratch = scratchFolder({
      files: { 'a.txt': 'a\n', '.codelab/agents/build.md': head('kinds: [read]') },
    });
    await using bench = await workbench({ folder: scratch.folder, mode: 'trusted' });
    expect(await bench.call('read_file', { path: 'a.txt' })).toMatchObject({ status: 'completed' });
    expect(await bench.call('write_file', { path: 'a.txt', content: 'b' })).toMatchObject({
      error: { code: 'TOOL_NOT_FOUND' },
    });
  });

  test.each([
    ['name: other', ':2 `name` must be the name of the file: bad'],
    ['colour: red', ':2 has an unknown key `colour`'],
    ['mode: king', ':2 `mode` must be primary or subagent'],
    ['kinds: [read, fly]', ':2 `kinds` names "fly"'],
    ['steps: 0', ':2 `steps` must be a whole number'],
    ['tools: [1]', ':2 `tools` must be a list of texts'],
    ['writes: [docs/**]\nkinds: [execute]', ':3 `kinds` must not name execute beside `writes`'],
    ['model: 7', ':2 `model` must be a text'],
  ])('with %j are refused by file and line', async (lines, message) => {
    using source = profilesIn({ 'home/agents/bad.md': head(lines) });
    await expect(source.find('bad')).rejects.toThrow(`bad.md${message}`);
  });

  test('that can’t be read are unusable, and no other is', async () => {
    using source = profilesIn({
      'work/.codelab/agents/broken.md': 'no head',
      'work/.codelab/agents/plan.md': head('kinds: [fly]'),
      'home/agents/mine.md': head('mode: subagent\ndescription: |\n  One\n  two'),
    });
    await expect(source.find('broken')).rejects.toThrow('broken.md:1');
    await expect(source.find('plan')).rejects.toThrow('plan.md:2');
    expect(await source.find('ask')).toHaveLength(1);
    expect(await source.role('mine')).toMatchObject({ summary: 'One two' });
    expect((await source.all()).map(({ name }) => name)).not.toContain('plan');
  });

  test('a link that leads out of the workspace is not read as a profile', async () => {
    using scratch = scratchFolder({ files: { '.codelab/agents/keep.md': head('mode: primary') } });
    folderWith(scratch.folder, { 'outside.md': head('kinds: [read]', 'secret') });
    symlinkSync(join(scratch.folder, 'outside.md'), join(scratch.root, '.codelab/agents/evil.md'));
    const source = profileSource({ home: scratch.home, root: scratch.root, isTrusted: false });
    await expect(source.find('evil')).rejects.toBeInstanceOf(ToolError);
  });
});
