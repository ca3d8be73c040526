// A gateway as a process of its own, to be killed: started with its folders and options as JSON, says its address. Goes with its parent.
import { flushCompileCache } from 'node:module';
import { startGateway } from '@codelab/server/gateway';
import { scriptedModel } from './scripted-model.ts';

export type GatewayProcessOptions = {
  root: string;
  home: string;
  isFileless?: boolean;
  runMs?: number;
  /** What the model says, turn by turn; the same list goes on after a restart. */
  script?: Parameters<typeof scriptedModel>[0] & readonly unknown[];
};

const {
  root,
  home,
  isFileless = false,
  runMs,
  script = [],
} = JSON.parse(process.argv[2] ?? '') as GatewayProcessOptions;
const model = scriptedModel(({ messages }) => {
  const step = messages.filter(({ role }) => role === 'assistant').length;
  return script[step] ?? { text: 'done' };
});
const { url } = await startGateway({
  port: 0,
  token: 'a-long-token',
  compose: { workspace: root, home, env: {}, isFileless, ...(runMs && { limits: { runMs } }) },
  openModel: async () => model,
  onFault: (error) => process.stderr.write(`${String(error)}\n`),
});
// It is mostly killed, and a cache that nobody writes helps nobody.
flushCompileCache();
process.send?.(url);
process.once('disconnect', () => process.exit());
