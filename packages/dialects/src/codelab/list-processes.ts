// Lists the long-running processes of the session.
import * as z from 'zod/mini';
import type { WireTool } from '../dialect.ts';

export const listProcesses: WireTool = {
  name: 'list_processes',
  tool: 'list_processes',
  input: () => z.strictObject({}),
  toCore: (args) => args,
  toWire: ({ processes }) => ({ processes }),
};
