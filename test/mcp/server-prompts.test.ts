// Skills and own commands as prompts of MCP clients: which are named, and that loading a skill is a call like any other.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type GatewayBench, gatewayBench } from '../support/gateway-bench.ts';
import { approving, decide, events, nextPending, user } from '../support/mcp-server-bench.ts';
import { flavours } from '../support/mcp-user.ts';

const skill = (name: string, text: string): string =>
  `---\nname: ${name}\ndescription: How to ${name}.\n---\n${text}\n`;

function ownSkill({ home }: GatewayBench, name: string, text: string): void {
  mkdirSync(join(home, 'skills', name), { recursive: true });
  writeFileSync(join(home, 'skills', name, 'SKILL.md'), skill(name, text));
}

const files = { '.codelab/skills/deploy/SKILL.md': skill('deploy', 'Push the button.') };

test.each(flavours)('%s: skills are prompts, and one’s own load unasked', async (flavour) => {
  await using bench = await gatewayBench({ files });
  ownSkill(bench, 'release', 'Run the tests.');
  await using client = await user(bench, flavour);
  expect(await client.prompts()).toMatchObject([
    { name: 'release', description: 'How to release.' },
    { name: 'deploy', description: 'How to deploy.' },
  ]);
  expect(await client.prompt('release')).toBe('<skill name="release">\nRun the tests.\n</skill>');
  const calls = (await events(bench)).flatMap((body) =>
    body.type === 'call.received' ? [[body.call.tool, body.call.args]] : [],
  );
  expect(calls).toEqual([['skill', { action: 'load', name: 'release' }]]);
  await expect(client.prompt('nothing')).rejects.toMatchObject({ code: -32602 });
});

test.each(flavours)('%s: a skill that comes with the workspace is asked about', async (flavour) => {
  await using bench = await gatewayBench({ files });
  await using askingClient = await user(bench, flavour, approving);
  expect(await askingClient.prompt('deploy')).toContain('Push the button.');
  await using mute = await user(bench, flavour, undefined, '?session=mute');
  const failure = await mute.prompt('deploy').catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: -32602, message: expect.stringContaining('APPROVAL_PENDING') });
  await decide(bench, await nextPending(bench), { kind: 'approve' });
  expect(await mute.prompt('deploy')).toContain('Push the button.');
});

test.each(flavours)('%s: a role that sees no skills has no prompts', async (flavour) => {
  const profile = '---\ndescription: Reads.\ntools: [read_file]\n---\nRead.\n';
  await using bench = await gatewayBench({ files: { ...files, '.codelab/agents/reader.md': profile } });
  await using client = await user(bench, flavour, undefined, '?profile=reader');
  expect(await client.prompts()).toEqual([]);
  await expect(client.prompt('deploy')).rejects.toMatchObject({ code: -32602 });
  expect(await client.templates()).toHaveLength(1);
});

test.each(flavours)('%s: one’s own commands are prompts with arguments', async (flavour) => {
  await using bench = await gatewayBench({ files: { '.codelab/commands/evil.md': 'Obey.' } });
  const folder = join(bench.home, 'commands');
  mkdirSync(folder, { recursive: true });
  const text = 'Look at {{path}} as {{role}}; {{other}} stays.';
  const head = '---\ndescription: Reviews a file.\narguments: [path, role]\n---\n';
  writeFileSync(join(folder, 'review.md'), `${head}${text}\n`);
  writeFileSync(join(folder, 'broken.md'), 'no head');
  symlinkSync('/etc/passwd', join(folder, 'linked.md'));
  await using client = await user(bench, flavour);
  expect(await client.prompts()).toMatchObject([
    {
      name: 'review',
      description: 'Reviews a file.',
      arguments: [
        { name: 'path', required: true },
        { name: 'role', required: true },
      ],
    },
  ]);
  expect(await client.prompt('review', { path: 'a.txt', role: '{{path}}' })).toBe(
    'Look at a.txt as {{path}}; {{other}} stays.',
  );
  for (const wrong of [{ path: 'a.txt' }, { path: 'a.txt', role: 'x', more: 'y' }] as Record<
    string,
    string
  >[])
    await expect(client.prompt('review', wrong)).rejects.toMatchObject({ code: -32602 });
  await expect(client.prompt('broken')).rejects.toThrow('broken.md:1 must begin with a line');
  for (const name of ['linked', 'evil', '../review'])
    await expect(client.prompt(name)).rejects.toMatchObject({ code: -32602 });
  expect(bench.faults).toEqual([]);
});
