// A gateway as a separate process, to be killed: started with its folders and options as JSON, prints its address. Ends with its parent.
import { flushCompileCache } from 'node:module';
import { startGateway } from '@codelab/server/gateway';
import { scriptedModel } from './scripted-model.ts';
import { slowEcho } from './slow-echo.ts';
import { testLog } from './test-log.ts';

export type GatewayProcessOptions = {
  root: string;
  home: string;
  isFileless?: boolean;
  runMs?: number;
  /** The session log's place; by default that of the tests' logs. */
  log?: string;
  /** The model's replies, turn by turn; the same list continues after a restart. */
  script?: Parameters<typeof scriptedModel>[0] & readonly unknown[];
  /** The built page; with it, the sender of a message gets a sign-in link. */
  web?: string;
  port?: number;
  /** The model repeats the message, one word per this many milliseconds. */
  wordMs?: number;
  /** The script restarts with each message; `$SAID` in it is replaced by the message. */
  isEachTurn?: boolean;
};

const {
  root,
  home,
  isFileless = false,
  runMs,
  log,
  script = [],
  web,
  port = 0,
  wordMs,
  isEachTurn = false,
} = JSON.parse(process.argv[2] ?? '') as GatewayProcessOptions;
const scripted = scriptedModel(({ messages }) => {
  // Other user messages report changed files and the like.
  const isSaid = (message: (typeof messages)[number]): boolean =>
    message.role === 'user' && /turn-[\w-]+/.test(message.text);
  const messageIndex = isEachTurn ? messages.findLastIndex(isSaid) : -1;
  const step = messages.slice(messageIndex + 1).filter(({ role }) => role === 'assistant').length;
  const reply = script[step] ?? { text: 'done' };
  const text = JSON.stringify(messages[messageIndex] ?? '').match(/turn-[\w-]+/)?.[0] ?? '';
  return isEachTurn ? (JSON.parse(JSON.stringify(reply).replaceAll('$SAID', text)) as typeof reply) : reply;
});
const model = wordMs === undefined ? scripted : slowEcho(wordMs);
const gateway = await startGateway({
  port,
  ...(web && { web }),
  token: 'a-long-token',
  compose: {
    workspace: root,
    home,
    env: {},
    isFileless,
    ...(runMs && { limits: { runMs } }),
    ...(log === undefined ? testLog(home) : { log }),
  },
  openModel: async () => model,
  onFault: (error) => process.stderr.write(`${String(error)}\n`),
});
// The process is usually killed, so the cache is written now.
flushCompileCache();
process.send?.(gateway.url);
process.on('message', () => process.send?.(String(gateway.signInLink())));
process.once('SIGTERM', () => void gateway[Symbol.asyncDispose]().then(() => process.exit()));
process.once('disconnect', () => process.exit());
