// `codelab connect`: runs the executor for a remote gateway until it is stopped.
import '../shared.ts';
import { once } from 'node:events';
import { isatty } from 'node:tty';
import { type ApiError, StreamingClient } from '@codelab/client';
import { findDialect } from '@codelab/dialects';
import { visibleLine } from '@codelab/protocol';
import { randomId } from '@codelab/runtime';
import { compose } from '@codelab/server';
import { approvalHandler } from '../approval/approval-handler.ts';
import {
  commonOptions,
  composeOptions,
  defineCommand,
  type ParsedCommandLine,
  UsageError,
} from '../command-line/define-command.ts';
import { createInterruption, writeText } from '../command-line/process.ts';
import { GatewayExecutor } from '../connect/executor.ts';
import { executorId, type GatewayAddress, localSession, readUrl } from '../connect/gateway-address.ts';
import { createExecutorReporter, type ExecutorReporter } from '../connect/reporter.ts';
import { oneAtATime } from '../connect/run-job.ts';
import { readCallOptions } from '../tool-call/read-tool-call.ts';

const { workspace, mode, json } = commonOptions;

const options = {
  workspace,
  token: {
    type: 'string',
    value: 'T',
    summary: 'access token of the gateway (default: CODELAB_TOKEN, or the token in the URL)',
  },
  session: { type: 'string', value: 'ID', summary: 'session on the gateway (default: a new one)' },
  approve: {
    type: 'string',
    value: 'HOW',
    choices: ['ask', 'never', 'all'],
    summary: 'how approvals are answered here (default: ask on a terminal, else never)',
  },
  'trust-gateway': {
    type: 'boolean',
    summary: 'do not ask again for calls that were approved on the gateway; local deny rules still apply',
  },
  mode,
  json,
} as const;

export const connect = defineCommand({
  words: 'URL',
  takes: { min: 1, max: 1 },
  about: `Runs the calls of a session on a remote gateway in this workspace, so that a remote agent works on local files.
Your local policy checks every call again, and the stricter verdict wins. Calls are recorded here and can be undone here.
Ctrl-C disconnects and cancels running calls.`,
  options,
  examples: [
    'codelab connect http://127.0.0.1:4040 --session s1',
    'CODELAB_TOKEN=… codelab connect https://lab.example.com --trust-gateway --mode balanced',
  ],
  run: runConnect,
});

async function runConnect({
  words: [typedUrl = ''],
  options: commandOptions,
}: ParsedCommandLine<typeof options>): Promise<number> {
  const address = readUrl(typedUrl);
  const { session } = readCallOptions({
    ...(commandOptions.session !== undefined && { session: commandOptions.session }),
  });
  const show = createExecutorReporter(commandOptions.json === true);
  if (address.isInTheClear)
    show.notice('The token and all files go over the network unencrypted: use https.');
  using interruption = createInterruption();
  await using composed = await compose({ ...composeOptions(commandOptions), isShortLived: false });
  const { host } = composed;
  const client = new StreamingClient({
    url: address.url,
    session: session ?? `new_${randomId()}`,
    wire: 'codelab',
    role: 'executor',
    executorId: executorId({ home: host.home, root: host.workspace.root.real }),
    ...tokenIn(address, commandOptions.token),
  });
  const executor = new GatewayExecutor({
    host,
    dialect: findDialect('codelab'),
    session: () => localSession(address.url, client.session),
    answer: oneAtATime(approvalHandler({ host, how: commandOptions.approve, isOneOff: false, interruption })),
    asksHere:
      commandOptions.approve === undefined ? isatty(0) && isatty(2) : commandOptions.approve !== 'never',
    trustsGateway: commandOptions['trust-gateway'] === true,
    send: (message) => client.send(message),
    show,
  });
  const ended = listen(client, show, executor);
  if (!interruption.signal.aborted) await Promise.race([ended, once(interruption.signal, 'abort')]);
  await executor.stop();
  client.close();
  return interruption.happened ? 0 : await ended;
}

type Ears = Pick<GatewayExecutor, 'hear' | 'reopened'>;

/** Resolves with the exit code when the gateway has ended the connection. */
function listen(client: StreamingClient<'codelab'>, show: ExecutorReporter, ears: Ears): Promise<number> {
  for (const type of ['tool_call', 'tool_result', 'cancel', 'error'] as const)
    client.on(type, (frame) => ears.hear(frame));
  client.on('session_info', ({ session_id }) => {
    show.connected(session_id);
    ears.reopened();
  });
  const { promise, resolve } = Promise.withResolvers<number>();
  client.onState((state) => {
    if (state.name === 'waiting') show.waiting(state.why, state.retryMs);
    if (state.name !== 'closed') return;
    if (state.error !== undefined) writeText(2, `codelab: ${errorText(state.error)}\n`);
    else show.notice(state.why);
    resolve(state.error === undefined ? 0 : 1);
  });
  client.connect().catch(() => undefined);
  return promise;
}

function errorText({ message, code }: ApiError): string {
  // A refused WebSocket gives no reason; this code has only one cause here.
  return code === 'INVALID_ARGUMENTS'
    ? 'The gateway runs the calls of this session itself and needs no executor. Omit --session to start a new session.'
    : `${visibleLine(message)} (${code})`;
}

function tokenIn(address: GatewayAddress, option: string | undefined): { token?: string } {
  const token = option ?? (process.env.CODELAB_TOKEN || undefined) ?? address.token;
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
    throw new UsageError('A token can’t contain spaces or line breaks.');
  return token === undefined ? {} : { token };
}
