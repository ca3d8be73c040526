// The first scenario of a tool as a call: for tests that must cover every tool and have no own call for it.
import { cpSync, existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

type Json = Record<string, unknown>;

const scenarios = join(import.meta.dirname, '../..', 'fixtures', 'scenarios');

/** The arguments in the codelab dialect. With `workspace`, the files the call works on are put there. */
export function scenarioCall(tool: string, workspace?: string): Json {
  for (const file of globSync(`${tool}/*/call.json`, { cwd: scenarios }).sort()) {
    const { codelab } = JSON.parse(readFileSync(join(scenarios, file), 'utf8')) as {
      codelab?: { args: Json };
    };
    if (codelab?.args === undefined) continue;
    const before = join(scenarios, dirname(file), 'before');
    if (workspace !== undefined && existsSync(before)) cpSync(before, workspace, { recursive: true });
    return codelab.args;
  }
  throw new Error(`Add fixtures/scenarios/${tool}/<case>/ with a call in the codelab dialect.`);
}
