// Puts a question to the human and returns the action they chose. The runtime asks; this tool only says what.
import { phrase, ToolError } from '@codelab/protocol';
import * as z from 'zod/mini';
import { defineTool } from '../tool/define-tool.ts';

const Action = () => z.string().check(z.minLength(1), z.maxLength(200));
const Input = () =>
  z.strictObject({
    message: z.string().check(z.minLength(1), z.maxLength(10_000)),
    actions: z.array(Action()).check(z.minLength(1), z.maxLength(20)),
  });
const Output = () => z.strictObject({ action: z.string() });

export const promptUserTool = defineTool<
  z.infer<ReturnType<typeof Input>>,
  z.infer<ReturnType<typeof Output>>,
  undefined
>({
  name: 'prompt_user',
  kind: 'ask',
  summary: 'Ask the human a question; they choose one of the actions.',
  input: Input,
  output: Output,

  plan({ message, actions }) {
    if (new Set(actions).size < actions.length)
      throw new ToolError('INVALID_ARGUMENTS', '`actions` holds the same action twice.');
    const plan = {
      summary: phrase('plan.ask'),
      risk: 'low' as const,
      riskReason: phrase('risk.onlyAsks'),
      touches: [],
      notes: [],
      question: { message, actions },
      basis: [],
    };
    return { plan, intents: [], prepared: undefined };
  },

  run(_input, _prepared, { answer }) {
    if (answer === undefined) throw new ToolError('INTERNAL', 'The question was not answered.');
    return { data: { action: answer }, effects: [] };
  },

  tell: ({ action }) => `The human chose: ${action}`,
});
