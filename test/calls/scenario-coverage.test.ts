// Every tool of every dialect is called by a case in fixtures/scenarios, so that each row of a dialect is played once at least.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dialectNames, findDialect } from '@codelab/dialects';
import { expect, test } from 'vitest';

const scenarios = join(import.meta.dirname, '../..', 'fixtures', 'scenarios');
const calls = globSync('*/*/call.json', { cwd: scenarios });

/** Tools that answer about earlier calls of a session or need a model, so that a single call shows nothing. */
const withoutScenario = ['read_process', 'list_processes', 'todoread', 'task'];

// `agent` takes over the rows of `codelab`.
test.for(dialectNames.filter((name) => name !== 'agent'))('every tool of %s has a scenario', (name) => {
  const called = calls.filter((file) => name in readDialects(file)).map(toolOf);
  const missing = findDialect(name, { root: '/w' }).tools.filter(({ tool }) => !called.includes(tool));
  expect(
    missing.map(({ tool }) => tool).filter((tool) => !withoutScenario.includes(tool)),
    `Add a call and a result under "${name}" to a case in fixtures/scenarios/<tool>/.`,
  ).toEqual([]);
});

function toolOf(file: string): string {
  return dirname(dirname(file));
}

/** The calls of a case, by dialect. */
function readDialects(file: string): object {
  return JSON.parse(readFileSync(join(scenarios, file), 'utf8'));
}
