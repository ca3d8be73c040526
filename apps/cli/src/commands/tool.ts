// `codelab tool`: one call through the whole pipeline, one JSON message on standard output.
import '../shared.ts';
import { isatty } from 'node:tty';
import { type Dialect, type DialectMessage, type Json, refuse, type WireCall } from '@codelab/dialects';
import { limitProfiles, resourceLimit, type ToolCall, ToolError, visible } from '@codelab/protocol';
import { type AnswerApproval, type Host, randomId, runCall, userName } from '@codelab/runtime';
import { compose } from '@codelab/server';
import { approvalHandler } from '../approval/approval-handler.ts';
import { checkWorkspace, expandSessionId } from '../audit/find-sessions.ts';
import {
  chooseDialect,
  chooseProfile,
  commonOptions,
  composeOptions,
  defineCommand,
  type ParsedCommandLine,
} from '../command-line/define-command.ts';
import { createInterruption, writeText } from '../command-line/process.ts';
import { callerId, readCallOptions, readJsonText, readToolCall } from '../tool-call/read-tool-call.ts';

const options = {
  workspace: commonOptions.workspace,
  dialect: commonOptions.dialect,
  approve: {
    type: 'string',
    value: 'HOW',
    choices: ['ask', 'never', 'all'],
    summary: 'how approvals are answered (default: ask on a terminal, else never)',
  },
  'call-id': {
    type: 'string',
    value: 'ID',
    summary: 'id of the call; the same id in the same session never runs twice',
  },
  session: { type: 'string', value: 'ID', summary: 'record the call in this session (default: a new one)' },
  profile: commonOptions.profile,
  mode: commonOptions.mode,
  timeout: { type: 'string', value: 'SECONDS', summary: 'time limit, counted from the approval' },
  stream: {
    type: 'boolean',
    summary: 'also print approval requests and output as JSON lines before the result',
  },
} as const;

export const tool = defineCommand({
  words: 'NAME [JSON|-]',
  takes: { min: 1, max: 2 },
  about: `Runs one tool call, with policy, approval and audit log, and prints the result as one JSON message.
JSON is the tool's arguments, or the dialect's whole call message; \`-\` reads it from standard input.
Exit code 1 when the result is an error.`,
  options,
  examples: [
    'codelab tool read_file \'{"path":"README.md"}\'',
    'echo \'{"path":"a.txt","content":"hello\\n"}\' | codelab tool write_file - --approve all',
  ],
  run: runTool,
});

type Print = (message: DialectMessage) => Json;

async function runTool({
  words: [name = '', json],
  options: given,
}: ParsedCommandLine<typeof options>): Promise<number> {
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

  async function travel(): Promise<DialectMessage> {
    text = await readJsonText(json, limitProfiles[dialect.name].argsBytes, interruption.signal);
    const wireCall = readToolCall(dialect, {
      id: settings.callId,
      tool: name,
      text,
      fallbackId: id,
      isLasting: settings.session !== undefined,
    });
    await using composed = await compose({ ...composeOptions(given), endsAfter: 'call' });
    const { host } = composed;
    const isOneOff = given.session === undefined;
    const session =
      settings.session === undefined ? randomId() : await expandSessionId(host.log, settings.session);
    if (!isOneOff) await checkWorkspace(host.log, session, host.workspace.root.real);
    const answer = approvalHandler({ host, how: given.approve, isOneOff, interruption });
    const call = toolCall(wireCall, dialect, { ...settings, session });
    using _progress = showProgress({
      host,
      call,
      asked: wireCall,
      dialect,
      isStreaming: given.stream === true,
      print,
    });
    const answerer = given.stream ? announced(answer, wireCall, print) : answer;
    const outcome = await runCall(host, call, interruption.signal, answerer);
    return { type: 'result', asked: wireCall, outcome };
  }

  const result = await travel().catch((error: unknown) => {
    const callId = settings.callId ?? callerId(dialect, text) ?? id;
    return refuse({ id: callId, wire: { tool: name, args: {} } }, asToolError(error));
  });
  if (!saysFailed(result, print(result))) return 0;
  return interruption.happened ? 130 : 1;
}

function announced(answer: AnswerApproval, wireCall: WireCall, print: Print): AnswerApproval {
  return (approval, signal) => {
    print({ type: 'approval', asked: wireCall, approval });
    return answer(approval, signal);
  };
}

function toolCall(
  asked: WireCall,
  dialect: Dialect,
  settings: ReturnType<typeof readCallOptions> & { session: string },
): ToolCall {
  const { session, profile, timeoutMs } = settings;
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
  const toolError = error instanceof ToolError ? error : resourceLimit(error);
  if (toolError !== undefined) return toolError;
  if (error instanceof Error && error.name === 'AbortError')
    return new ToolError('CANCELLED', 'The call was cancelled.');
  writeText(2, `codelab: ${error instanceof Error ? error.stack : error}\n`);
  return new ToolError('INTERNAL', 'A defect in CodeLab stopped this call. Please report it.');
}

/** The progress of a running call: as messages of the dialect when they are wanted, else for a person at the terminal. */
type Options = {
  host: Host;
  call: ToolCall;
  asked: WireCall;
  dialect: Dialect;
  isStreaming: boolean;
  print(message: DialectMessage): void;
};

function showProgress({ host, call, asked, dialect, isStreaming, print }: Options): Disposable {
  const stop = host.progress.watch(call.session, (runningCall, data) => {
    if (runningCall.id !== call.id) return;
    if (isStreaming && dialect.streams) print({ type: 'progress', asked, data });
    else if (isatty(2)) writeText(2, shown(data));
  });
  return { [Symbol.dispose]: stop };
}

function shown(data: Record<string, unknown>): string {
  return [data.stdout, data.stderr].map((text) => (typeof text === 'string' ? visible(text) : '')).join('');
}

/** Whether the final message of a call is an error for its reader: the call failed, or its dialect reports the result as a failure. */
function saysFailed(message: DialectMessage, written: Json): boolean {
  if (message.type !== 'result' || message.outcome.status !== 'completed') return true;
  // In coder `ok` decides; the rest of the result is in the same object.
  if (typeof written.ok === 'boolean') return !written.ok;
  return typeof written.status === 'string' && written.status !== 'success';
}
