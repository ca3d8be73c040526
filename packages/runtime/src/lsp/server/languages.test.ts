import { expect, test } from 'vitest';
import { builtInLanguages } from './languages.ts';
import { languagesFor } from './lsp-settings.ts';

test('what is said to install a server is a command as it is typed', () => {
  const commands = builtInLanguages.flatMap(({ programs }) => programs.map(({ install }) => install));
  for (const command of commands) expect(command).toMatch(/^(npm|pipx|go|rustup|apt) [\w@/.' \-[\]]+$/);
});

test('the servers for styles and pages are told to look for errors in each of their languages', () => {
  const settingsOf = (name: string) =>
    builtInLanguages.find((language) => language.name === name)?.programs[0].settings;
  // When the answer to `workspace/configuration` is null, validation throws inside these servers, and they report no diagnostics.
  for (const id of ['css', 'scss', 'less'])
    expect(settingsOf('css')).toHaveProperty(id, { validate: true, lint: {} });
  expect(settingsOf('html')).toMatchObject({ css: { validate: true, lint: {} } });
});

test('a server that is named by its path alone keeps the arguments it needs', () => {
  const argvOf = (server: { command: string; args?: string[] }) =>
    languagesFor({ servers: { sh: server } }).find(({ name }) => name === 'sh')?.programs[0].argv;
  const command = '/opt/x/node_modules/.bin/bash-language-server';
  expect(argvOf({ command })).toEqual([command, 'start']);
  expect(argvOf({ command, args: [] })).toEqual([command]);
  expect(argvOf({ command: '/opt/other' })).toEqual(['/opt/other']);
});
