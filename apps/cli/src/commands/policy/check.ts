// `codelab policy check`: plans and judges one call without running it.
import '../../shared.ts';
import { limitProfiles, parseJson, ToolError, visibleLine } from '@codelab/protocol';
import { createRegistry } from '@codelab/runtime';
import { compose } from '@codelab/server';
import {
  chooseDialect,
  commonOptions,
  composeOptions,
  defineCommand,
} from '../../command-line/define-command.ts';
import { writeText } from '../../command-line/process.ts';
import { paintFor } from '../../output/paint.ts';
import { verdictJson, verdictText } from '../../output/verdict-text.ts';
import { readJsonText } from '../../tool-call/read-tool-call.ts';

const { workspace, json, profile, mode } = commonOptions;
const { argsBytes, argsDepth } = limitProfiles.codelab;

export const policyCheck = defineCommand({
  words: 'JSON|-',
  takes: { min: 1, max: 1 },
  about: `Shows whether policy allows a call, asks about it or denies it, by which rule and why. Nothing runs.
JSON is {"tool_name":…,"args":{…}}.`,
  options: { workspace, json, profile, mode },
  examples: ['codelab policy check \'{"tool_name":"write_file","args":{"path":".env","content":""}}\''],
  async run({ words: [text], options }) {
    const { tool, args } = readCall(await readJsonText(text, argsBytes));
    await using composed = await compose(composeOptions(options));
    const registry = await createRegistry(composed.host, {
      session: 'policy-check',
      dialect: 'codelab',
      ...(options.profile === undefined ? {} : { profile: options.profile }),
    });
    const { plan, verdict } = await registry.approvalRequest(tool, args);
    writeText(
      1,
      options.json
        ? `${JSON.stringify(verdictJson(verdict))}\n`
        : verdictText({ subject: visibleLine(plan.summary), ...verdict }, paintFor(1)),
    );
    return 0;
  },
});

function readCall(text: string): { tool: string; args: Record<string, unknown> } {
  const value = parseJson(text, { bytes: argsBytes, depth: argsDepth + 2 });
  const dialect = chooseDialect('codelab');
  const record = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const { tool_name: name, args = record.arguments ?? {} } = record;
  if (typeof name !== 'string' || typeof args !== 'object' || args === null || Array.isArray(args))
    throw new ToolError(
      'INVALID_ARGUMENTS',
      'Give a call as {"tool_name":"read_file","args":{"path":"README.md"}}.',
    );
  return dialect.ask({ id: 'policy-check', tool: name, args: args as Record<string, unknown> });
}
