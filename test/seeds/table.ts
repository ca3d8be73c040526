// docs/seeds.md as the cases say it.

import { commands000 } from './cases/seed-000-commands.ts';
import { files000 } from './cases/seed-000-files.ts';
import { git000 } from './cases/seed-000-git.ts';
import { limits000 } from './cases/seed-000-limits.ts';
import { people000 } from './cases/seed-000-people.ts';
import { edits001 } from './cases/seed-001-edits.ts';
import { service001 } from './cases/seed-001-service.ts';
import { client002 } from './cases/seed-002-client.ts';
import { commands002 } from './cases/seed-002-commands.ts';
import { events002 } from './cases/seed-002-events.ts';
import { executors002 } from './cases/seed-002-executors.ts';
import { files003 } from './cases/seed-003-files.ts';
import { others003 } from './cases/seed-003-others.ts';
import { messages004 } from './cases/seed-004-messages.ts';
import { states004 } from './cases/seed-004-states.ts';
import { tools004 } from './cases/seed-004-tools.ts';
import { type SeedCase, type SeedDocument, wires } from './seed-case.ts';

export const seedCases: Record<SeedDocument, readonly SeedCase[]> = {
  '000': [...files000, ...git000, ...people000, ...commands000, ...limits000],
  '001': [...service001, ...edits001],
  '002': [...events002, ...client002, ...executors002, ...commands002],
  '003': [...files003, ...others003],
  '004': [...messages004, ...tools004, ...states004],
};

export const documents = Object.keys(seedCases) as SeedDocument[];

const titles: Record<SeedDocument, string> = {
  '000': 'tools specification',
  '001': "Kode's service",
  '002': 'tool execution flow of an editor plugin',
  '003': "the Go coder's tools",
  '004': 'agent protocol',
};

export function seedsDoc(): string {
  const all = documents.flatMap((document) => seedCases[document]);
  return [
    '# What the five seed documents say, and what the product does',
    '',
    'CodeLab began as five documents. `test/seeds` plays every JSON example and every flow of them against the product, over each wire that',
    'carries it, with the messages of the documents. This page is written by that suite, which fails when a row has no case, a case no row, or a',
    'case does not hold: `npx vitest run test/seeds -u` writes it anew.',
    '',
    `**${all.length} items: ${totals(all)}.**`,
    ...documents.flatMap((document) => [
      '',
      `## Seed ${document}: ${titles[document]}`,
      '',
      ...table(document),
    ]),
    '',
  ].join('\n');
}

/** Counts the items in each state. */
export function totals(cases: readonly SeedCase[]): string {
  const count = (state: string): number =>
    cases.filter((seedCase) => stateOf(seedCase).startsWith(state)).length;
  return `${count('works')} work, ${count('differs')} differ, ${count('not built')} are not built`;
}

function table(document: SeedDocument): string[] {
  return [
    '| item | what it says | carried by | state |',
    '|---|---|---|---|',
    ...seedCases[document].map((seedCase) => {
      const carriers = seedCase.on.map((wire) => wires[wire]).join(' · ');
      return `| ${[seedCase.id, seedCase.item, carriers, stateOf(seedCase)].map(cell).join(' | ')} |`;
    }),
  ];
}

function stateOf({ differs, notBuilt }: SeedCase): string {
  if (notBuilt !== undefined) return `not built: ${notBuilt}`;
  return differs === undefined ? 'works' : `differs: ${differs}`;
}

const cell = (text: string): string => text.replaceAll('|', '\\|');
