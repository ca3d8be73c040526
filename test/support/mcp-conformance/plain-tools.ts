// Diagnostic tools of the conformance suite that return immediately, report progress, or ask the client during a call.
import { setTimeout as wait } from 'node:timers/promises';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ExtraRequest } from '../../../apps/server/src/mcp/server/extra-offer.ts';
import { audio, embedded, image, text } from './contents.ts';

type Run = (request: ExtraRequest) => CallToolResult | Promise<CallToolResult>;
type Asked = Parameters<ExtraRequest['ctx']['mcpReq']['elicitInput']>[0];

const textResult = (content: string): CallToolResult => ({ content: [text(content)] });

async function elicit({ ctx }: ExtraRequest, message: string, properties: object, required: string[] = []) {
  const requestedSchema = { type: 'object' as const, properties, required };
  return await ctx.mcpReq.elicitInput({ message, requestedSchema } as Asked);
}

async function askForms(request: ExtraRequest, properties: object): Promise<CallToolResult> {
  const { action, content } = await elicit(request, 'Please review', properties);
  return textResult(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`);
}

const titledOptions = ['First', 'Second', 'Third'].map((word, i) => ({
  const: `value${i + 1}`,
  title: `${word} Option`,
}));
const options = ['option1', 'option2', 'option3'];

export const plainTools: Record<string, Run> = {
  test_simple_text: () => textResult('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [audio] }),
  test_embedded_resource: () => ({
    content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }),
  test_multiple_content_types: () => ({
    content: [
      text('Multiple content types test:'),
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }),
  test_error_handling: () => ({
    ...textResult('This tool intentionally returns an error for testing'),
    isError: true,
  }),
  async test_tool_with_logging({ ctx }) {
    for (const step of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await ctx.mcpReq.log('info', step);
      await wait(50);
    }
    return textResult('Done, with three log messages.');
  },
  async test_logging_tool({ ctx }) {
    await ctx.mcpReq.log('info', 'Only for who asked for it');
    return textResult('Done.');
  },
  async test_tool_with_progress({ ctx }) {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
      const params = { progressToken, progress, total: 100, message: `${progress} of 100` };
      await ctx.mcpReq.notify({ method: 'notifications/progress', params } as Parameters<
        typeof ctx.mcpReq.notify
      >[0]);
      await wait(50);
    }
    return textResult('Done, with progress.');
  },
  async test_sampling({ ctx, args }) {
    const messages = [{ role: 'user' as const, content: text(String(args.prompt)) }];
    const { content } = await ctx.mcpReq.requestSampling({ messages, maxTokens: 100 });
    return textResult(`LLM response: ${JSON.stringify(content)}`);
  },
  async test_elicitation(request) {
    const field = (description: string) => ({ type: 'string', description });
    const fields = { username: field('User’s response'), email: field('User’s email address') };
    const answer = await elicit(request, String(request.args.message), fields, ['username', 'email']);
    return textResult(`User response: ${JSON.stringify(answer)}`);
  },
  test_elicitation_sep1034_defaults: (request) =>
    askForms(request, {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    }),
  test_elicitation_sep1330_enums: (request) =>
    askForms(request, {
      untitledSingle: { type: 'string', enum: options },
      titledSingle: { type: 'string', oneOf: titledOptions },
      legacyEnum: {
        type: 'string',
        enum: ['opt1', 'opt2', 'opt3'],
        enumNames: ['Option One', 'Option Two', 'Option Three'],
      },
      untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
      titledMulti: { type: 'array', items: { anyOf: titledOptions } },
    }),
  async test_reconnection({ ctx }) {
    ctx.http?.closeSSE?.();
    await wait(100);
    return textResult('Delivered after the stream was closed and taken up again.');
  },
  test_trigger_tool_change({ publish }) {
    publish({ kind: 'tools_list_changed' });
    return textResult('Told.');
  },
  test_trigger_prompt_change({ publish }) {
    publish({ kind: 'prompts_list_changed' });
    return textResult('Told.');
  },
  json_schema_2020_12_tool: () => textResult('Done.'),
};
