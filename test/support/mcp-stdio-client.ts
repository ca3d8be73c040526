// A client of `codelab mcp` as a separate process, to be killed: makes one call and approves it.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [command = '', args = '[]', call = '{}'] = process.argv.slice(2);
const transport = new StdioClientTransport({ command, args: JSON.parse(args), stderr: 'ignore' });
const client = new Client({ name: 'killed', version: '1' }, { capabilities: { elicitation: { form: {} } } });
client.setRequestHandler('elicitation/create', async () => ({
  action: 'accept' as const,
  content: { decision: 'approve' },
}));
await client.connect(transport);
await client.callTool(JSON.parse(call));
