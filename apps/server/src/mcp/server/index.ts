export { type StdioOptions, serveMcpStdio } from './serve-mcp-stdio.ts';
