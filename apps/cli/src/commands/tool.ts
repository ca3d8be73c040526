// `codelab tool`: one call through the whole pipeline, one JSON message on standard output.
import '../shared.ts';
import { type AskedCall, type Dialect, type Json, type Message, refuse } from '@codelab/dialects';
import { limitProfiles, resourceLimit, type ToolCall, ToolError } from '@codelab/protocol';
import { type Answer, randomId, runAnswered } from '@codelab/runtime';
import { compose } from '@codelab/server';
import { chooseAnswer } from '../approval/choose-answer.ts';
import { userName } from '../approval/user-name.ts';
import { checkIsHere } from '../audit/check-is-here.ts';
import { chooseDialect } from '../command-line/choose-dialect.ts';
import { chooseProfile } from '../command-line/choose-profile.ts';
import { commonOptions } from '../command-line/common-options.ts';
import { composeOptions } from '../command-line/compose-options.ts';
import { defineCommand, type Given } from '../command-line/define-command.ts';
import { writeText } from '../output/write-text.ts';
import { createInterruption } from '../tool-call/interruption.ts';
import { readCallOptions } from '../tool-call/read-call-options.ts';
import { readJsonText } from '../tool-call/read-json-text.ts';
import { callerId, readToolCall } from '../tool-call/read-tool-call.ts';
import { saysFailed } from '../tool-call/says-failed.ts';
import { showProgress } from '../tool-call/show-progress.ts';

const options = {
  workspace: commonOptions.workspace,
  dialect: commonOptions.dialect,
  approve: {
    type: 'string',
    value: 'HOW',
    choices: ['ask', 'never', 'all'],
    summary: 'what happens when it needs a human (default: ask on a terminal, else never)',
  },
  'call-id': { type: 'string', value: 'ID', summary: 'the same id in the same session never runs twice' },
  session: { type: 'string', value: 'ID', summary: 'the session it belongs to (default: one of its own)' },
  profile: commonOptions.profile,
  mode: commonOptions.mode,
  timeout: { type: 'string', value: 'SECONDS', summary: 'how long it may run once it was allowed' },
  stream: {
    type: 'boolean',
    summary: 'also print what it asks and what it prints, as JSON lines before the result',
  },
} as const;

export const tool = defineCommand({
  words: 'NAME [JSON|-]',
  takes: { min: 1, max: 2 },
  about: `Runs one tool call: parse, plan, judge, ask, run, record. Prints exactly one JSON message.
JSON is the arguments, or the dialect's whole call message; \`-\` reads it from standard input.
Exit code 1 when the message is an error in its dialect, else 0.`,
  options,
  examples: [
    'codelab tool read_file \'{"path":"README.md"}\'',
    'echo \'{"path":"a.txt","content":"hello\\n"}\' | codelab tool write_file - --approve all',
  ],
  run: runTool,
});

type Print = (message: Message) => Json;

async function runTool({ words: [name = '', json], options: given }: Given<typeof options>): Promise<number> {
  const dialect = chooseDialect(given.dialect, given.workspace);
  const settings = readCallOptions(given);
  if (given.profile !== undefined) await chooseProfile(given.profile, given.workspace);
  const id = settings.callId ?? randomId();
  const print: Print = (message) => {
    const written = dialect.encode(message);
    writeText(1, `${JSON.stringify(written)}\n`);
    return written;
  };
  using interruption = createInterruption();
  let text = '';

  async function travel(): Promise<Message> {
    text = await readJsonText(json, limitProfiles[dialect.name].argsBytes, interruption.signal);
    const asked = readToolCall(dialect, {
      id: settings.callId,
      tool: name,
      text,
      fallbackId: id,
      isLasting: settings.session !== undefined,
    });
    await using composed = await compose(composeOptions(given));
    const { host } = composed;
    const isOneOff = given.session === undefined;
    if (settings.session !== undefined) await checkIsHere(host.log, settings.session);
    const answer = chooseAnswer({ host, how: given.approve, isOneOff, interruption });
    const call = toolCall(asked, dialect, settings);
    using _progress = showProgress({ host, call, asked, dialect, isStreaming: given.stream === true, print });
    const outcome = await runAnswered({
      host,
      call,
      answer: given.stream ? announced(answer, asked, print) : answer,
      interruption,
    });
    return { type: 'result', asked, outcome };
  }

  const result = await travel().catch((error: unknown) => {
    const callId = settings.callId ?? callerId(dialect, text) ?? id;
    return refuse({ id: callId, wire: { tool: name, args: {} } }, asToolError(error));
  });
  if (!saysFailed(result, print(result))) return 0;
  return interruption.happened ? 130 : 1;
}

function announced(answer: Answer, asked: AskedCall, print: Print): Answer {
  return (approval, signal) => {
    print({ type: 'approval', asked, approval });
    return answer(approval, signal);
  };
}

function toolCall(
  asked: AskedCall,
  dialect: Dialect,
  settings: ReturnType<typeof readCallOptions>,
): ToolCall {
  const { session = randomId(), profile, timeoutMs } = settings;
  return {
    id: asked.id,
    session,
    tool: asked.tool,
    args: asked.args,
    dialect: dialect.name,
    by: { who: userName(), via: 'codelab tool' },
    ...(asked.requiresApproval ? { requiresApproval: true } : {}),
    ...(profile === undefined ? {} : { profile }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
}

function asToolError(error: unknown): ToolError {
  const known = error instanceof ToolError ? error : resourceLimit(error);
  if (known !== undefined) return known;
  if (error instanceof Error && error.name === 'AbortError')
    return new ToolError('CANCELLED', 'The call was cancelled.');
  writeText(2, `codelab: ${error instanceof Error ? error.stack : error}\n`);
  return new ToolError('INTERNAL', 'A defect in CodeLab stopped this call. Please report it.');
}
