// The diagnostic tools, resources and prompts that the official conformance suite expects of a server, with known answers.
import {
  inputRequired,
  inputResponse,
  type Prompt,
  type Tool,
  UriTemplate,
} from '@modelcontextprotocol/server';
import type { ExtraOffer } from '../../../apps/server/src/mcp/server/extra-offer.ts';
import { askingTools, form } from './asking-tools.ts';
import { embedded, image, text } from './contents.ts';
import { plainTools } from './plain-tools.ts';

const tools = { ...plainTools, ...askingTools };

/** Every keyword of JSON Schema 2020-12 that has to reach a client unchanged. */
const richSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object' as const,
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

const argument = (name: string) => ({
  type: 'object' as const,
  properties: { [name]: { type: 'string' } },
  required: [name],
});
const inputs: Record<string, Tool['inputSchema']> = {
  test_sampling: argument('prompt'),
  test_elicitation: argument('message'),
  json_schema_2020_12_tool: richSchema,
};

const promptNamed = (name: string, ...args: string[]): Prompt => ({
  name,
  description: `A prompt of the conformance suite: ${name}.`,
  arguments: args.map((argument) => ({
    name: argument,
    description: `The argument ${argument}.`,
    required: true,
  })),
});

const template = 'test://template/{id}/data';

export const conformanceOffer: ExtraOffer = {
  tools: Object.keys(tools).map((name) => ({
    name,
    description: `A tool of the conformance suite: ${name}.`,
    inputSchema: inputs[name] ?? { type: 'object' },
  })),
  async callTool(request) {
    const run = tools[request.name];
    if (run === undefined) throw new Error(`no tool ${request.name}`);
    return await run(request);
  },
  resources: ['static-text', 'static-binary', 'watched-resource'].map((name) => ({
    uri: `test://${name}`,
    name,
    description: `A resource of the conformance suite: ${name}.`,
    mimeType: name === 'static-binary' ? 'image/png' : 'text/plain',
  })),
  templates: [
    { uriTemplate: template, name: 'template', description: 'A template of the conformance suite.' },
  ],
  readResource(uri) {
    if (uri === 'test://static-binary')
      return { contents: [{ uri, mimeType: image.mimeType, blob: image.data }] };
    if (uri === 'test://static-text' || uri === 'test://watched-resource')
      return {
        contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
      };
    const id = new UriTemplate(template).match(uri)?.id;
    if (typeof id !== 'string') return undefined;
    const data = { id, templateTest: true, data: `Data for ID: ${id}` };
    return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(data) }] };
  },
  prompts: [
    promptNamed('test_simple_prompt'),
    promptNamed('test_prompt_with_arguments', 'arg1', 'arg2'),
    promptNamed('test_prompt_with_embedded_resource', 'resourceUri'),
    promptNamed('test_prompt_with_image'),
    promptNamed('test_input_required_result_prompt'),
  ],
  async getPrompt({ name, args, ctx }) {
    const messages = (
      ...contents: (ReturnType<typeof text> | ReturnType<typeof embedded> | typeof image)[]
    ) => ({
      messages: contents.map((content) => ({ role: 'user' as const, content })),
    });
    switch (name) {
      case 'test_simple_prompt':
        return messages(text('This is a simple prompt for testing.'));
      case 'test_prompt_with_arguments':
        return messages(text(`Prompt with arguments: arg1='${args.arg1}', arg2='${args.arg2}'`));
      case 'test_prompt_with_embedded_resource':
        return messages(
          embedded(String(args.resourceUri), 'text/plain', 'Embedded resource content for testing.'),
          text('Please process the embedded resource above.'),
        );
      case 'test_prompt_with_image':
        return messages(image, text('Please analyze the image above.'));
    }
    if (inputResponse(ctx.mcpReq.inputResponses, 'user_context').kind !== 'missing')
      return messages(text('A prompt with the context that was given.'));
    const user_context = form('What context should the prompt use?', 'context');
    return inputRequired({ inputRequests: { user_context } });
  },
  complete: ({ value }) => ({
    completion: {
      values: ['paris', 'park', 'party'].filter((word) => word.startsWith(value)),
      hasMore: false,
    },
  }),
};
