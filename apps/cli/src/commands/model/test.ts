// `codelab model test`: asks a model one real question and reports what works.
import '../../shared.ts';
import { checkModel, type ModelCheck } from '@codelab/agent';
import { visibleLine } from '@codelab/protocol';
import { commonOptions, defineCommand, UsageError } from '../../command-line/define-command.ts';
import { createInterruption, writeText } from '../../command-line/process.ts';
import { modelChoice, modelPlaces } from '../../model/model-store.ts';
import { paintFor } from '../../output/paint.ts';
import { columns } from '../../output/text-width.ts';

const { workspace, json } = commonOptions;

export const modelTest = defineCommand({
  words: '[NAME]',
  takes: { min: 0, max: 1 },
  about: `Sends the model one short question with one tool. Reports whether the server is reachable, the key is accepted, the reply streams and
the tool is called, and how long it took. Costs a few hundred tokens. Exit code 1 when a check fails.`,
  options: { workspace, json },
  examples: ['codelab model test', 'codelab model test ollama/qwen3-coder'],
  async run({ words: [name], options }) {
    using interruption = createInterruption();
    const { sources, named, implied } = modelChoice(modelPlaces(options.workspace));
    const model = name ?? named ?? implied;
    if (model === undefined)
      throw new UsageError('No model is set. Name one: codelab model test PROVIDER/NAME');
    const check = await checkModel(model, sources, interruption.signal);
    writeText(1, options.json ? `${JSON.stringify(checkJson(check))}\n` : checkText(check));
    return isGood(check) ? 0 : 1;
  },
});

function isGood({ isAnswered, isToolCalled, problem }: ModelCheck): boolean {
  return isAnswered && isToolCalled && problem === undefined;
}

function checkJson(check: ModelCheck): object {
  return {
    model: check.model,
    ok: isGood(check),
    reached: check.isReached,
    key_accepted: check.isKeyAccepted ?? null,
    answered: check.isAnswered,
    streamed: check.isStreamed ?? null,
    tool_called: check.isToolCalled,
    first_ms: check.firstMs ?? null,
    total_ms: check.totalMs,
    input_tokens: check.inputTokens,
    output_tokens: check.outputTokens,
    context_window: check.contextTokens ?? null,
    problem: check.problem ?? null,
  };
}

function checkText(check: ModelCheck): string {
  const paint = paintFor(1);
  const sign = (isSupported: boolean | undefined): string =>
    isSupported === undefined ? paint('dim', '–') : isSupported ? paint('green', '✔') : paint('red', '✖');
  const { isReached, isAnswered, firstMs, totalMs, inputTokens, outputTokens } = check;
  const first =
    firstMs === undefined ? '' : `first words after ${seconds(firstMs)}, all after ${seconds(totalMs)}`;
  const rows = [
    [sign(isReached), 'server reached', ''],
    [sign(check.isKeyAccepted), 'key accepted', ''],
    [sign(isReached ? isAnswered : undefined), 'answers', isAnswered ? first : ''],
    [sign(isAnswered ? check.isStreamed : undefined), 'streams', ''],
    [
      sign(isAnswered ? check.isToolCalled : undefined),
      'calls a tool',
      isAnswered ? `${inputTokens} tokens in, ${outputTokens} out` : '',
    ],
  ];
  const problem = check.problem === undefined ? [] : ['', paint('yellow', visibleLine(check.problem))];
  const lines = columns(rows).map((row) => `  ${row}`);
  return `${[paint('bold', visibleLine(check.model)), ...lines, ...problem].join('\n')}\n`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
